"""What costs most and depends on nothing but its arguments, computed once a process.

Hundreds of tests begin with the same small tables. The values by default of a kernel,
the comparison with random data, the influence of permuted columns and the scores of
pictures take most of the time of each: they are remembered by the content of what they
are computed from.
"""

import hashlib
from collections.abc import Callable, Hashable
from contextlib import suppress
from dataclasses import fields, is_dataclass
from functools import reduce, wraps
from importlib import import_module
from inspect import signature
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.neighbourhoods import KeptNeighbours
from kpca_viewer.core.methods.quality import Scorer
from kpca_viewer.core.methods.refits import ColumnRefits, Refits
from kpca_viewer.support.progress import check

PURE = (
    ("kpca_viewer.engine.stages", "suggested"),
    ("kpca_viewer.features.random_baseline.compute", "compare"),
    ("kpca_viewer.core.methods.refits", "ColumnRefits.influence"),
    ("kpca_viewer.core.methods.quality", "Scorer.score_taken"),
)
"""Modules, and the names under which they call a function or have a method."""

MADE_FROM = {
    Refits: ("X", "kernel", "components", "center"),
    ColumnRefits: ("_table", "_column"),
    Scorer: ("rows", "labelled", "_codes", "_classes", "_kept"),
    KeptNeighbours: ("_original", "_count"),
}
"""Attributes that all others of such an object are computed from."""

WATCHING = {"should_stop", "progress"}
"""Arguments that change nothing about the value."""

Watch = Callable[[], bool]


class UnknownContent(Exception):
    """An argument that nothing can be remembered by."""


def content(value: Any) -> Hashable:
    """Return something that is equal for arguments of equal content."""
    if value is None or isinstance(value, str | int | float | bool | np.generic):
        # 1, 1.0 and True are equal, and so are 0.0 and −0.0.
        return type(value), repr(value)
    if isinstance(value, np.ndarray) and value.dtype != object:
        digest = hashlib.sha1(np.ascontiguousarray(value).tobytes()).digest()
        # Sums in another order of memory differ in their last digits.
        return value.shape, value.strides, value.dtype.str, digest
    if isinstance(value, list | tuple):
        return tuple(map(content, value))
    if isinstance(value, dict):
        return tuple((name, content(each)) for name, each in value.items())
    if isinstance(value, Kernel):
        return value.family.name, content(dict(value.values))
    if isinstance(value, Refits | ColumnRefits | Scorer | KeptNeighbours):
        return tuple(content(getattr(value, name)) for name in MADE_FROM[type(value)])
    if is_dataclass(value):
        parts = tuple(content(getattr(value, field.name)) for field in fields(value))
        return type(value), parts
    if (owner := getattr(value, "__self__", None)) is not None:
        return value.__name__, content(owner)
    raise UnknownContent(type(value))


def holder(module: str, name: str) -> tuple[Any, str]:
    """Return the module or class that has a function, and its name there."""
    *classes, last = name.split(".")
    return reduce(getattr, classes, import_module(module)), last


class Memory:
    """Values of functions by the content of their arguments."""

    def __init__(self) -> None:
        self.used = True
        self._values: dict[Hashable, Any] = {}

    def remembering(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Return the function, computing only what was not computed before.

        A failure is not remembered, and one that is to be stopped at once is stopped.
        """
        taken = signature(function)

        @wraps(function)
        def remembered(*args: Any, **kwargs: Any) -> Any:
            given = taken.bind(*args, **kwargs).arguments
            stop: Watch | None = given.get("should_stop")
            try:
                named = ((n, content(v)) for n, v in given.items() if n not in WATCHING)
                key = function, *named
            except UnknownContent:
                return function(*args, **kwargs)
            if not self.used:
                return function(*args, **kwargs)
            if key not in self._values:
                self._values[key] = function(*args, **kwargs)
            elif stop is not None:
                check(stop)
            return self._values[key]

        return remembered

    def install(self) -> None:
        """Let the program ask here first; `test_memory` notices names that are gone."""
        for module, name in PURE:
            with suppress(ImportError, AttributeError):
                owner, last = holder(module, name)
                setattr(owner, last, self.remembering(getattr(owner, last)))


memory = Memory()
