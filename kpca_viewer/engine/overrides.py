"""What goes wrong in an override of Qt is an error, and not the end of the process.

Up to Python 3.11 an exception that was raised in C, by numpy or by a list, is a type
with a text until it is handled. PySide takes that text for the exception and crashes.
A handler, even one that only raises again, makes it whole.
"""

import sys
from collections.abc import Callable
from functools import wraps
from types import FunctionType
from typing import Any

from PySide6.QtCore import QObject, QRunnable

NEEDED = sys.version_info < (3, 12)


def make_errors_whole() -> None:
    """Guard the overrides of every class of Qt that is defined from now on."""
    if NEEDED:
        for base in (QObject, QRunnable):
            base.__init_subclass__ = classmethod(_guard)  # type: ignore[assignment]


def _guard(cls: type) -> None:
    of_qt = [each for each in cls.__mro__ if each.__module__.startswith("PySide6.")]
    for name, member in list(cls.__dict__.items()):
        overrides = any(name in each.__dict__ for each in of_qt)
        if isinstance(member, FunctionType) and overrides and name[:2] != "__":
            setattr(cls, name, _whole(member))


def _whole(method: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(method)
    def call(*args: Any, **options: Any) -> Any:
        try:
            return method(*args, **options)
        except BaseException:
            raise

    return call
