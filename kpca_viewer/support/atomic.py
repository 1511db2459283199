"""Writing a file so that it is, at every moment, either the old or the new one."""

import contextlib
import errno
import json
import os
import re
import socket
import tempfile
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import time
from typing import Any, BinaryIO
from zlib import crc32

from kpca_viewer.support import paths
from kpca_viewer.support.errors import ExportError

TEMPORARY = ".kpca-tmp"
"""How the name of a file that is not finished ends."""

ENDED = 60.0
"""Seconds without a change after which an unfinished file of a process that seems to
have ended is left over; containers may not see each other's processes."""

LEFT_OVER = 3600.0
"""Seconds after which an unfinished file is given up."""


Content = bytes | Callable[[BinaryIO], object]

_unfinished: set[Path] = set()
"""Temporary files that are being written."""


def remove_unfinished() -> None:
    """Remove what is being written, for a process that ends without unwinding."""
    for temporary in tuple(_unfinished):
        with contextlib.suppress(OSError):
            temporary.unlink()


def write_atomically(path: str | os.PathLike[str], content: Content) -> os.stat_result:
    """Replace a file by new content, all of it or nothing.

    The content goes to a temporary file in the same folder, reaches the disk, and then
    takes the place of the old file in one step of the file system.

    ``path``: a link is followed: the file that it points to is replaced, the link
    stays; ``content``: all of it, or what writes it into an open file; Returns: of the
    file that was written, even if it was replaced since.
    """
    try:
        target = Path(os.path.realpath(path))
        _refuse_what_is_no_file(target)
        return _replace(target, content)
    except OSError as error:
        raise ExportError(unsaved(Path(path), error)) from error
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
    # The right to write was taken away on purpose, although replacing would succeed.
    if target.exists() and not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, "may not be written")


def _replace(target: Path, content: Content) -> os.stat_result:
    _remove_left_over(target)
    # Long names leave room for what mkstemp adds to them.
    prefix = f"{_prefix(target)}{_here()}-{os.getpid()}."
    handle, name = tempfile.mkstemp(TEMPORARY, prefix, target.parent)
    temporary = Path(name)
    _unfinished.add(temporary)
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
    finally:
        _unfinished.discard(temporary)
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
    """Remove what killed processes had begun to write into the same folder.

    A process of this machine that has ended needs nothing any more; what another one
    has begun is removed after a long while, and only where its name is written again.
    """
    prefix = _prefix(target)
    with contextlib.suppress(OSError), os.scandir(target.parent) as entries:
        for entry in entries:
            if not entry.name.endswith(TEMPORARY) or entry.name[0] != ".":
                continue
            patience = LEFT_OVER if entry.name.startswith(prefix) else inf
            if (owner := _OWNER.search(entry.name)) and owner[1] == _here():
                patience = ENDED if has_ended(int(owner[2])) else inf
            with contextlib.suppress(OSError):
                if time() - entry.stat().st_mtime > patience:
                    os.unlink(entry.path)


_OWNER = re.compile(rf"\.([0-9a-f]{{8}})-([0-9]{{1,9}})\.[^.]+{re.escape(TEMPORARY)}$")


def _here() -> str:
    return f"{crc32(socket.gethostname().encode()):08x}"


def has_ended(process: int) -> bool:
    """Whether a process of this machine is not there; False where that is unknown."""
    if os.name != "posix" or process <= 0:
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):
        return False
    return False


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


def unsaved(path: Path, error: OSError) -> str:
    return f"“{path.name or path}” was not saved: {_remedy(error)}."


def of_system(error: OSError) -> str:
    name = "A file" if error.filename is None else f"“{error.filename}”"
    return f"{name} cannot be used: {_remedy(error)}."


def _remedy(error: OSError) -> str:
    reason = error.strerror or type(error).__name__
    return _REMEDIES.get(
        error.errno or 0, f"the system says “{reason}”; choose another folder"
    )


def append_line(path: Path, value: Any) -> None:
    """Add a value as a line of JSON, and wait until it is on the disk."""
    line = (json.dumps(value, ensure_ascii=False) + "\n").encode()
    try:
        with open(path, "ab", buffering=0) as file:
            # One call for the whole line: nothing else can come between its parts.
            if file.write(line) < len(line):
                raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            os.fsync(file)
    except OSError as error:
        raise ExportError(unsaved(path, error)) from error


def whole_lines(path: Path) -> list[Any]:
    """Return the values of all lines; one that was cut off is dropped."""
    if not paths.exists(path):
        return []
    content = path.read_bytes()
    whole = content[: content.rfind(b"\n") + 1]
    if len(whole) < len(content):
        # The power went while a line was written; what follows must start anew.
        write_atomically(path, whole)
    found = []
    for line in whole.splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found
