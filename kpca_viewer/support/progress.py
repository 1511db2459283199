"""How work is watched and stopped: two callables that every solver is given.

Whatever takes ``should_stop`` raises `Cancelled` soon after it is true.
"""

from collections.abc import Callable

from kpca_viewer.support.errors import Cancelled

ShouldStop = Callable[[], bool]
Progress = Callable[[str, float | None], None]


def never() -> bool:
    return False


def silent(stage: str, fraction: float | None) -> None:
    """Report nothing."""


def check(should_stop: ShouldStop) -> None:
    """Raise `Cancelled` if the work is no longer wanted."""
    if should_stop():
        raise Cancelled("The computation was cancelled.")
