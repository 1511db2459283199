"""Threads and processes run jobs as a cluster does; see test_each.py for that."""

import pytest

from kpca_viewer.core.solvers.blocks import each_block
from kpca_viewer.engine.executors.executor import (
    MOST_DEATHS,
    ProcessExecutor,
    ThreadExecutor,
    open_executor,
)
from kpca_viewer.support.errors import Cancelled, ClusterError, DataError
from tests.cluster.deadly import Deadly, FirstLast
from tests.cluster.test_each import Failing, fitted, some_rows, the_same


@pytest.fixture(scope="module")
def processes():
    with ProcessExecutor(2) as executor:
        yield executor


@pytest.fixture(params=["threads", "processes"])
def executor(request, processes):
    return processes if request.param == "processes" else ThreadExecutor(2)


def test_answers_come_in_the_order_of_the_jobs(executor):
    assert "".join(executor(FirstLast(), "abcde")) == "abcde"
    assert dict(executor.completed(FirstLast(), "abcde")) == dict(enumerate("abcde"))


def test_what_goes_wrong_is_raised_after_the_answers_before_it(executor):
    got = []
    with pytest.raises(DataError, match="block 3 is wrong"):  # noqa: PT012  # the answers before it count
        for answer in executor(Failing(DataError), range(8)):
            got.append(answer)
    assert got == [0, 1, 2]


def test_jobs_can_be_stopped(executor):
    stopped = []
    answers = executor(FirstLast(), range(50), lambda: bool(stopped))
    assert next(answers) == 0
    stopped.append(True)
    with pytest.raises(Cancelled):
        list(answers)


def test_processes_find_the_digits_that_threads_find(processes):
    X = some_rows(12_000)
    before = processes.bytes_moved
    the_same(fitted(X, processes), fitted(X, each_block))
    assert processes.bytes_moved > before


@pytest.mark.journey
def test_a_job_that_kills_its_process_is_given_up_alone(processes, tmp_path):
    jobs = [0, 1, 2, 3]
    answers = dict(processes.completed(Deadly(tmp_path), jobs))
    assert answers == {0: 0, 1: 10, 2: None, 3: 30}
    assert len(list(tmp_path.glob("2.*"))) == MOST_DEATHS
    with pytest.raises(ClusterError, match="processes have died"):
        list(processes(Deadly(tmp_path), jobs))


def test_few_bytes_need_no_processes():
    with open_executor(size=1000) as few, open_executor() as many:
        assert isinstance(few, ThreadExecutor)
        assert isinstance(many, ProcessExecutor)
