"""Who has a session open: a process, told apart from a later one with its number."""

import os
import socket
import sys
from pathlib import Path

import msgspec

PROC = Path("/proc")


class Owner(msgspec.Struct, frozen=True):
    """A process on a machine.

    Attributes
    ----------
    pid : int
    started : str
        When it began, in whatever the platform counts; empty where nobody knows.
    machine : str
        Which computer; homes can be shared by several.
    boot : str
        Which run of that computer; empty where nobody knows.
    space : str
        Which numbering of processes: containers have their own.
    """

    pid: int
    started: str = ""
    machine: str = ""
    boot: str = ""
    space: str = ""


def this_process() -> Owner:
    """Return the process that asks."""
    pid = os.getpid()
    return Owner(pid, _start_time(pid) or "", _machine(), _boot(), _space())


def is_gone(owner: Owner) -> bool:
    """Whether a process has surely ended; False wherever there is any doubt."""
    here = this_process()
    if owner.pid <= 0 or owner.machine != here.machine:
        return False
    if owner.boot != here.boot:
        return True  # the same computer was started anew since
    if owner.space != here.space:
        return False
    if (PROC / "self" / "stat").exists():
        started = _start_time(owner.pid)
        return started is None or (bool(owner.started) and started != owner.started)
    return not _exists(owner.pid)


def _start_time(pid: int) -> str | None:
    """Return the start of a running process on Linux; None if there is none.

    A process that has ended but whose parent has not asked yet counts as none.
    """
    try:
        text = (PROC / str(pid) / "stat").read_bytes()
    except OSError:
        return None
    # The name in parentheses can hold anything, parentheses and spaces too.
    values = text[text.rfind(b")") + 2 :].split()
    if len(values) < 20 or values[0] in (b"Z", b"X", b"x"):
        return None
    return values[19].decode("ascii")  # field 22, in clock ticks since the boot


def _exists(pid: int) -> bool:
    """Whether there is a process with this number, where /proc does not tell."""
    if sys.platform == "win32":
        return _exists_on_windows(pid)
    try:
        os.kill(pid, 0)
    except (ProcessLookupError, OverflowError):
        return False
    except OSError:  # somebody else's
        return True
    return True


def _exists_on_windows(pid: int) -> bool:
    # os.kill would end the process there, whatever the signal.
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes

    limited_information, still_active, invalid_parameter = 0x1000, 259, 87
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    handle = kernel.OpenProcess(limited_information, False, pid)
    if not handle:
        return bool(ctypes.get_last_error() != invalid_parameter)
    code = ctypes.c_ulong()
    known = kernel.GetExitCodeProcess(handle, ctypes.byref(code))
    kernel.CloseHandle(handle)
    return not known or code.value == still_active


def _machine() -> str:
    # The name of the machine changes with the network, its id does not.
    return _first_line(Path("/etc/machine-id")) or socket.gethostname()


def _boot() -> str:
    return _first_line(PROC / "sys" / "kernel" / "random" / "boot_id")


def _space() -> str:
    try:
        return os.readlink(PROC / "self" / "ns" / "pid")
    except OSError:
        return ""


def _first_line(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii").strip()
    except (OSError, ValueError):
        return ""
