"""Stages remembered by their inputs, so that moving γ reuses the distances."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Any


class StageCache:
    """For every stage the last few results, by the inputs they were made from."""

    def __init__(self, size: int = 3) -> None:
        self._size = size
        self._stages: dict[str, OrderedDict[Hashable, Any]] = {}
        self._lock = Lock()
        self._making: dict[tuple[str, Hashable], Lock] = {}

    def copy(self) -> "StageCache":
        """Return a cache that knows the same and remembers for itself."""
        other = StageCache(self._size)
        with self._lock:
            known = {stage: results.copy() for stage, results in self._stages.items()}
        other._stages = known
        return other

    def get(self, stage: str, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the result for a key; of threads that want the same, one makes it."""
        place = stage, key
        with self._lock:
            if self._knows(stage, key):
                return self._stages[stage][key]
            made_here = self._making.setdefault(place, Lock())
        with made_here:
            with self._lock:
                if self._knows(stage, key):
                    return self._stages[stage][key]
            try:
                value = make()
                with self._lock:
                    self._remember(stage, key, value, self._size)
            finally:
                with self._lock:
                    self._making.pop(place, None)
            return value

    def _knows(self, stage: str, key: Hashable) -> bool:
        """Return whether a result is there, which then is the newest of its stage."""
        results = self._stages.setdefault(stage, OrderedDict())
        if key not in results:
            return False
        results.move_to_end(key)
        return True

    def _remember(self, stage: str, key: Hashable, value: Any, most: int) -> None:
        results = self._stages.setdefault(stage, OrderedDict())
        results[key] = value
        results.move_to_end(key)
        while len(results) > most:
            results.popitem(last=False)

    def peek(self, stage: str, key: Hashable) -> Any:
        results = self._stages.get(stage)
        return None if results is None else results.get(key)

    def put(self, stage: str, key: Hashable, value: Any) -> None:
        """Remember ``value`` as the only result of a stage."""
        self._stages[stage] = OrderedDict({key: value})

    def add(self, stage: str, key: Hashable, value: Any, most: int) -> None:
        """Remember ``value`` beside others, of which ``most`` are kept."""
        with self._lock:
            self._remember(stage, key, value, most)
