"""Small files that would take minutes or gigabytes are refused before the work."""

import json
import resource
import zlib

import pytest

from kpca_viewer.data.files import child, read_table, source
from kpca_viewer.data.files.source import Reading
from kpca_viewer.engine.document.files import load, open_data
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.in_picture import read_metadata
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import Cancelled, DataError
from tests.data.files.opening import opened
from tests.data.files.traps import READ, REFUSED, hostile, selection

COUNT = 25
"""Hostile files of the short form; ``tools/fuzz_files.py`` reads thousands."""


def peak() -> float:
    """Return the most memory that was ever taken, in MB."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@pytest.mark.journey
@pytest.mark.parametrize("name", REFUSED)
def test_traps_are_refused_in_a_sentence(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(REFUSED[name]())
    before = peak()
    with pytest.raises(DataError) as caught:
        opened(path)
    assert "\n" not in str(caught.value)
    assert peak() - before < 300


@pytest.mark.journey
def test_a_workbook_reader_out_of_memory_ends(tmp_path, monkeypatch):
    """Also where the user wants backtraces, during which Rust waited for itself."""
    monkeypatch.setenv("RUST_BACKTRACE", "1")
    path = tmp_path / "rows.ods"
    path.write_bytes(REFUSED["rows.ods"]())
    with pytest.raises(DataError, match="more memory than any workbook"):
        opened(path)


def test_a_reader_that_stands_still_is_ended(tmp_path, monkeypatch):
    program = tmp_path / "program.py"
    program.write_text("import time; time.sleep(1000)")
    monkeypatch.setattr(child, "STANDSTILL", 0.5)
    reading = Reading(asset("data", "flowers.ods"))
    with pytest.raises(DataError, match="is damaged"):
        child.run_child(reading, str(program), (), 0, "is damaged")


@pytest.mark.journey
@pytest.mark.parametrize("name", READ)
def test_odd_tables_are_read(tmp_path, name):
    path = tmp_path / name
    path.write_bytes(READ[name]())
    assert read_table(path).n >= 2


@pytest.mark.journey
def test_hostile_files(tmp_path):
    """Each is a table or a sentence; whatever is neither fails by itself."""
    before = peak()
    refused = []
    for seed in range(COUNT):
        name, content = hostile(seed)
        path = tmp_path / name
        path.write_bytes(content)
        try:
            if path.suffix == ".kpca":
                open_data(load(path))
            elif path.suffix in (".svg", ".pdf"):
                read_metadata(path)
            else:
                opened(path)
        except DataError as error:
            refused.append(str(error))
        path.unlink()
    assert 0 < len(refused) < COUNT
    assert not any("\n" in sentence for sentence in refused)
    assert peak() - before < 300


@pytest.mark.parametrize("name", ["tags.svg", "tags.pdf"])
def test_pictures_that_open_a_tag_again_and_again(tmp_path, name):
    start = b"<svg>" if name.endswith("svg") else b"%PDF"
    (tmp_path / name).write_bytes(start + b"<kpca:session>" * 50_000)
    assert read_metadata(tmp_path / name) is None
    whole = start + b"<kpca:session a='1'>it&amp;s</kpca:session>" + b"<x>" * 50_000
    (tmp_path / name).write_bytes(whole)
    assert read_metadata(tmp_path / name) == "it&s"


STOPPED = ("names.jsonl", "sparse.arff", "wide.svm", "xfd.xlsx", "empty_lists.json")
"""Refused late enough to be given up before."""


@pytest.mark.parametrize("name", [*READ, *STOPPED])
def test_whatever_is_read_can_be_given_up(tmp_path, name, monkeypatch):
    # Asked at every opportunity instead of every 50 ms, so that no clock decides.
    monkeypatch.setattr(source, "TICK", 0.0)
    content = (READ | REFUSED)[name]()
    path = tmp_path / name
    path.write_bytes(content)
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 5

    with pytest.raises(Cancelled):
        read_table(path, should_stop=stop)
    assert len(asked) == 6


def test_the_system_is_no_file(tmp_path):
    for path in ("/proc/self/status", "/proc/self/mem", "/sys/kernel/vmcoreinfo"):
        with pytest.raises(DataError, match="is part of the system"):
            read_table(path)
    link = tmp_path / "a.csv"
    link.symlink_to("/proc/self/status")
    with pytest.raises(DataError, match="is part of the system"):
        read_table(link)


def test_sessions_whose_data_are_part_of_the_system():
    content = json.loads(to_bytes(Document(SessionSettings())))
    content["data"] = {"kind": "file", "absolute": "/proc/self/status"}
    document = from_bytes(json.dumps(content).encode())
    with pytest.raises(DataError, match="is part of the system"):
        open_data(document)


def test_sessions_that_select_a_billion_rows():
    content = json.loads(to_bytes(Document(SessionSettings())))
    content["selection"] = selection(8) | {"rows": 10**9}
    with pytest.raises(DataError, match="selection is damaged"):
        from_bytes(json.dumps(content).encode())
    content["selection"] = selection(1000)
    assert from_bytes(json.dumps(content).encode()).notes.selected is None


@pytest.mark.parametrize(
    ("kind", "content", "text"),
    [
        (b"tEXt", b"kpca_viewer\0{}", "{}"),
        (b"zTXt", b"kpca_viewer\0\0" + zlib.compress(b"{}"), "{}"),
        (b"iTXt", b"kpca_viewer\0\0\0\0\0{}", "{}"),
        (b"iTXt", b"kpca_viewer\0\1\0en\0\0" + zlib.compress(b"{}"), "{}"),
        (b"zTXt", b"kpca_viewer\0\0no zip", None),
        (b"iTXt", b"kpca_viewer\0\0\0", None),
        (b"iTXt", b"kpca_viewer\0\0\0\0\0\xff", None),
        (b"tEXt", b"other\0{}", None),
    ],
)
def test_texts_of_png_files(tmp_path, kind, content, text):
    """Whole, packed, damaged or of another program; behind a chunk that is no text."""
    chunks = b"\0\0\0\1gAMA?crc?" + len(content).to_bytes(4) + kind + content
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n" + chunks + b"crc?")
    assert read_metadata(tmp_path / "a.png") == text
    (tmp_path / "a.png").write_bytes(b"\x89PNG\r\n\x1a\n\xff\xff\xff\xfftEXt")
    assert read_metadata(tmp_path / "a.png") is None
