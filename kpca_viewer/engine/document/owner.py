"""Who has a session open: a process, told apart from a later one with its number."""

import os
import socket
import sys
from pathlib import Path

import msgspec

SAME_START = 200
"""Hundredths of a second by which two readings of one start may differ: the time of the
boot, which is one of both, is rounded to seconds."""


class Owner(msgspec.Struct, frozen=True):
    """A process on a machine."""

    pid: int
    started: str = ""
    """When it began, in hundredths of a second; empty where nobody knows."""
    machine: str = ""
    """Which computer; homes can be shared by several."""
    boot: str = ""
    """Which run of that computer; empty where nobody knows."""
    space: str = ""
    """Which numbering of processes: containers have their own."""


def this_process() -> Owner:
    pid = os.getpid()
    return Owner(pid, start_time(pid) or "", _machine(), _boot(), _space())


def is_gone(owner: Owner) -> bool:
    """Whether a process has surely ended; False wherever there is any doubt."""
    here = this_process()
    if owner.pid <= 0 or owner.machine != here.machine:
        return False
    if owner.boot != here.boot:
        return True  # the same computer was started anew since
    if owner.space != here.space:
        return False
    started = start_time(owner.pid)
    return started is None or not _may_be_same(started, owner.started)


def start_time(pid: int) -> str | None:
    """Return when a running process began: "" if that is a secret, None without one.

    A process that has ended but whose parent has not asked yet counts as none.
    """
    import psutil  # which takes long to load

    try:
        # Counted from the boot where starts are: no change of the clock moves them.
        boot = psutil.boot_time() if sys.platform == "linux" else 0.0
        process = psutil.Process(pid)
        if process.status() == psutil.STATUS_ZOMBIE:
            return None
        return str(round(100 * (process.create_time() - boot)))
    except (psutil.NoSuchProcess, OverflowError):
        return None
    except (OSError, RuntimeError, psutil.Error):
        return ""


def _may_be_same(start: str, other: str) -> bool:
    try:
        return abs(int(start) - int(other)) <= SAME_START
    except ValueError:
        return True


def _machine() -> str:
    # The name of the machine changes with the network, its id does not.
    return _first_line(Path("/etc/machine-id")) or socket.gethostname()


def _boot() -> str:
    return _first_line(Path("/proc/sys/kernel/random/boot_id"))


def _space() -> str:
    try:
        return os.readlink("/proc/self/ns/pid")
    except OSError:
        return ""


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
