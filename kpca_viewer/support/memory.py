"""How much memory there is, and what a computation would need of it."""

import math

import psutil

from kpca_viewer.support.errors import TooLargeError

SHARE = 0.7
"""The part of the free memory that a computation may take."""


def available() -> int | None:
    """Return the bytes of memory that are free to use, or None where nobody knows."""
    try:
        return int(psutil.virtual_memory().available)
    except (OSError, RuntimeError, psutil.Error):
        return None


def fits(size: int) -> bool:
    """Whether so many bytes can be had without starving the machine."""
    free = available()
    return free is None or size <= SHARE * free


def require(size: int, what: str, alternative: str) -> None:
    """Refuse, before anything is allocated, what cannot fit.

    Raises
    ------
    TooLargeError
        With a sentence that names the alternative.
    """
    if not fits(size):
        raise TooLargeError(
            f"{what} needs {readable(size)}, but only {readable(available() or 0)} of "
            f"memory are free; {alternative}."
        )


def readable(size: float) -> str:
    """Return bytes as a person reads them: "1.5 GB"."""
    if size < 1000:
        return f"{size:.0f} bytes"
    units = ("kB", "MB", "GB", "TB")
    power = min(int(math.log10(size) // 3), len(units))
    size /= 1000**power
    return f"{size:.{0 if size >= 10 else 1}f} {units[power - 1]}"
