"""The folder of results of a table in parts: who writes, and what is believed."""

import hashlib
import json
import os
import resource
import socket
import subprocess
import sys
from dataclasses import replace

import pytest

from kpca_viewer.data.parts.pieces import pieces_of
from kpca_viewer.features.large_tables.result_folder import (
    LOCK,
    ResultFolder,
    WrittenPart,
    only_run_in,
    part_name,
)
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
    other = subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE)
    owner = {"process": other.pid, "host": socket.gethostname()}
    folder.mkdir()
    (folder / LOCK).write_text(json.dumps(owner))
    try:
        with pytest.raises(ExportError) as caught, only_run_in(folder):
            pass
        assert f"process {other.pid} on {socket.gethostname()}" in str(caught.value)
        assert (folder / LOCK).exists()
    finally:
        other.communicate(b"\n")
    with only_run_in(folder):
        assert json.loads((folder / LOCK).read_text())["process"] == os.getpid()
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


# What is believed

FACTS = dict.fromkeys(
    ("rows", "features", "scaling", "rank", "passes", "bytes_moved", "seconds"), 1
)


@pytest.fixture
def piece(tmp_path):
    (tmp_path / "data.csv").write_text("a,b\n1,2\n3,4\n")
    return pieces_of([tmp_path / "data.csv"])[0][0]


@pytest.fixture
def opened(tmp_path, piece):
    """Return a way to open a folder anew, with a model and a part that is finished."""

    def opened():
        return ResultFolder(tmp_path / "scores", [piece], {}, force=False)

    folder = opened()
    folder.begin()
    folder.model.write_bytes(b"a model")
    folder.keep_fitted(FACTS)
    content = b"some scores"
    (folder.path / part_name(piece)).write_bytes(content)
    digest = hashlib.sha256(content).hexdigest()
    folder.keep_part(piece, WrittenPart(2, 0, len(content), digest))
    return opened


def test_what_is_finished_is_found_again(opened, piece):
    assert opened().fitted == FACTS
    assert list(opened().finished()) == [part_name(piece)]


@pytest.mark.parametrize(
    "line", ["null", "5", "[]", '{"name": "x"}', '{"model": 3}', "{", '{"name": [1]}']
)
def test_a_damaged_line_of_the_journal_says_nothing(opened, piece, line):
    folder = opened()
    with (folder.path / "journal.jsonl").open("a") as file:
        file.write(line + "\n")
    assert list(opened().finished()) == [part_name(piece)]


@pytest.mark.parametrize("facts", [{}, {"facts": 5}, {"facts": {"rows": 1}}])
def test_a_model_of_which_nothing_is_known_is_none(opened, facts):
    folder = opened()
    journal = folder.path / "journal.jsonl"
    lines = [json.loads(line) for line in journal.read_text().splitlines()]
    del lines[1]["facts"]
    lines[1] |= facts
    journal.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert opened().fitted is None
    assert opened().finished() == {}


@pytest.mark.parametrize("summary", ["5", '{"rows": 1}', "null", "{", ""])
def test_a_damaged_summary_is_none(opened, summary):
    folder = opened()
    (folder.path / "summary.json").write_text(summary)
    assert folder.summary() is None


def test_a_part_that_was_overwritten_is_not_finished(opened, piece):
    folder = opened()
    (folder.path / part_name(piece)).write_bytes(b"SOME SCORES")
    assert opened().finished() == {}


def test_a_journal_without_room_is_said_in_a_sentence(opened, piece):
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    folder = opened()
    size = (folder.path / "journal.jsonl").stat().st_size
    # The first line has room for its beginning only, the next one for nothing.
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 5, limit[1]))
    try:
        for _ in range(2):
            with pytest.raises(ExportError, match=r"was not saved: .* choose another"):
                folder.keep_part(piece, WrittenPart(2, 0, 1, "x"))
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)


def test_a_long_name_becomes_the_name_of_a_part(tmp_path, piece):
    long = replace(piece, path=tmp_path / ("ü" * 120 + ".csv"), cut=3)
    assert len(os.fsencode(part_name(long))) <= 255
    (tmp_path / part_name(long)).touch()
    assert part_name(long) != part_name(replace(long, cut=4))
    assert part_name(piece) == "part-00001-data.parquet"
