"""Unsaved work comes back after a crash; nobody is asked while the owner lives."""

import os
import signal
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from pathlib import Path

import msgspec
import numpy as np
import psutil
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.files.options import ReadOptions
from kpca_viewer.engine.document import recovery
from kpca_viewer.engine.document.model import Document, DocumentData, FileReference
from kpca_viewer.engine.document.recovery import (
    Swap,
    abandoned_copies,
    is_gone,
    start_time,
    state_folder,
    this_process,
)
from kpca_viewer.engine.notes import Notes, Selected
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.support.errors import DataError, ExportError, KpcaError

WORK = Document(
    SessionSettings(DataSettings("data", seed=5)),
    Notes(((2, "odd"),), selected=Selected.of(np.array([True, False, True]))),
    DocumentData(
        FileReference(Path("/data/wine.csv"), "ab", ReadOptions(";")),
        Dataset(np.eye(3)),
    ),
)

SAVER = """
import sys
from pathlib import Path
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.document.recovery import Swap
from kpca_viewer.engine.settings import DataSettings, SessionSettings

settings = SessionSettings(DataSettings("moons", seed=int(sys.argv[2])))
swap = Swap(Path(sys.argv[1]))
swap.write(Document(settings), "/home/ann/work.kpca")
print("written", flush=True)
sys.stdin.read()
"""


@pytest.fixture
def gone():
    """An owner that has ended: a process that this test has started and waited for."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    owner = as_owner(process.pid)
    process.wait()
    return owner


def as_owner(pid):
    here = this_process()
    started = start_time(pid) or "0"
    return msgspec.structs.replace(here, pid=pid, started=started)


def names(folder):
    return [entry.name for entry in folder.iterdir()]


def test_work_of_a_process_that_is_gone_comes_back(tmp_path, gone):
    Swap(tmp_path, gone).write(WORK, tmp_path / "work.kpca")
    (orphan,) = abandoned_copies(tmp_path)
    assert orphan.restore() == WORK
    assert orphan.path == tmp_path / "work.kpca"
    assert timedelta(0) <= datetime.now(UTC) - orphan.saved < timedelta(minutes=1)
    assert orphan.restore() == WORK  # still there until it is discarded
    orphan.discard()
    assert abandoned_copies(tmp_path) == []
    assert names(tmp_path) == []
    orphan.discard()


@pytest.mark.journey
def test_a_real_crash(tmp_path):
    """Two windows are open; one is killed, and only its work is offered."""
    windows = [
        subprocess.Popen(
            [sys.executable, "-c", SAVER, str(tmp_path), str(seed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for seed in (3, 4)
    ]
    try:
        for window in windows:
            assert window.stdout.readline() == "written\n"
        assert abandoned_copies(tmp_path) == []
        windows[0].kill()
        # Not waited for yet: a process that has ended but is still listed is gone too.
        os.waitid(os.P_PID, windows[0].pid, os.WEXITED | os.WNOWAIT)
        (orphan,) = abandoned_copies(tmp_path)
        assert orphan.restore().settings.data.seed == 3
        assert orphan.path == Path("/home/ann/work.kpca")
        windows[0].wait()
        assert len(abandoned_copies(tmp_path)) == 1
    finally:
        for window in windows:
            window.kill()
            window.communicate()
    assert windows[0].returncode == -signal.SIGKILL
    seeds = {
        orphan.restore().settings.data.seed for orphan in abandoned_copies(tmp_path)
    }
    assert seeds == {3, 4}


def test_nobody_is_asked_about_the_work_of_this_process(tmp_path):
    swap = Swap(tmp_path)
    swap.write(WORK)
    assert abandoned_copies(tmp_path) == []
    swap.discard()
    assert names(tmp_path) == []
    swap.discard()


def test_another_process_with_the_same_number_is_not_the_owner(tmp_path):
    Swap(tmp_path, msgspec.structs.replace(this_process(), started="1")).write(WORK)
    assert len(abandoned_copies(tmp_path)) == 1


def test_the_newest_is_offered_first(tmp_path, gone):
    for seed in (1, 2, 3):
        settings = SessionSettings(DataSettings(seed=seed))
        Swap(tmp_path, gone).write(Document(settings))
    seeds = [o.restore().settings.data.seed for o in abandoned_copies(tmp_path)]
    assert seeds == [3, 2, 1]
    assert all(orphan.path is None for orphan in abandoned_copies(tmp_path))


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, True),
        ({"boot": "an earlier one"}, True),
        ({"machine": "another one"}, False),
        ({"machine": "another one", "boot": "another one"}, False),
        ({"space": "a container"}, False),
        ({"pid": 0}, False),
        ({"pid": -1}, False),
        ({"started": ""}, True),
    ],
)
def test_only_certainty_counts(gone, changes, expected):
    assert is_gone(msgspec.structs.replace(gone, **changes)) is expected


def test_a_living_process_without_a_start_is_left_in_peace():
    assert not is_gone(msgspec.structs.replace(this_process(), started=""))


def test_a_process_that_nobody_has_asked_about_its_end_is_gone():
    process = subprocess.Popen([sys.executable, "-c", ""])
    owner = as_owner(process.pid)
    os.waitid(os.P_PID, process.pid, os.WEXITED | os.WNOWAIT)
    assert is_gone(owner)
    process.wait()


def test_a_number_that_no_process_can_have_is_of_none():
    here = this_process()
    assert is_gone(msgspec.structs.replace(here, pid=2**31 - 1))
    assert is_gone(msgspec.structs.replace(here, pid=2**62))


def test_a_start_that_is_rounded_otherwise_is_the_same():
    here = this_process()
    near, far = (str(int(here.started) + away) for away in (100, 300))
    assert not is_gone(msgspec.structs.replace(here, started=near))
    assert is_gone(msgspec.structs.replace(here, started=far))


@pytest.mark.parametrize("error", [psutil.AccessDenied(1), OSError(), RuntimeError()])
def test_a_process_that_tells_nothing_lives(monkeypatch, error):
    here = this_process()

    def refuse(*_):
        raise error

    monkeypatch.setattr(psutil.Process, "create_time", refuse)
    assert start_time(here.pid) == ""
    assert not is_gone(here)


def test_equal_work_is_not_written_again(tmp_path, monkeypatch):
    written = []
    real = recovery.write_atomically
    monkeypatch.setattr(
        recovery,
        "write_atomically",
        lambda path, text: [written.append(path), real(path, text)],
    )
    swap = Swap(tmp_path)
    swap.write(WORK)
    swap.write(WORK)
    assert len(written) == 1
    swap.write(WORK, tmp_path / "work.kpca")
    swap.write(Document())
    assert len(written) == 3
    assert len(names(tmp_path)) == 1
    swap.discard()
    swap.write(Document())
    assert len(names(tmp_path)) == 1


def test_the_swap_is_hidden_and_private(tmp_path):
    folder = tmp_path / "state" / "kpca_viewer"
    swap = Swap(folder)
    swap.write(WORK)
    assert swap.path.name.startswith(".")
    assert folder.stat().st_mode & 0o077 == 0


def test_a_swap_that_cannot_be_written_keeps_the_last_one(tmp_path, monkeypatch, gone):
    swap = Swap(tmp_path, gone)
    swap.write(WORK)

    def full(*_):
        raise DataError("the disk is full")

    monkeypatch.setattr(recovery, "write_atomically", full)
    with pytest.raises(KpcaError, match="full"):
        swap.write(Document())
    monkeypatch.undo()
    assert abandoned_copies(tmp_path)[0].restore() == WORK
    swap.write(Document())
    assert abandoned_copies(tmp_path)[0].restore() == Document()


def test_a_folder_that_cannot_be_made(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(ExportError, match="save the session yourself"):
        Swap(tmp_path / "file" / "state").write(WORK)


def test_an_odd_name_of_the_own_file_is_left_out(tmp_path, gone):
    Swap(tmp_path, gone).write(WORK, "/home/ann/\udce4.kpca")
    (orphan,) = abandoned_copies(tmp_path)
    assert orphan.path is None
    assert orphan.restore() == WORK


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0\1",
        b"{}",
        b'{"kpca_viewer_swap": 1}',
        b"[" * 100_000,
        b'{"kpca_viewer_swap": 9, "owner": {"pid": 1}, '
        b'"saved": "2024-01-01T00:00:00Z", "document": {}}',
        b'{"kpca_viewer_swap": 1, "owner": {"pid": 1}, '
        b'"saved": "2024-01-01T00:00:00", "document": {}}',
    ],
)
def test_what_is_no_swap_is_passed_over(tmp_path, content, gone):
    (tmp_path / f".1-ab{recovery.SUFFIX}").write_bytes(content)
    (tmp_path / f".2-ab{recovery.SUFFIX}").mkdir()
    (tmp_path / "notes.txt").write_bytes(b"mine")
    Swap(tmp_path, gone).write(WORK)
    assert [orphan.restore() for orphan in abandoned_copies(tmp_path)] == [WORK]


def test_a_damaged_session_in_a_sound_swap_says_so(tmp_path, gone):
    swap = Swap(tmp_path, gone)
    swap.write(WORK)
    record = msgspec.json.decode(swap.path.read_bytes())
    record["document"]["settings"]["analysis"]["components"] = "ten"
    swap.path.write_bytes(msgspec.json.encode(record))
    (orphan,) = abandoned_copies(tmp_path)
    with pytest.raises(DataError, match="The unsaved session is a damaged session"):
        orphan.restore()


def test_a_swap_that_another_window_took_says_so(tmp_path, gone):
    Swap(tmp_path, gone).write(WORK)
    (orphan,) = abandoned_copies(tmp_path)
    orphan.discard()
    with pytest.raises(DataError, match="not there any more"):
        orphan.restore()


def test_no_folder_has_no_orphans(tmp_path):
    assert abandoned_copies(tmp_path / "gone") == []


@pytest.mark.parametrize(
    ("platform", "environment", "expected"),
    [
        ("linux", {"XDG_STATE_HOME": "/state"}, "/state/kpca_viewer"),
        ("linux", {"XDG_STATE_HOME": "state"}, "~/.local/state/kpca_viewer"),
        ("linux", {}, "~/.local/state/kpca_viewer"),
        ("darwin", {}, "~/Library/Application Support/kpca_viewer"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/kpca_viewer"),
        ("win32", {}, "~/AppData/Local/kpca_viewer"),
    ],
)
def test_every_platform_has_its_place(monkeypatch, platform, environment, expected):
    monkeypatch.setattr(recovery.sys, "platform", platform)
    assert state_folder(environment) == Path(expected).expanduser()


def test_the_place_is_taken_from_the_environment(monkeypatch):
    monkeypatch.setenv("XDG_STATE_HOME", "/state")
    monkeypatch.setattr(recovery.sys, "platform", "linux")
    assert state_folder() == Path("/state/kpca_viewer")
