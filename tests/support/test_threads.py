"""Work on several threads: in order, stopped together, nothing left behind."""

import os
import subprocess
import sys
from textwrap import dedent
from threading import Barrier, Event
from threading import enumerate as running

import pytest

from kpca_viewer.support.errors import Cancelled
from kpca_viewer.support.progress import check
from kpca_viewer.support.threads import in_order

PATIENCE = 60.0


@pytest.mark.parametrize("count", [1, 2, 3])
def test_answers_come_in_the_order_of_the_jobs(count):
    answers = in_order(lambda job, _: job**2, range(20), count)
    assert list(answers) == [job**2 for job in range(20)]


def test_an_answer_waits_for_those_before_it():
    second_is_done = Event()

    def work(job, _):
        if job == 0:
            assert second_is_done.wait(PATIENCE)
        else:
            second_is_done.set()
        return job

    assert list(in_order(work, [0, 1], 2)) == [0, 1]


def test_several_jobs_run_at_once():
    together = Barrier(2)

    def work(job, _):
        together.wait(PATIENCE)
        return job

    assert list(in_order(work, range(4), 2)) == [0, 1, 2, 3]


@pytest.mark.parametrize("count", [1, 2])
def test_a_failure_is_raised_in_its_turn(count):
    def work(job, _):
        if job == 1:
            raise ZeroDivisionError("oh")
        return job

    answers = in_order(work, range(4), count)
    assert next(answers) == 0
    with pytest.raises(ZeroDivisionError):
        next(answers)


def until_stopped(began):
    def work(job, should_stop):
        began.set()
        while True:
            check(should_stop)

    return work


def test_whoever_is_cancelled_stops_all_that_runs():
    before, began = set(running()), Event()
    with pytest.raises(Cancelled):
        list(in_order(until_stopped(began), range(5), 2, began.is_set))
    assert set(running()) <= before


def test_whoever_leaves_early_stops_all_that_runs():
    before, began = set(running()), Event()

    def work(job, should_stop):
        return job if job == 0 else until_stopped(began)(job, should_stop)

    answers = in_order(work, range(5), 2)
    assert next(answers) == 0
    assert began.wait(PATIENCE)
    answers.close()
    assert set(running()) <= before


@pytest.mark.journey
def test_a_library_that_is_loaded_later_has_one_blas_thread_too():
    """scipy brings a BLAS of its own, which is not there before it is needed."""
    script = dedent(
        """
        import numpy
        from threadpoolctl import threadpool_info
        from kpca_viewer.support.threads import one_blas_thread

        def counts():
            infos = threadpool_info()
            return {i["num_threads"] for i in infos if i["user_api"] == "blas"}

        with one_blas_thread():
            import scipy.linalg
            with one_blas_thread():
                assert counts() == {1}, counts()
            assert counts() == {1}, counts()
        assert counts() == {2}, counts()
        """
    )
    two = dict.fromkeys(("OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "2")
    subprocess.run([sys.executable, "-c", script], check=True, env=os.environ | two)
