"""A cluster of two processes: the same digits, whoever dies."""

import os
import signal
from dataclasses import dataclass, replace

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.solvers.blocks import array_blocks, each_block, look
from kpca_viewer.core.solvers.row_stream import decompose
from kpca_viewer.engine.executors.answers import packed, unpacked
from kpca_viewer.engine.executors.dask_executor import DaskExecutor
from kpca_viewer.support.errors import Cancelled, ClusterError, DataError
from tests.cluster.deadly import FirstLast, Held
from tests.cluster.processes import comes_to_rest, process_ids

pytestmark = pytest.mark.cluster


def some_rows(n=30_000):
    rng = np.random.default_rng(3)
    return rng.normal(size=(n, 2)) + 3 * rng.integers(0, 3, size=(n, 1))


@pytest.fixture
def each(two_workers):
    return DaskExecutor(two_workers)


def fitted(X, each):
    blocks = array_blocks(X, 1000)
    seen = look(blocks, each=each)
    return decompose(
        blocks, seen.n, seen.sample, Kernel("rbf", gamma=0.1), 4, each=each
    )


def the_same(one, other):
    for name in ("eigenvalues", "error", "eigenvectors"):
        a, b = (getattr(found.decomposition, name) for found in (one, other))
        assert np.array_equal(a, b)
    assert np.array_equal(one.landmarks, other.landmarks)


def test_a_cluster_finds_the_digits_that_one_process_finds(each):
    X = some_rows()
    the_same(fitted(X, each), fitted(X, each_block))
    assert each.bytes_moved > 0


def test_a_worker_that_is_killed_in_the_middle_changes_no_digit(two_workers, each):
    X = some_rows()
    killed = []

    def killing(work, blocks, should_stop=lambda: False):
        for number, answer in enumerate(each(work, blocks, should_stop)):
            # In the pass over all rows, not in the first look.
            if number == 2 and type(work).__name__ == "AddBlock" and not killed:
                killed.append(process_ids(two_workers)[0])
                os.kill(killed[0], signal.SIGKILL)
            yield answer

    found = fitted(X, killing)
    assert killed
    assert killed[0] not in process_ids(two_workers)
    the_same(found, fitted(X, each_block))


@dataclass(frozen=True)
class Failing:
    kind: type

    def __call__(self, block, number):
        if number == 3:
            raise self.kind("block 3 is wrong")
        return number


@pytest.mark.parametrize(
    ("kind", "told"), [(DataError, DataError), (KeyError, Exception)]
)
def test_what_goes_wrong_on_a_worker_is_raised_here(each, kind, told):
    got = []
    with pytest.raises(told, match="block 3 is wrong"):  # noqa: PT012  # the answers before it count
        for answer in each(Failing(kind), array_blocks(some_rows(8000), 1000)):
            got.append(answer)
    # The answers before it came first.
    assert got == [0, 1, 2]


def in_order(each, *work):
    return list(each(*work))


def as_completed(each, *work):
    return list(each.completed(*work))


@pytest.mark.parametrize("answers", [in_order, as_completed])
def test_a_stop_takes_running_jobs_off_the_cluster(
    two_workers, each, tmp_path, answers
):
    held = Held(tmp_path)
    try:
        # The traceback has what was running in its hands: only a stop takes it away.
        with pytest.raises(Cancelled) as stopped:
            answers(each, held, range(50), held.has_begun)
        assert stopped
        assert comes_to_rest(two_workers)
        keys = map(str, two_workers.client.futures)
        assert not [key for key in keys if key.startswith("kpca-")]
    finally:
        held.let_go()
    assert "".join(each(FirstLast(), "abcde")) == "abcde"


def test_only_values_are_unpacked():
    value = {"a": [np.arange(3.0), None, 1.5, "b"], "b": np.float64(2)}
    back = unpacked(packed(value))
    assert np.array_equal(back["a"][0], [0, 1, 2])
    assert back["a"][1:] == [None, 1.5, "b"]
    assert back["b"] == 2
    for harmful in (os.system, np.load, eval, replace, __import__):
        with pytest.raises(ClusterError, match="is no value"):
            unpacked(packed(harmful))
    with pytest.raises(ClusterError, match="cannot be read"):
        unpacked(b"rubbish")
