"""Stages remembered by their inputs, so that moving γ reuses the distances."""

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Any


class StageCache:
    """For every stage the last few results, by the inputs they were made from."""

    def __init__(self, size: int = 3) -> None:
        self._size = size
        self._stages: dict[str, OrderedDict[Hashable, Any]] = {}

    def copy(self) -> "StageCache":
        """Return a cache that knows the same and remembers for itself."""
        other = StageCache(self._size)
        other._stages = {stage: known.copy() for stage, known in self._stages.items()}
        return other

    def get(self, stage: str, key: Hashable, make: Callable[[], Any]) -> Any:
        """Return the result for ``key``, making it only if it is not remembered."""
        results = self._stages.setdefault(stage, OrderedDict())
        if key in results:
            results.move_to_end(key)
            return results[key]
        value = make()
        results[key] = value
        while len(results) > self._size:
            results.popitem(last=False)
        return value

    def peek(self, stage: str, key: Hashable) -> Any:
        """Return what is remembered for ``key``, or None."""
        results = self._stages.get(stage)
        return None if results is None else results.get(key)

    def put(self, stage: str, key: Hashable, value: Any) -> None:
        """Remember ``value`` as the only result of a stage."""
        self._stages[stage] = OrderedDict({key: value})

    def add(self, stage: str, key: Hashable, value: Any, most: int) -> None:
        """Remember ``value`` beside others, of which ``most`` are kept."""
        results = self._stages.setdefault(stage, OrderedDict())
        results[key] = value
        results.move_to_end(key)
        while len(results) > most:
            results.popitem(last=False)
