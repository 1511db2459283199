"""Killing the process at any moment of a save leaves a session that can be read."""

import json
import os
import subprocess
import sys

import pytest

KILLS = 200

SEED = 20

pytestmark = pytest.mark.skipif(not hasattr(os, "fork"), reason="needs POSIX")

# One lean process loads the libraries once and forks the savers: a start for every kill
# would take minutes. It runs apart from the tests, whose threads must not be forked.
NURSERY = """
import json, os, random, signal, sys, time
from dataclasses import replace
from pathlib import Path

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.support.atomic import TEMPORARY
from kpca_viewer.session.document.files import Document, load, save
from kpca_viewer.session.settings import DataSettings, SessionSettings

folder, kills, seed = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
path = folder / "session.kpca"
choose = random.Random(seed)


def document(number):
    # Every part depends on the number, so that a mixture of two would be noticed.
    points = np.random.default_rng(number).standard_normal((400, 4))
    return Document(
        SessionSettings(DataSettings("data", seed=number)),
        embedded=Dataset(points, row_names=tuple(f"{number}.{j}" for j in range(400))),
        selection=points[:, 0] > 0,
        row_names={j: f"name {number}" for j in range(number % 50)},
        pins=[number] * 20,
    )


def keep_saving(number, report):
    while True:
        number += 1
        save(document(number), path)
        os.write(report, b"1")


save(document(0), path)
begun = time.perf_counter()
save(document(0), path)
duration = time.perf_counter() - begun
number, halves, total = 0, 0, 0
for _ in range(kills):
    heard, report = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            keep_saving(number, report)
        finally:
            os._exit(1)
    # One to three saves, and then somewhere in the next one.
    for _ in range(choose.randint(1, 3)):
        os.read(heard, 1)
    time.sleep(choose.uniform(0.0, duration))
    os.kill(child, signal.SIGKILL)
    _, status = os.waitpid(child, 0)
    os.close(heard)
    os.close(report)
    assert os.WIFSIGNALED(status), "the saver ended by itself"
    again = load(path)
    assert again.settings.data.seed >= number, "an older session came back"
    total += again.settings.data.seed - number
    number = again.settings.data.seed
    assert again == document(number), "parts of two sessions"
    for left in folder.iterdir():
        if left.name.endswith(TEMPORARY):
            halves += 1
            left.unlink()
    assert [entry.name for entry in folder.iterdir()] == [path.name]
print(json.dumps({"kills": kills, "saves": total, "in_the_middle": halves}))
"""


def test_every_kill_leaves_a_readable_session(tmp_path, record_property):
    done = subprocess.run(
        [sys.executable, "-c", NURSERY, str(tmp_path), str(KILLS), str(SEED)],
        capture_output=True,
        text=True,
        timeout=120,
        env=os.environ | {"OPENBLAS_NUM_THREADS": "1"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    numbers = json.loads(done.stdout)
    for name, value in numbers.items():
        record_property(name, value)
    assert numbers["kills"] == KILLS
    assert numbers["saves"] >= 200
    # Else the kills would have missed what they are for.
    assert numbers["in_the_middle"] >= 20
