"""Whatever is wrong with a file ends in one sentence that says what to do."""

import io
import os
import re
import struct
import zipfile
from contextlib import suppress

import numpy as np
import pandas as pd
import pytest

from kpca_viewer.data.files import ReadOptions, read_table, source
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.resources import asset
from kpca_viewer.support import memory
from kpca_viewer.support.errors import Cancelled, DataError
from tests.data.files.opening import opened

SAMPLES = sorted(
    path for path in asset("data").iterdir() if path.is_file() and path.suffix != ".md"
)


def sentence(path, **options):
    """Return the one sentence with which a file is refused."""
    with pytest.raises(DataError) as caught:
        opened(path, **options)
    text = str(caught.value)
    assert "\n" not in text
    assert ";" in text  # what is wrong; what to do
    return text


def written(path, content):
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return path


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.csv", "", "is empty"),
        ("a.csv", " \n\n \n", "is empty"),
        ("a.parquet", "", "is empty"),
        ("a.csv", "a,b\n1,2\n", "only one row"),
        ("a.csv", "a\n1\n2\n3\n", "only one column, “a”"),
        ("a.csv", "a,b\n1,2\n1,2\n1,2\n", "Every column is constant"),
        ("a.csv", "a,b\nNA,\n,NaN\n?,-\n", "Every column is empty"),
        ("a.csv", "a,b\n1,2\n2,inf\n3,4\n", "Row 2, column “b” holds an infinite"),
        ("a.csv", "a,b\n1,2\n2,-1e999\n3,4\n", "Row 2, column “b” holds an infinite"),
        ("a.csv", "a,b\n1,2\n2,oops\n3,4\n4,5\n", "Row 2, column “b” holds “oops”"),
        ("a.csv", "a,b\n1,2\n3\n4,5\n", "Line 3 of “a.csv” has 1 value"),
        ("a.csv", b"\0\1\2\3" * 50, "binary data"),
        ("a.csv", b"a,b\n1,2\n" * 20_000 + b"\0", "binary data"),
        ("a.xls", b"\xd0\xcf\x11\xe0" + b"\0" * 512, "password"),
        ("a.csv", b"\x1f\x8b\x08" + b"\0" * 50, "gzip"),
        ("a.pdf", b"%PDF-1.4", "PDF"),
        ("a.pkl", b"\x80\x04\x95", "never opened"),
        ("a.html", b"<!DOCTYPE html>", "web page"),
        ("a.json", "[1, 2", "no valid JSON"),
        ("a.json", "[1, 2]", "not a record with names"),
        ("a.json", "[]", "holds no table"),
        ("a.json", "{}", "holds no table"),
        ("a.json", '"text"', "holds no table"),
        ("a.json", "[" * 100_000, "no valid JSON"),
        ("a.json", '{"a": [1, 2], "b": [1]}', "between 1 and 2 values"),
        ("a.json", "[[1, 2], 3]", "not a record with names"),
        ("a.json", '{"columns": ["a"], "data": [[1, 2]]}', "Row 1 of “a.json”"),
        ("a.jsonl", '{"a": 1}\n{"a": \n', "line 2 of “a.jsonl”"),
        ("a.arff", "@relation a\n@attribute x numeric\n", "no @data"),
        ("a.arff", "@relation a\n@attribute x\n@data\n1\n", "without a name or a type"),
        ("a.arff", "@relation a\n@attribute x foo\n@data\n1\n", "type “foo”"),
        ("a.arff", "@relation a\n@attribute x real\n@data\n1,2\n", "2 values for 1"),
        (
            "a.arff",
            "@relation a\n@attribute x real\n@data\n{7 2}\n",
            "not a sparse row",
        ),
        ("a.arff", "@relation a\nhello\n@data\n1,2\n", "not part of an ARFF header"),
        ("a.svm", "1 1:2 3:4\n1 1:x\n", "Line 2 of “a.svm” holds “1:x”"),
        ("a.svm", "1 1:2\n1 999999999999:1\n", "has 999,999,999,999 columns"),
        ("a.svm", "# nothing\n", "no samples"),
    ],
)
def test_content(tmp_path, name, content, message):
    path = written(tmp_path / name, content)
    assert re.search(message, sentence(path))


@pytest.mark.journey
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_files_cut_short(tmp_path, sample):
    content = sample.read_bytes()
    for part in (0.02, 0.7, 0.95):
        path = written(tmp_path / sample.name, content[: int(part * len(content))])
        # Text can be cut between two rows and still be a table.
        if sample.suffix in (".csv", ".tsv", ".arff", ".svm", ".jsonl"):
            with suppress(DataError):
                read_table(path)
        else:
            with pytest.raises(DataError):
                read_table(path)


@pytest.mark.journey
@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_the_content_decides_not_the_name(tmp_path, sample):
    path = written(tmp_path / "wrong.npy", sample.read_bytes())
    table = read_table(path)
    # In a folder of its own: files beside a matrix name and turn it.
    alone = written(tmp_path / sample.name, sample.read_bytes())
    assert table.n == read_table(alone).n
    said = ("whatever the name says", "unpacked from gzip")
    assert any(words in note for note in table.notes for words in said) == (
        sample.suffix != ".npy"
    )


def test_names_links_and_folders(tmp_path):
    assert "is a folder" in sentence(tmp_path)
    assert "does not exist" in sentence(tmp_path / "no.csv")
    assert "zero byte" in sentence("a\0b.csv")
    assert "could not be read" in sentence(tmp_path / ("n" * 5000))
    (tmp_path / "loop.csv").symlink_to(tmp_path / "loop.csv")
    assert "leads back to itself" in sentence(tmp_path / "loop.csv")
    (tmp_path / "good.csv").symlink_to(asset("data", "planets.csv"))
    assert read_table(tmp_path / "good.csv").n == 13


def test_devices_and_pipes_are_never_opened(tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    assert "device or a pipe" in sentence(tmp_path / "pipe.csv")
    assert "device or a pipe" in sentence("/dev/zero")


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (PermissionError(13, "Permission denied"), "may not be read"),
        (OSError(5, "Input/output error"), "could not be read"),
        (MemoryError(), "does not fit into memory"),
    ],
)
def test_the_system_gives_up(tmp_path, monkeypatch, error, words):
    path = written(tmp_path / "a.csv", "a,b\n1,2\n3,4\n")

    def fail(*_args):
        raise error

    monkeypatch.setattr(source, "open", fail, raising=False)
    assert words in sentence(path)


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_a_file_that_changes_while_it_is_read(tmp_path, sample):
    path = written(tmp_path / sample.name, sample.read_bytes())

    def grow(_stage, _fraction):
        with path.open("ab") as file:
            file.write(b" ")

    assert "changed while it was read" in sentence(path, progress=grow)
    text = sentence(path, progress=lambda *_: path.unlink(missing_ok=True))
    assert any(word in text for word in ("vanished", "damaged", "not exist"))


def test_pickled_arrays_are_refused(tmp_path):
    np.save(tmp_path / "a.npy", np.array([{"a": 1}, None], dtype=object))
    assert "pickled Python objects" in sentence(tmp_path / "a.npy")
    np.savez(tmp_path / "a.npz", X=np.array([{"a": 1}], dtype=object))
    assert "pickled Python objects" in sentence(tmp_path / "a.npz")


def test_arrays_that_are_no_table(tmp_path):
    np.save(tmp_path / "c.npy", np.ones((3, 2)) * 1j)
    assert "complex" in sentence(tmp_path / "c.npy")
    np.save(tmp_path / "s.npy", np.float64(3))
    assert "single value" in sentence(tmp_path / "s.npy")
    np.save(tmp_path / "e.npy", np.empty((0, 3)))
    assert "empty" in sentence(tmp_path / "e.npy")
    np.savez(tmp_path / "e.npz")
    assert "no array of numbers" in sentence(tmp_path / "e.npz")


def _declaring(shape):
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(
        header, {"descr": "<f8", "fortran_order": False, "shape": shape}
    )
    return header.getvalue()


def test_arrays_that_declare_terabytes(tmp_path):
    path = written(tmp_path / "a.npy", _declaring((10**12, 10)))
    assert "declares an array of 80 TB" in sentence(path)
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as packed:
        packed.writestr("X.npy", _declaring((10**12, 10)))
    assert (tmp_path / "a.npz").stat().st_size < 300
    assert "declares an array of 80 TB" in sentence(tmp_path / "a.npz")


def test_an_archive_whose_directory_lies(tmp_path):
    """The directory of a zip file claims eight exabytes for a tiny member."""
    content = bytearray()
    with zipfile.ZipFile(tmp_path / "a.npz", "w") as packed:
        packed.writestr("X.npy", _declaring((2, 2)) + b"\0" * 32)
    content[:] = (tmp_path / "a.npz").read_bytes()
    directory = content.index(b"PK\x01\x02")
    content[directory + 24 : directory + 28] = struct.pack("<I", 0xFFFFFFF0)
    path = written(tmp_path / "b.npz", bytes(content))
    assert "would take 4.3 GB of memory, which no table does" in sentence(path)


@pytest.mark.parametrize("name", ["a.npz", "a.xlsx"])
def test_archives_that_grow_beyond_reason(tmp_path, monkeypatch, name):
    monkeypatch.setattr(source, "HARMLESS", 1 << 20)
    member = "X.npy" if name == "a.npz" else "xl/worksheets/sheet1.xml"
    with zipfile.ZipFile(tmp_path / name, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(member, b"\0" * (2 << 20))
    assert "MB of memory, which no table does" in sentence(tmp_path / name)


def test_an_archive_of_other_things(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as packed:
        packed.writestr("data.csv", "a,b\n1,2\n")
        packed.writestr("readme.md", "words")
    assert "unpack it" in sentence(tmp_path / "a.zip")


def test_what_does_not_fit_is_refused_before_it_is_read(tmp_path, monkeypatch):
    paths = [
        written(tmp_path / "a.csv", "a,b,c\n" + "1,2,3\n" * 5000),
        asset("data", "rings.parquet"),
        asset("data", "spiral.npy"),
        asset("data", "moons.npz"),
        asset("data", "torus.mat"),
        asset("data", "letters.svm"),
        asset("data", "flowers.xlsx"),
        asset("data", "records.json"),
    ]
    monkeypatch.setattr(memory, "available", lambda: 1000)
    for path in paths:
        assert "memory are free" in sentence(path)


@pytest.mark.journey
def test_thousands_of_columns(tmp_path):
    row = ",".join(str(k % 7) for k in range(4_000))
    other = ",".join(str(k % 5) for k in range(4_000))
    path = written(tmp_path / "wide.csv", f"{row}\n{other}\n{row}\n")
    table = read_table(path)
    dataset = to_dataset(table, guess_import(table))
    assert dataset.n == 3
    assert 2_800 < dataset.d < 4_000  # constant columns are left out


@pytest.mark.parametrize("sample", SAMPLES, ids=lambda path: path.name)
def test_reading_stops_when_nobody_wants_it(sample):
    asked = []

    def stop():
        asked.append(True)
        return len(asked) > 1

    with pytest.raises(Cancelled):
        read_table(sample, should_stop=stop)
    assert len(asked) == 2


def test_progress_rises_and_ends(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("a,b\n" + "1.5,2.5\n" * 45_000)
    seen = []
    read_table(path, progress=lambda stage, part: seen.append((stage, part)))
    assert {stage for stage, _ in seen} == {"checking the file", "reading"}
    parts = [part for stage, part in seen if stage == "reading"]
    assert len(parts) > 4
    assert parts == sorted(parts)
    assert parts[-1] == 1


def test_an_empty_sheet_is_named_and_not_the_file(tmp_path):
    path = tmp_path / "two.xlsx"
    with pd.ExcelWriter(path) as writer:
        pd.DataFrame({"a": [1.0, 2, 3], "b": [3.0, 1, 2]}).to_excel(
            writer, sheet_name="Numbers", index=False
        )
        heading = pd.DataFrame(columns=["measured in spring", "by hand"])
        heading.to_excel(writer, sheet_name="Notes", index=False)
    with pytest.raises(DataError, match=r"“Notes” of “two.xlsx” has no rows"):
        read_table(path, options=ReadOptions(sheet="Notes"))
