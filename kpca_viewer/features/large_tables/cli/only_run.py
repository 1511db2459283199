"""One run at a time writes into a folder of results."""

import contextlib
import json
import os
import socket
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from kpca_viewer.support import paths
from kpca_viewer.support.atomic import has_ended
from kpca_viewer.support.errors import ExportError

LOCK = ".running"
"""The file that says who writes into the folder now."""


@contextlib.contextmanager
def only_run_in(folder: Path) -> Iterator[None]:
    """Keep other runs out of a folder, which is made if it is not there.

    Raises
    ------
    ExportError
        If another run writes into it, or nobody may.
    """
    lock = folder / LOCK
    with paths.new_folder(folder):
        try:
            _make(lock)
        except OSError as error:
            raise ExportError(
                f"“{folder}” cannot be used: {error.strerror}; choose another folder."
            ) from error
        try:
            yield
        finally:
            with contextlib.suppress(OSError):
                lock.unlink()


def _make(lock: Path) -> None:
    if (other := _owner(lock)) is not None:
        if not _is_gone(other):
            raise ExportError(_sentence(lock, other))
        _take_away(lock, other)
    try:
        handle = os.open(lock, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    except FileExistsError:
        raise ExportError(_sentence(lock, _owner(lock) or {})) from None
    with open(handle, "w", encoding="utf-8") as file:
        json.dump({"process": os.getpid(), "host": socket.gethostname()}, file)


def _take_away(lock: Path, owner: dict[str, Any]) -> None:
    """Remove the lock of a process that is gone, and of no other one."""
    aside = lock.with_name(f"{LOCK}-{os.getpid()}")
    with contextlib.suppress(FileNotFoundError):
        lock.rename(aside)
        if _owner(aside) == owner:
            aside.unlink()
        else:
            # Somebody was faster, and has taken it over already.
            aside.rename(lock)


def _owner(lock: Path) -> dict[str, Any] | None:
    """Return who holds a lock, as far as it says so; None if nobody does."""
    try:
        found = json.loads(lock.read_bytes())
    except FileNotFoundError:
        return None
    except ValueError:
        return {}
    return found if isinstance(found, dict) else {}


def _is_gone(owner: dict[str, Any]) -> bool:
    """Whether a process of this machine has ended without a word."""
    process = owner.get("process")
    if owner.get("host") != socket.gethostname() or not isinstance(process, int):
        return False
    # Numbers come again: this process holds none yet.
    return process == os.getpid() or has_ended(process)


def _sentence(lock: Path, owner: dict[str, Any]) -> str:
    who = f"process {owner.get('process', '?')} on {owner.get('host', '?')}"
    return (
        f"Another run writes into “{lock.parent}” ({who}); wait for it, or choose "
        f"another folder. If it is gone, remove “{lock}”."
    )
