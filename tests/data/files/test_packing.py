"""Tables inside compressed files, archives and Feather files."""

import bz2
import gzip
import hashlib
import lzma
import zipfile

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from kpca_viewer.data.files import preview_table, read_table
from kpca_viewer.data.files.packing import LARGEST_RATIO
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import Cancelled, DataError

WINE = asset("data", "wine.csv").read_bytes()


def zipped(**files):
    def write(path):
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for name, content in files.items():
                archive.writestr(name.replace("__", "/"), content)

    return write


def feather(path):
    pd.read_csv(asset("data", "wine.csv")).to_feather(path)


def arrow_stream(path):
    table = pa.Table.from_pandas(pd.read_csv(asset("data", "wine.csv")))
    with pa.ipc.new_stream(path, table.schema) as writer:
        writer.write_table(table, max_chunksize=50)


PACKED = {
    "wine.csv.gz": gzip.compress(WINE),
    "wine.csv.bz2": bz2.compress(WINE),
    "wine.csv.xz": lzma.compress(WINE),
    "wine.csv.zst": pa.Codec("zstd").compress(WINE, asbytes=True),
    "wine.zip": zipped(**{"folder__wine.csv": WINE}),
    "wine.feather": feather,
    "wine.arrows": arrow_stream,
}


def written(folder, name, content):
    path = folder / name
    if callable(content):
        content(path)
    else:
        path.write_bytes(content)
    return path


@pytest.mark.parametrize("name", PACKED)
def test_the_table_inside_is_read_as_if_it_were_not_packed(tmp_path, name):
    path = written(tmp_path, name, PACKED[name])
    plain, table = read_table(asset("data", "wine.csv")), read_table(path)
    assert [c.name for c in table.columns] == [c.name for c in plain.columns]
    assert [c.kind for c in table.columns] == [c.kind for c in plain.columns]
    for ours, theirs in zip(table.columns, plain.columns, strict=True):
        np.testing.assert_array_equal(ours.values, theirs.values)
    assert (table.name, table.path) == ("wine", path)
    assert table.content_hash == hashlib.sha256(path.read_bytes()).hexdigest()
    assert preview_table(path) is None
    arrow = {".feather": "Feather", ".arrows": "Arrow stream"}
    says = arrow.get(path.suffix, "unpacked from")
    assert says in " ".join((table.format, *table.notes))


def bomb():
    return gzip.compress(b"0" * (80 << 20))


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.csv.gz", bomb, "unpacks to more than"),
        ("a.csv.gz", PACKED["wine.csv.gz"][:300], "damaged, cut short or no gzip"),
        ("a.csv.bz2", PACKED["wine.csv.bz2"][:300], "no bzip2 file"),
        ("a.csv.xz", PACKED["wine.csv.xz"][:300], "no xz file"),
        ("a.csv.zst", PACKED["wine.csv.zst"][:300], "no zstd file"),
        ("a.csv.gz", gzip.compress(b"", mtime=0), "holds an empty file"),
        ("a.zip", zipped(a=WINE, b=WINE), "holds 2 files"),
        ("a.zip", zipped(), "archive"),
        ("a.csv.gz", gzip.compress(b"\x00\x01\x02" * 99, mtime=0), "binary data"),
        ("a.feather", b"ARROW1\0\0" + b"\xff" * 400, "no Feather file"),
    ],
)
def test_trouble_is_one_sentence(tmp_path, name, content, words):
    made = content() if content is bomb else content
    path = written(tmp_path, name, made)
    with pytest.raises(DataError, match=words) as caught:
        read_table(path)
    assert "\n" not in str(caught.value)


def test_a_packed_file_inside_of_another_is_read_too(tmp_path):
    path = written(tmp_path, "wine.csv.gz.xz", lzma.compress(PACKED["wine.csv.gz"]))
    assert read_table(path).n == 178


def test_unpacking_can_be_stopped_and_leaves_nothing(tmp_path, monkeypatch):
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    path = written(tmp_path, "wine.csv.gz", PACKED["wine.csv.gz"])
    with pytest.raises(Cancelled):
        read_table(path, should_stop=lambda: True)
    assert [p.name for p in tmp_path.iterdir()] == ["wine.csv.gz"]


@pytest.mark.journey
def test_text_that_repeats_itself_is_no_trap(tmp_path):
    rows = b"a,b,c\n" + b"1.5,2.5,3.5\n" * 400_000
    packed = gzip.compress(rows)
    assert len(rows) > LARGEST_RATIO * len(packed)
    assert read_table(written(tmp_path, "same.csv.gz", packed)).n == 400_000
