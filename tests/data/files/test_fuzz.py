"""Damaged and random files: a table or one sentence, never anything else.

Over a thousand damaged copies of real files at every run, the same ones each time,
besides what hypothesis makes up.
"""

import io
import json
import resource
import sys
import tracemalloc

import numpy as np
import pandas as pd
import pytest
import scipy.io
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.resources import asset
from kpca_viewer.support.errors import DataError
from tests.data.files.mutations import mutate, mutate_member

COPIES = 45
"""Damaged copies of each file."""

QUIET = settings(
    max_examples=60,
    deadline=None,
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)


def opened(source, read=read_table):
    """Whether something could be opened; every failure must be a `DataError`."""
    message = ""
    try:
        table = read(source)
        to_dataset(table, guess_import(table))
    except DataError as error:
        message = str(error)
    assert "\n" not in message
    return not message


def without_compression():
    """Return files in which damage reaches the reader behind all checksums."""
    words = np.array([["up"], ["down"]] * 10, dtype=object)
    packed = io.BytesIO()
    scipy.io.savemat(packed, {"X": np.arange(60.0).reshape(20, 3), "labels": words})
    frame = pd.DataFrame({"a": np.arange(50) / 7, "b": range(50), "c": ["x", "y"] * 25})
    records = np.array([(1, "ü"), (2, "b")], dtype=[("n", "i4"), ("t", "U2")])
    array = io.BytesIO()
    np.save(array, records)
    return {
        "plain.mat": packed.getvalue(),
        "plain.parquet": frame.to_parquet(compression=None),
        "records.npy": array.getvalue(),
        "quoted.csv": b'a,"b ""x""",c\n1,"x, y",3\n2,"two\nlines",4\n5,z,6\n',
        "latin.csv": "größe;höhe\n1,5;2,5\n2,5;7\n3;1\n".encode("latin-1"),
        "wide.csv": "a,b\n1,2\n3,4\n5,6\n".encode("utf-16"),
    }


def inputs():
    """Yield the name, the damage and the content of every original."""
    for path in sorted(asset("data").iterdir()):
        if path.suffix == ".md" or path.is_dir():
            continue
        yield path.name, mutate, path.read_bytes()
        if path.suffix in (".xlsx", ".npz"):
            yield path.name, mutate_member, path.read_bytes()
    for name, content in without_compression().items():
        yield name, mutate, content


def test_over_a_thousand_damaged_files(tmp_path, capsys):
    count = good = 0
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for name, damage, content in inputs():
        path = tmp_path / name
        for seed in range(COPIES):
            path.write_bytes(damage(content, seed))
            try:
                good += opened(path)
            except Exception as error:
                error.add_note(f"{name}, {damage.__name__}, seed {seed}")
                raise
            count += 1
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    with capsys.disabled():
        sys.stdout.write(f"[{count:,} damaged files, {good:,} still readable] ")
    assert count >= 1000
    assert 0 < good < count
    assert grown < 500  # MB, libraries that are loaded on the way included


@pytest.mark.parametrize("ending", ["csv", "npy", "npz", "mat", "json", "svm", "arff"])
def test_memory_follows_the_size_of_the_file(tmp_path, ending):
    sample = next(p for p in asset("data").iterdir() if p.suffix == f".{ending}")
    content = sample.read_bytes()
    path = tmp_path / sample.name
    opened(sample)  # what is imported on first use does not count
    tracemalloc.start()
    try:
        for seed in range(12):
            path.write_bytes(mutate(content, seed))
            opened(path)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < 30e6


@QUIET
@given(st.binary(max_size=400))
def test_random_bytes(tmp_path, content):
    for name in ("a.csv", "a.mat", "a.xlsx"):
        (tmp_path / name).write_bytes(content)
        opened(tmp_path / name)


@QUIET
@given(
    st.sampled_from([b"PAR1", b"PK\x03\x04", b"\x93NUMPY\x01\0", b"[", b'{"a":', b"@"]),
    st.binary(max_size=200),
)
def test_random_bytes_behind_a_promise(tmp_path, start, rest):
    path = tmp_path / "a.npz"
    path.write_bytes(start + rest)
    opened(path)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet="ab1.,;\t |\"'#%\n\r-eE?NA\u00e9\0", max_size=120))
def test_random_text(text):
    opened(text, read_text)


CELLS = st.one_of(
    st.floats(allow_nan=False, width=32),
    st.integers(-(10**6), 10**6),
    st.none(),
)


@settings(max_examples=100, deadline=None)
@given(
    st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=12),
    st.sampled_from([",", ";", "\t", "|", " "]),
)
def test_numbers_survive_every_delimiter(rows, delimiter):
    lines = [delimiter.join("NA" if c is None else repr(c) for c in r) for r in rows]
    options = ReadOptions(delimiter=delimiter, header=False, decimal=".")
    table = read_text("\n".join(lines), options=options)
    expected = np.array([[np.nan if c is None else c for c in r] for r in rows], float)
    found = np.column_stack([column.values for column in table.columns])
    # The empty column at the end of every line is no column.
    np.testing.assert_array_equal(found, expected[:, : found.shape[1]])


JSON = st.recursive(
    st.one_of(
        st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=5)
    ),
    lambda inner: st.one_of(
        st.lists(inner, max_size=4), st.dictionaries(st.text(max_size=3), inner)
    ),
    max_leaves=20,
)


@QUIET
@given(JSON)
def test_random_json(tmp_path, document):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document), encoding="utf-8")
    opened(path)
