"""What workers send is not believed: nothing of it runs here."""

import os
import pickle
from contextlib import suppress
from pathlib import Path

import pytest

from kpca_viewer.cluster.answers import packed, unpacked
from kpca_viewer.cluster.asking import fetched
from kpca_viewer.cluster.each import answer_in, wait_for_one
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
        fetched(two_workers.client, two_workers.title, future)
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


def test_no_class_is_changed_by_an_answer():
    from kpca_viewer.export.parts import WrittenPart

    state = b"N}U\x08__init__ckpca_viewer.data.parts.pieces\nPiece\ns\x86b."
    with pytest.raises(ClusterError, match="change of this program"):
        unpacked(b"\x80\x02ckpca_viewer.export.parts\nWrittenPart\n" + state)
    assert WrittenPart(1, 2, 3, "").rows == 1


@pytest.mark.parametrize("told", [5, ("",), ("", 1, 2), (5, "x"), ("DataError", 7)])
def test_what_is_no_answer_is_told(told):
    with pytest.raises(ClusterError, match="nobody can read"):
        answer_in(packed(told))
