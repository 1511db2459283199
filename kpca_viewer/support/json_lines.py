"""A file to which facts are added line by line, each of them whole or not at all."""

import errno
import json
import os
from pathlib import Path
from typing import Any

from kpca_viewer.support import paths
from kpca_viewer.support.atomic import unsaved, write_atomically
from kpca_viewer.support.errors import ExportError


def append_line(path: Path, value: Any) -> None:
    """Add a value as a line of JSON, and wait until it is on the disk.

    Raises
    ------
    ExportError
        If there is no room for all of it.
    """
    try:
        _append(path, value)
    except OSError as error:
        raise ExportError(unsaved(path, error)) from error


def _append(path: Path, value: Any) -> None:
    line = (json.dumps(value, ensure_ascii=False) + "\n").encode()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)
    try:
        # One call for the whole line: nothing else can come between its parts.
        if os.write(handle, line) < len(line):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        os.fsync(handle)
    finally:
        os.close(handle)


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
