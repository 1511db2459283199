"""Widgets in a cycle are destroyed by the thread that they live on."""

import gc
import threading

import pytest

from kpca_viewer.engine.event_loop import GarbageCollector


@pytest.fixture
def collector(qapp):
    was_enabled = gc.isenabled()
    gc.enable()
    collector = GarbageCollector()
    yield collector
    collector.stop()
    assert gc.isenabled()
    if not was_enabled:
        gc.disable()


def cycle(gone: list[str]) -> None:
    """Leave an object behind that only the search for cycles can find."""

    class Knot:
        def __del__(self) -> None:
            gone.append(threading.current_thread().name)

    knot = Knot()
    knot.me = knot


@pytest.mark.journey
def test_a_worker_collects_nothing_however_much_it_makes(collector):
    gone: list[str] = []
    cycle(gone)

    def work() -> None:
        for _ in range(20_000):
            [].append([{}])
            cycle([])

    worker = threading.Thread(target=work)
    worker.start()
    worker.join()
    assert gone == []
    collector.look()
    gc.collect()
    assert gone == [threading.main_thread().name]


def test_it_looks_by_itself(collector, qtbot):
    gone: list[str] = []
    cycle(gone)
    keep = [[] for _ in range(2 * gc.get_threshold()[0])]
    qtbot.waitUntil(lambda: bool(gone))
    assert len(keep) > 0


def test_the_last_one_gives_the_collection_back(collector):
    other = GarbageCollector()
    other.stop()
    other.stop()
    assert not gc.isenabled()
