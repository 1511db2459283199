"""Who has a session open: a process, told apart from a later one with its number."""

import contextlib
import os
import secrets
import socket
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import msgspec

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.document.files import SessionFile, Stamp
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, ExportError

SAME_START = 200
"""Hundredths of a second by which two readings of one start may differ: the time of the
boot, which is one of both, is rounded to seconds."""


class Owner(msgspec.Struct, frozen=True):
    """A process on a machine."""

    pid: int
    started: str = ""
    """When it began, in hundredths of a second; empty where that is unknown."""
    machine: str = ""
    """Which computer; homes can be shared by several."""
    boot: str = ""
    """Which run of that computer; empty where that is unknown."""
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


# Hidden copies: of the session in case of a crash, and of the one closed last.
#
# The person's own file is never touched. A swap is offered for restoring only if the
# process that wrote it is really gone: a question while a window still works with the
# session would be worse than none.


SUFFIX = ".kpca-swap"

LAST = "last.kpca-last"
"""The session that was closed last, for the next start; it opens without a question."""

VERSION = 1


class _Record(msgspec.Struct):
    """The text of a swap; the document is read only when it is restored."""

    kpca_viewer_swap: int
    owner: Owner
    saved: datetime
    document: msgspec.Raw
    path: str | None = None
    stamp: Stamp | None = None


def state_folder(environment: Mapping[str, str] | None = None) -> Path:
    """Return where this platform keeps the state of a program between two starts."""
    variables = os.environ if environment is None else environment
    home = Path.home()
    if sys.platform == "win32":
        base = variables.get("LOCALAPPDATA") or str(home / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = str(home / "Library" / "Application Support")
    else:
        base = variables.get("XDG_STATE_HOME", "")
        # The standard says to ignore a relative one.
        if not os.path.isabs(base):
            base = str(home / ".local" / "state")
    return Path(base) / "kpca_viewer"


class Swap:
    """The swap of one window.

    ``folder``: made on the first write, for the person alone; ``owner``: by default
    this process; ``name``: of the file; by default one that no other window has.
    """

    def __init__(
        self, folder: Path, owner: Owner | None = None, name: str = ""
    ) -> None:
        self._folder = folder
        self._owner = owner
        pid = os.getpid() if owner is None else owner.pid
        own = f".{pid}-{secrets.token_hex(4)}{SUFFIX}"
        self.path = folder / (name or own)
        self._written: tuple[bytes, str | None, Stamp | None] | None = None

    def write(
        self,
        document: Document,
        path: str | os.PathLike[str] | None = None,
        stamp: Stamp | None = None,
    ) -> None:
        """Keep a document; one that is already kept is not written again.

        ``path``: the person's own file, where there is one; ``stamp``: of the content
        of that file from which this has come.
        """
        content = to_bytes(document)
        of = None if path is None else os.path.abspath(path)
        if self._written == (content, of, stamp):
            return
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        except OSError as error:
            raise ExportError(
                f"The folder {self._folder} for unsaved work cannot be made; "
                "save the session yourself."
            ) from error
        record = _Record(
            kpca_viewer_swap=VERSION,
            owner=self._owner or this_process(),
            saved=datetime.now(UTC),
            path=of,
            stamp=stamp,
            document=msgspec.Raw(content),
        )
        try:
            text = msgspec.json.encode(record)
        except UnicodeEncodeError:  # a name that is no text; the session matters more
            record.path = None
            text = msgspec.json.encode(record)
        write_atomically(self.path, text)
        self._written = (content, of, stamp)

    def discard(self) -> None:
        """Forget the swap: the session was saved, or is not wanted."""
        self._written = None
        with contextlib.suppress(OSError):
            self.path.unlink(missing_ok=True)


@dataclass(frozen=True)
class AbandonedCopy:
    """A swap whose owner is gone."""

    swap: Path
    saved: datetime
    """When it was last written, with its time zone."""
    path: Path | None
    """The person's own file, where there was one."""
    stamp: Stamp | None
    """Of the content of that file from which the session has come."""
    title: str
    """Names it in messages."""

    @property
    def file(self) -> SessionFile | None:
        return None if self.path is None else SessionFile(self.path, self.stamp)

    def restore(self) -> Document:
        """Return the session, or raise `DataError`; the swap stays until `discard`."""
        record = _read(self.swap)
        if record is None:
            raise DataError(
                f"{self.title} is not there any more; perhaps another window has "
                "restored it."
            )
        return from_bytes(bytes(record.document), title=self.title)

    def discard(self) -> None:
        """Remove the swap: it was restored and is saved, or is not wanted."""
        with contextlib.suppress(OSError):
            self.swap.unlink(missing_ok=True)


@dataclass(frozen=True)
class LastSession:
    """A session that was kept when the program was closed."""

    document: Document
    file: SessionFile | None
    """The person's own file as it was known, where there is one."""


def remember(
    folder: Path,
    document: Document,
    path: str | os.PathLike[str] | None = None,
    stamp: Stamp | None = None,
) -> None:
    """Keep a session for the next start; if that fails, the one before stays."""
    Swap(folder, name=LAST).write(document, path, stamp)


def last_session(folder: Path) -> LastSession | None:
    """Return the session that was closed last, if any, or raise `DataError`."""
    record = _read(folder / LAST)
    if record is None:
        return None
    kept = _orphan(folder / LAST, record, "The last session")
    document = kept.restore()
    source, family = document.settings.data.source, document.settings.kernel.family
    if family not in FAMILIES:
        raise DataError(
            f"The last session used the kernel “{family}”, which is not known here; "
            "choose another one."
        )
    kept_data = document.data.file is not None or document.data.embedded is not None
    kept_data = kept_data or document.settings.data.drawn is not None
    if not kept_data and source not in GENERATORS:
        raise DataError(
            f"The data of the last session, {source}, came from no file and were too "
            "large to be kept; open or paste them again."
        )
    return LastSession(document, kept.file)


def abandoned_copies(folder: Path) -> list[AbandonedCopy]:
    """Return the swaps whose owners are gone, the newest first.

    What cannot be read, or belongs to a process about which nothing can be known from
    here, is passed over in silence.
    """
    found = []
    try:
        swaps = [path for path in folder.iterdir() if path.name.endswith(SUFFIX)]
    except OSError:
        return []
    for swap in swaps:
        record = _read(swap)
        if record is not None and is_gone(record.owner):
            found.append(_orphan(swap, record))
    return sorted(found, key=lambda orphan: orphan.saved, reverse=True)


def _orphan(
    swap: Path, record: _Record, title: str = "The unsaved session"
) -> AbandonedCopy:
    path = None if record.path is None else Path(record.path)
    return AbandonedCopy(swap, record.saved, path, record.stamp, title)


def _read(swap: Path) -> _Record | None:
    try:
        record = msgspec.json.decode(swap.read_bytes(), type=_Record)
    except (OSError, MemoryError, RecursionError, ValueError):
        # msgspec's errors are values that are wrong, those of Unicode too.
        return None
    aware = record.saved.tzinfo is not None
    return record if record.kpca_viewer_swap == VERSION and aware else None
