"""Writing a file so that it is, at every moment, either the old or the new one."""

import contextlib
import errno
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from time import time
from typing import BinaryIO

from kpca_viewer.support.errors import ExportError

TEMPORARY = ".kpca-tmp"
"""How the name of a file that is not finished ends."""

LEFT_OVER = 3600.0
"""Seconds after which an unfinished file belongs to nobody any more."""


Content = bytes | Callable[[BinaryIO], object]


def write_atomically(path: str | os.PathLike[str], content: Content) -> os.stat_result:
    """Replace a file by new content, all of it or nothing.

    The content goes to a temporary file in the same folder, reaches the disk, and then
    takes the place of the old file in one step of the file system.

    Parameters
    ----------
    path : path
        A link is followed: the file that it points to is replaced, the link stays.
    content : bytes or callable
        All of it, or what writes it into an open file.

    Returns
    -------
    os.stat_result
        Of the file that was written, whoever may have replaced it since.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was and no temporary one is left.
    """
    try:
        target = Path(os.path.realpath(path))
        _refuse_what_is_no_file(target)
        return _replace(target, content)
    except OSError as error:
        raise ExportError(_sentence(Path(path), error)) from error
    except ValueError as error:  # a zero byte, or letters that no file system has
        raise ExportError(
            f"{os.fspath(path)!r} cannot be the name of a file; choose another one."
        ) from error


def _refuse_what_is_no_file(target: Path) -> None:
    """Name the trouble before a byte is written."""
    if not target.name or target.is_dir():
        raise IsADirectoryError(errno.EISDIR, "is a folder")
    # Replacing would destroy a device or a pipe, which the super-user may even do.
    if target.exists() and not target.is_file():
        raise OSError(errno.ENODEV, "is a device or a pipe")
    # Whoever took away the right to write meant it, although replacing would succeed.
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "may not be written")


def _replace(target: Path, content: Content) -> os.stat_result:
    _remove_left_over(target)
    # Long names leave room for what mkstemp adds to them.
    handle, name = tempfile.mkstemp(TEMPORARY, _prefix(target), target.parent)
    temporary = Path(name)
    try:
        with open(handle, "wb") as file:
            if callable(content):
                content(file)
            else:
                file.write(content)
            file.flush()
            os.fsync(file.fileno())
            written = os.fstat(file.fileno())
        temporary.chmod(_mode(target))
        os.replace(temporary, target)
    except BaseException:
        with contextlib.suppress(OSError):
            temporary.unlink()
        raise
    sync_folder(target.parent)
    return written


def _prefix(target: Path) -> str:
    # Cut in bytes, as file systems count; half a letter is dropped.
    short = os.fsencode(target.name)[:150].decode(errors="ignore")
    return f".{short}."


def _mode(target: Path) -> int:
    """Return the rights of the file that is replaced, or those of any new file."""
    try:
        return target.stat().st_mode & 0o7777
    except OSError:
        mask = os.umask(0o077)
        os.umask(mask)
        return 0o666 & ~mask


def _remove_left_over(target: Path) -> None:
    """Remove what a killed process had begun to write, once nobody can need it."""
    prefix = _prefix(target)
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if entry.name.startswith(prefix) and entry.name.endswith(TEMPORARY):
                with contextlib.suppress(OSError):
                    if time() - entry.stat().st_mtime > LEFT_OVER:
                        os.unlink(entry.path)


def sync_folder(folder: Path) -> None:
    """Make the new name itself survive a power cut; only POSIX can and needs to."""
    if os.name != "posix":
        return
    with contextlib.suppress(OSError):  # some network folders refuse; the file is there
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


_REMEDIES = {
    errno.ENOSPC: "the disk is full; free some space or choose another folder",
    errno.EDQUOT: "your share of the disk is used up; free some space or choose "
    "another folder",
    errno.EROFS: "the folder is read-only; choose one in which you may write",
    errno.EACCES: "it may not be written there; choose a folder in which you may write",
    errno.EPERM: "it may not be written there; choose a folder in which you may write",
    errno.ENOENT: "its folder does not exist any more; choose another one",
    errno.ENOTDIR: "its folder is a file; choose another one",
    errno.EISDIR: "this is a folder; give the name of a file inside it",
    errno.ENODEV: "this is a device or a pipe; choose another name",
    errno.ENAMETOOLONG: "the name is too long; choose a shorter one",
    errno.ELOOP: "the name is a link that leads back to itself; choose another one",
    errno.EFBIG: "the file would be too large for this disk; choose another one",
}


def _sentence(path: Path, error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    remedy = _REMEDIES.get(
        error.errno or 0, f"the system says “{reason}”; choose another folder"
    )
    return f"“{path.name or path}” was not saved: {remedy}."
