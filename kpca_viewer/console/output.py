"""Where a command writes and what it says: files, pipes, words or JSON.

No output may be an input, and what is there already is replaced only by ``--force``.
"""

import argparse
import json
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kpca_viewer.console.terminal import say, stream_errors
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError, ExportError

PIPE = "-"
"""What stands for standard input or output in the place of a file."""


def add_output_options(group: Any) -> None:
    """Let a command replace files, and speak to scripts."""
    group.add_argument(
        "--force", action="store_true", help="replace what is there already"
    )
    add_speech_options(group)


def add_speech_options(group: Any) -> None:
    """Let a command speak to scripts, or not at all."""
    add = group.add_argument
    add("--json", action="store_true", help="say what was done as JSON, for scripts")
    add("--quiet", action="store_true", help="say nothing unless something is wrong")


def is_pipe(path: object) -> bool:
    """Return whether ``-`` was given in the place of a file."""
    return str(path) == PIPE


def check_outputs(
    outputs: Iterable[Path], inputs: Iterable[object], *, force: bool
) -> None:
    """Refuse outputs that would cost somebody their data, before any work is done.

    Parameters
    ----------
    inputs : iterable of path or None
        What is read; words that are no files, such as ``circles``, do no harm.
    force : bool
        Whether files that are no input may be replaced.

    Raises
    ------
    KpcaError
    """
    files = [path for path in outputs if not is_pipe(path)]
    if len({paths.real(path) for path in files}) < len(files):
        raise DataError("Two outputs have the same name; give each its own.")
    read = [Path(str(name)) for name in inputs if name is not None]
    for path in files:
        if not paths.is_dir(paths.real(path).parent):
            raise ExportError(
                f"The folder of “{path.name}” does not exist; make it first."
            )
        if any(_is_same(path, other) for other in read):
            raise DataError(
                f"“{path}” is what is read; writing there would replace it: choose "
                "another name for the output."
            )
        if paths.is_file(path) and not force:
            raise ExportError(
                f"“{path}” exists; choose another name, or add --force to replace it."
            )


def _is_same(one: Path, other: Path) -> bool:
    """Return whether two names, links among them, mean one file."""
    try:
        return os.path.samefile(one, other)
    except OSError:
        return paths.real(one) == paths.real(other)


@contextmanager
def opened_input(name: str) -> Iterator[Path]:
    """Give the file to read; standard input is one for as long as it is read."""
    if not is_pipe(name):
        yield Path(name)
        return
    with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
        path = Path(folder, "standard input")
        with path.open("wb") as file:
            shutil.copyfileobj(sys.stdin.buffer, file)
        yield path


@contextmanager
def written(path: Path, ending: str) -> Iterator[Path]:
    """Give the name to write to; what stands for a pipe goes there afterwards."""
    if not is_pipe(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="kpca_viewer_") as folder:
        target = Path(folder, f"standard output{ending}")
        yield target
        with target.open("rb") as file, stream_errors(sys.stdout):
            sys.stdout.flush()
            shutil.copyfileobj(file, sys.stdout.buffer)
            sys.stdout.buffer.flush()


class Report:
    """What a command says at its end: lines for a person, or JSON for a script.

    Parameters
    ----------
    options : Namespace
        With what `add_output_options` added.
    pipes : bool
        Whether standard output carries the result; the words then go to stderr.
    """

    def __init__(self, options: argparse.Namespace, *, pipes: bool = False) -> None:
        if options.json and pipes:
            raise DataError(
                "--json and the result cannot both go to standard output; give a file "
                "in the place of “-”."
            )
        self._json = options.json
        self._silent = options.json or options.quiet
        self._stream = sys.stderr if pipes else sys.stdout
        self._facts: dict[str, Any] = {}

    def say(self, text: str) -> None:
        if not self._silent:
            say(text, self._stream)

    def note(self, **facts: Any) -> None:
        self._facts.update(facts)

    def saved(self, path: Path, text: str = "") -> None:
        """Name a file that was written, with what is in it."""
        if is_pipe(path):
            return
        self._facts.setdefault("saved", []).append(str(path))
        self.say(f"Saved {path}{text}")

    def finish(self) -> None:
        """Write the facts, where a script asked for them."""
        if self._json:
            say(json.dumps(self._facts, ensure_ascii=False, indent=1), self._stream)
