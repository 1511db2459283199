"""How much memory there is, and what a computation would need of it."""

from kpca_viewer.support.errors import TooLargeError
from kpca_viewer.support.numerals import byte_size

SHARE = 0.7
"""The part of the free memory that a computation may take."""


def available() -> int | None:
    """Return the bytes of memory that are free, or None where that is unknown."""
    import psutil  # which takes long to load

    try:
        return int(psutil.virtual_memory().available)
    except (OSError, RuntimeError, psutil.Error):
        return None


def fits(size: int) -> bool:
    """Whether so many bytes can be had without starving the machine."""
    free = available()
    return free is None or size <= SHARE * free


def require(size: int, what: str, alternative: str) -> None:
    """Refuse, before anything is allocated, what cannot fit."""
    if not fits(size):
        raise TooLargeError(
            f"{what} needs {byte_size(size)}, but only {byte_size(available() or 0)} "
            f"of memory are free; {alternative}."
        )
