"""Killing the process at any moment of a save leaves a session that can be read."""

import json
import os
import subprocess
import sys

import pytest

APART = 20
"""Steps of Python between two kills, where a save has not begun to write or has ended;
in between every step is one."""

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")

# One lean process loads the libraries once and forks the savers: a start for every kill
# would take minutes. It runs apart from the tests, whose threads must not be forked.
# A saver counts its own steps and kills itself, so that no place depends on the clock.
NURSERY = """
import json, os, signal, sys
from pathlib import Path

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.support.atomic import TEMPORARY
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.model import Document, DocumentData
from kpca_viewer.engine.notes import Notes, PinNote, Selected
from kpca_viewer.engine.settings import DataSettings, SessionSettings

folder, apart = Path(sys.argv[1]), int(sys.argv[2])
path = folder / "session.kpca"


def document(number):
    # Every part depends on the number, so that a mixture of two would be noticed.
    points = np.random.default_rng(number).standard_normal((60, 4))
    return Document(
        SessionSettings(DataSettings("data", seed=number)),
        Notes(
            tuple((j, f"name {number}") for j in range(number % 50)),
            tuple([PinNote(f"pin {number}", SessionSettings())] * 5),
            selected=Selected.of(points[:, 0] > 0),
        ),
        DocumentData(
            embedded=Dataset(
                points, row_names=tuple(f"{number}.{j}" for j in range(60))
            )
        ),
    )


def save_by_steps(document, told):
    taken = 0

    def step(frame, event, argument):
        nonlocal taken
        taken += 1
        told(taken)
        return step

    sys.settrace(step)
    save(document, path)
    sys.settrace(None)


def killed_at(last):
    def told(taken):
        if taken == last:
            os.kill(os.getpid(), signal.SIGKILL)

    return told


save(document(0), path)
half = []
save_by_steps(document(0), lambda taken: half.append(len(os.listdir(folder)) > 1))
number, halves, kills, saved = 0, 0, 0, 0
for last, writes in enumerate(half, 1):
    if not writes and last % apart:
        continue
    child = os.fork()
    if child == 0:
        try:
            save_by_steps(document(number + 1), killed_at(last))
        finally:
            os._exit(1)
    _, status = os.waitpid(child, 0)
    assert os.WIFSIGNALED(status), "the saver ended by itself"
    kills += 1
    again = load(path)
    assert again.settings.data.seed in (number, number + 1), "another session came back"
    saved += again.settings.data.seed - number
    number = again.settings.data.seed
    assert again == document(number), "parts of two sessions"
    for left in folder.iterdir():
        if left.name.endswith(TEMPORARY):
            halves += 1
            left.unlink()
    assert [entry.name for entry in folder.iterdir()] == [path.name]
print(json.dumps({"kills": kills, "saved": saved, "in_the_middle": halves}))
"""


def test_every_kill_leaves_a_readable_session(tmp_path, record_property):
    done = subprocess.run(
        [sys.executable, "-c", NURSERY, str(tmp_path), str(APART)],
        capture_output=True,
        text=True,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    numbers = json.loads(done.stdout)
    for name, value in numbers.items():
        record_property(name, value)
    assert numbers["kills"] >= 150
    # Else the kills would have missed what they are for.
    assert numbers["in_the_middle"] >= 50
    assert numbers["saved"] >= 1
