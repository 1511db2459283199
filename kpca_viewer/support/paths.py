"""Paths that people give, and file names that are made of titles."""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from kpca_viewer.support.errors import DataError, ExportError, shorten


def with_ending(name: str | Path, ending: str) -> Path:
    """Return a name with its ending added; what follows a dot in “run.2” stays."""
    path = Path(name)
    if path.suffix.lower() == ending:
        return path
    return path.with_name(path.name + ending)


def unasked(path: Path, chosen: str | Path) -> str:
    """Say that a name which only its ending has made is taken; else nothing.

    The dialog has asked about what was typed, not about this file.
    """
    if path == Path(chosen) or not os.path.exists(path):
        return ""
    return f"“{path.name}” exists already; type its whole name to replace it."


# What is at a path; where the system refuses to say, one sentence does.
#
# `pathlib` raises for a folder that may not be entered, in some versions of Python.

_REASONS = {
    errno.EACCES: "lies in a folder that may not be entered; change the permissions of "
    "that folder, or choose another one",
    errno.ELOOP: "is a link that leads back to itself; name the file that it should "
    "point to",
    errno.ENAMETOOLONG: "is too long for the name of a file; choose a shorter one",
}


def exists(path: str | os.PathLike[str]) -> bool:
    """Whether there is anything."""
    return _mode(path) is not None


def is_dir(path: str | os.PathLike[str]) -> bool:
    mode = _mode(path)
    return mode is not None and stat.S_ISDIR(mode)


def is_file(path: str | os.PathLike[str]) -> bool:
    mode = _mode(path)
    return mode is not None and stat.S_ISREG(mode)


def real(path: str | os.PathLike[str]) -> Path:
    """Return where a path leads, links followed as far as they lead anywhere."""
    return Path(os.path.realpath(path))


@contextmanager
def new_folder(folder: Path) -> Iterator[None]:
    """Make a folder; what was made for it is removed again if nothing is in it."""
    made = [place for place in (folder, *folder.parents) if not exists(place)]
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ExportError(
            f"“{folder}” cannot be used: {error.strerror}; choose another folder."
        ) from error
    try:
        yield
    finally:
        with suppress(OSError):
            for place in made:
                place.rmdir()


def _mode(path: str | os.PathLike[str]) -> int | None:
    try:
        return os.stat(path).st_mode
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return None  # A name with a zero byte is none of any file.
    except OSError as error:
        said = error.strerror or type(error).__name__
        reason = _REASONS.get(
            error.errno or 0, f"cannot be looked at ({said}); check its disk"
        )
        raise DataError(f"“{shorten(os.fspath(path))}” {reason}.") from error
