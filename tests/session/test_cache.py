"""The cache remembers the last few results of every stage by their inputs."""

from concurrent.futures import ThreadPoolExecutor
from itertools import count
from threading import Barrier, Event

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.cache import StageCache


@pytest.fixture
def make():
    return count().__next__


def test_a_key_is_made_once(make):
    cache = StageCache()
    assert cache.get("stage", "a", make) == 0
    assert cache.get("stage", "a", make) == 0
    assert cache.get("stage", "b", make) == 1


def test_stages_do_not_share_keys(make):
    cache = StageCache()
    assert cache.get("one", "a", make) == 0
    assert cache.get("two", "a", make) == 1


def test_the_least_recently_used_is_forgotten(make):
    cache = StageCache(size=2)
    for key in ("a", "b", "a", "c"):
        cache.get("stage", key, make)
    assert cache.peek("stage", "a") == 0
    assert cache.peek("stage", "b") is None
    assert cache.peek("stage", "c") == 2


def test_a_copy_knows_the_same_and_remembers_for_itself(make):
    cache = StageCache(size=2)
    cache.get("stage", "a", make)
    other = cache.copy()
    assert other.peek("stage", "a") == 0
    for key in ("b", "c"):
        other.get("stage", key, make)
    assert other.peek("stage", "a") is None
    assert cache.peek("stage", "a") == 0
    assert cache.peek("stage", "c") is None


def test_other_stages_are_not_pushed_out(make):
    cache = StageCache(size=1)
    cache.get("dataset", "a", make)
    for key in range(5):
        cache.get("decomposition", key, make)
    assert cache.peek("dataset", "a") == 0


def test_none_is_a_result_too(make):
    cache = StageCache()
    assert cache.get("linear", "a", lambda: None) is None
    assert cache.get("linear", "a", make) is None


def test_a_failure_is_not_remembered(make):
    cache = StageCache()
    with pytest.raises(ZeroDivisionError):
        cache.get("stage", "a", lambda: 1 / 0)
    assert cache.get("stage", "a", make) == 0


def test_values_without_equality_are_known_by_identity(make):
    cache = StageCache()
    first, twin = Dataset(np.ones((2, 2))), Dataset(np.ones((2, 2)))
    assert cache.get("points", (first, "none"), make) == 0
    assert cache.get("points", (twin, "none"), make) == 1
    assert cache.get("points", (first, "none"), make) == 0


def test_peek_and_put():
    cache = StageCache()
    assert cache.peek("previous", "a") is None
    cache.put("previous", "a", 1)
    assert cache.peek("previous", "a") == 1
    cache.put("previous", "b", 2)
    assert cache.peek("previous", "a") is None
    assert cache.peek("previous", "b") == 2


def test_what_two_threads_want_at_once_is_made_once():
    cache, made, together = StageCache(), [], Barrier(2)

    def make():
        made.append(object())
        return made[-1]

    def want(_):
        together.wait(60)
        return cache.get("stage", "key", make)

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(want, range(2))
    assert first is second
    assert len(made) == 1


def test_other_threads_try_again_what_has_failed():
    cache, failing, waiting = StageCache(), Event(), Event()

    def fail():
        failing.set()
        assert waiting.wait(60)
        raise ZeroDivisionError("oh")

    with ThreadPoolExecutor(2) as pool:
        first = pool.submit(cache.get, "stage", "key", fail)
        assert failing.wait(60)
        second = pool.submit(cache.get, "stage", "key", lambda: "made")
        waiting.set()
        assert second.result(60) == "made"
        with pytest.raises(ZeroDivisionError):
            first.result(60)


def test_a_stage_may_need_another_one():
    cache = StageCache()
    inner = cache.get("outer", 1, lambda: cache.get("inner", 1, lambda: "made"))
    assert inner == cache.peek("inner", 1) == "made"
