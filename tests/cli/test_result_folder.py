"""The folder of results of a table in parts: who writes, and what is believed."""

import json
import os
import socket
import subprocess
import sys

import pytest

from kpca_viewer.cli.parts.folder import ResultFolder
from kpca_viewer.cli.parts.only_run import LOCK, only_run_in
from kpca_viewer.support.errors import ExportError


def lock_of(folder, process, host=None):
    folder.mkdir()
    value = {"process": process, "host": host or socket.gethostname()}
    (folder / LOCK).write_text(json.dumps(value))


def gone():
    """Return the number of a process that has ended."""
    ended = subprocess.Popen([sys.executable, "-c", ""])
    ended.wait()
    return ended.pid


def test_another_run_is_kept_out_while_one_writes(tmp_path):
    folder = tmp_path / "scores"
    script = (
        "import sys; from pathlib import Path\n"
        "from kpca_viewer.cli.parts.only_run import only_run_in\n"
        "with only_run_in(Path(sys.argv[1])):\n"
        "    print('in', flush=True); sys.stdin.readline()\n"
    )
    other = subprocess.Popen(
        [sys.executable, "-c", script, folder],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert other.stdout.readline() == "in\n"
        with pytest.raises(ExportError) as caught, only_run_in(folder):
            pass
        assert f"process {other.pid} on {socket.gethostname()}" in str(caught.value)
        assert (folder / LOCK).exists()
    finally:
        other.communicate("\n")
    assert other.returncode == 0
    assert not folder.exists()
    with only_run_in(folder):
        (folder / "journal.jsonl").touch()
    assert [path.name for path in folder.iterdir()] == ["journal.jsonl"]


def test_the_lock_of_a_process_that_is_gone_is_taken_over(tmp_path):
    folder = tmp_path / "scores"
    lock_of(folder, gone())
    with only_run_in(folder):
        assert json.loads((folder / LOCK).read_text())["process"] == os.getpid()
    assert not (folder / LOCK).exists()


def test_nobody_knows_whether_a_process_elsewhere_is_gone(tmp_path):
    folder = tmp_path / "scores"
    lock_of(folder, gone(), "elsewhere")
    with pytest.raises(ExportError, match="on elsewhere"), only_run_in(folder):
        pass
    (folder / LOCK).write_text("5")
    with pytest.raises(ExportError, match="remove “"), only_run_in(folder):
        pass


def test_a_lock_is_no_result_of_others(tmp_path):
    with only_run_in(tmp_path / "scores"):
        ResultFolder(tmp_path / "scores", [], {}, force=False).begin()
