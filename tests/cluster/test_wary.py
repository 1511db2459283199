"""What workers send is not believed: nothing of it runs here."""

import os
import pickle
from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

try:
    from numpy._core.numeric import _frombuffer
except ImportError:  # before NumPy 2
    from numpy.core.numeric import _frombuffer

from kpca_viewer.data.parts.pieces import Piece
from kpca_viewer.engine.executors.answers import (
    answer_in,
    array_of,
    packed,
    unpacked,
)
from kpca_viewer.engine.executors.dask_executor import wait_for_one
from kpca_viewer.support.errors import ClusterError

pytestmark = pytest.mark.cluster


def do_harm(path, process):
    """Write a file if this is the process that is to be harmed."""
    if os.getpid() == process:
        Path(path).touch()


class Harm(Exception):
    """Does harm wherever it is unpickled."""

    def __init__(self, path, process):
        super().__init__(path, process)
        self.harming = path, process

    def __reduce__(self):
        return do_harm, self.harming


def answering(path, process):
    return Harm(path, process)


def raising(path, process):
    raise Harm(path, process)


def done(cluster, work, path):
    future = cluster.client.submit(work, str(path), os.getpid(), pure=False)
    while not future.done():
        wait_for_one([future])
    return future


def test_an_answer_that_would_run_code_is_refused(two_workers, tmp_path):
    future = done(two_workers, answering, tmp_path / "harm")
    with pytest.raises(ClusterError, match="is no value"):
        two_workers.fetched(future)
    assert not (tmp_path / "harm").exists()


def test_an_error_that_would_run_code_is_an_error(two_workers, tmp_path):
    future = done(two_workers, raising, tmp_path / "harm")
    assert future.status == "error"
    assert type(future.exception()) is RuntimeError
    assert not (tmp_path / "harm").exists()


def test_that_would_have_done_harm(tmp_path):
    content = pickle.dumps(Harm(str(tmp_path / "harm"), os.getpid()))
    # Dask wants to add a cause to what it takes for an error.
    with suppress(AttributeError):
        pickle.loads(content)
    assert (tmp_path / "harm").exists()


def test_no_program_is_imported_by_an_answer():
    with pytest.raises(ClusterError, match="is no value"):
        unpacked(b"ckpca_viewer.__main__\nmain\n.")


PIECE = b"ckpca_viewer.data.parts.pieces\nPiece\n"
ARRAY = b"ckpca_viewer.engine.executors.answers\narray_of\n"
NUMPY = f"c{_frombuffer.__module__}\n_frombuffer\n".encode()


def set_to(name, value=PIECE):
    """Return what sets an attribute of whatever stands before it."""
    return b"N}U" + bytes([len(name)]) + name.encode() + value + b"s\x86b."


@pytest.mark.parametrize(
    ("attack", "told"),
    [
        # A class, and functions that are written in Python, have parts to replace.
        (PIECE + set_to("__init__"), "change of this program"),
        (ARRAY + set_to("__defaults__", b")"), "change of this program"),
        (NUMPY + set_to("__defaults__", b")"), "is no value"),
        # Calls of anything but the one function; the oldest ways to call among them.
        (PIECE + b")R.", "change of this program"),
        (b"(" + PIECE + b"o.", "cannot be read"),
        (b"(i" + PIECE[1:] + b".", "cannot be read"),
        (ARRAY + b"(U\x01O(K\x01tU\x08aaaaaaaatR.", "array of object"),
    ],
)
def test_nothing_is_changed_or_called_by_an_answer(attack, told):
    before = Piece.__init__, array_of.__defaults__, _frombuffer.__defaults__
    with pytest.raises(ClusterError, match=told):
        unpacked(b"\x80\x02" + attack)
    assert (Piece.__init__, array_of.__defaults__, _frombuffer.__defaults__) == before


@pytest.mark.parametrize(
    "value",
    [
        np.arange(6.0).reshape(2, 3).T,
        np.zeros((0, 3), dtype="f4"),
        np.array(["a", "ü"]),
        np.array(["2020-01-01"], dtype="M8[D]"),
        np.array(True),
        np.float32(0.1),
        np.int64(-3),
    ],
)
def test_arrays_arrive_as_they_were(value):
    found = unpacked(packed(("", value)))[1]
    assert type(found) is type(value)
    assert found.dtype == value.dtype
    np.testing.assert_array_equal(found, value, strict=True)


@pytest.mark.parametrize("told", [5, ("",), ("", 1, 2), (5, "x"), ("DataError", 7)])
def test_what_is_no_answer_is_told(told):
    with pytest.raises(ClusterError, match="cannot be read"):
        answer_in(packed(told))
