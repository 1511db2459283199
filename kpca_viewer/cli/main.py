"""The command line."""

import argparse
import gc
import os
import re
import signal
import sys
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from functools import partial
from glob import has_magic
from importlib import import_module
from itertools import chain, count
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Any, NoReturn

from kpca_viewer import __version__
from kpca_viewer.console.terminal import (
    guarded,
    open_closed_streams,
    say,
    stop_after_imports,
    stream_errors,
)
from kpca_viewer.features.registry import commands
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError, shorten, with_short_values
from kpca_viewer.support.numerals import with_minus
from kpca_viewer.support.picture_formats import either
from kpca_viewer.support.screen import has_screen

if TYPE_CHECKING:
    from kpca_viewer.data.files.options import ReadOptions

DEFAULT_PICTURE = "kpca_viewer.png"
COMMANDS = {
    "render": "kpca_viewer.cli.render",
    "embed": "kpca_viewer.cli.embed",
    **commands(),
}
"""The modules of the commands, by name."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    started = perf_counter()
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words and words[0] in COMMANDS else ""
    if arguments is None:
        stop_after_imports()
        open_closed_streams()
    try:
        return guarded(name, lambda _: _run(words, started))
    except SystemExit:
        # What --help has written is on its way only.
        if code := guarded(name, lambda _: None):
            return code
        raise
    finally:
        if arguments is None:
            # All is said: a stop now needs no traceback.
            signal.signal(signal.SIGINT, signal.SIG_DFL)


def _run(words: list[str], started: float) -> int:
    """Run a command, or the window; modules are loaded here, where all is guarded."""
    # pyqtgraph takes the first Qt binding that it finds, unless it is told.
    os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
    _refuse_nothing(words)
    if words and words[0] in COMMANDS:
        return _run_command(words)
    _refuse_unknown_command(words)
    options = _parser().parse_args(words)
    if options.picture is not None or not has_screen():
        return _render(options)
    from kpca_viewer.console import options as common
    from kpca_viewer.console.source import refuse_two

    file, reading = _named(options.file)
    refuse_two(None if file is None else str(file), options)
    if file is not None and common.says_what_columns_are(options):
        if len(options.file) > 1:
            raise DataError(
                "Options for columns need one name for all files; give their folder, "
                "or a pattern."
            )
        # What the sheet of the window would ask has been said.
        options.data, file = str(file), None
    request = common.chosen(options) if common.asks_for_anything(options) else None
    with _sparing_garbage():
        from kpca_viewer.engine.runner import leave
        from kpca_viewer.window.start import run_viewer

    code = run_viewer(
        None if request is None else request.settings,
        None if request is None else request.opened,
        file=file,
        reading=reading,
        scaling=options.scaling,
        theme=options.theme,
        started=started if options.timings else None,
    )
    leave(code)
    return code


def _refuse_nothing(words: list[str]) -> None:
    """Refuse values that are empty, and to be in a folder that is gone."""
    if any(not word or re.fullmatch("--[^=]+=", word) for word in words):
        raise DataError("An argument is empty; give it a value, or leave it out.")
    try:
        os.getcwd()
    except OSError as error:
        raise DataError(
            "The current folder is gone, or may not be entered; change to another one."
        ) from error


def _named(files: list[Path]) -> "tuple[Path | None, ReadOptions | None]":
    """Return what is opened, and how: several files are one table."""
    if len(files) < 2:
        return next(iter(files), None), None
    from kpca_viewer.data.reading import of_several

    return of_several(files)


@contextmanager
def _sparing_garbage() -> Iterator[None]:
    """Load modules without looking for garbage among them: they stay."""
    gc.disable()
    try:
        yield
    finally:
        gc.freeze()
        gc.enable()


def _run_command(words: list[str]) -> int:
    """Run one of the commands that need no window."""
    parser = _Parser(prog="kpca-viewer")
    subparsers = parser.add_subparsers(parser_class=_Parser)
    import_module(COMMANDS[words[0]]).add_parser(subparsers)
    options = parser.parse_args(words)
    with warnings.catch_warnings():
        # One line on stderr, as for everything else that is wrong.
        warnings.showwarning = partial(_say_warning, f"kpca-viewer {words[0]}")
        code: int = options.run(options)
    return code


def _say_warning(program: str, message: Warning | str, *_: Any, **__: Any) -> None:
    print(f"{program}: {message}", file=sys.stderr)


def _refuse_unknown_command(words: list[str]) -> None:
    """Name a command that there is not, rather than options that it might have had."""
    if not words or words[0].startswith("-") or paths.exists(words[0]):
        return
    if has_magic(words[0]):
        return
    word = words[0]
    near = get_close_matches(word.lower(), COMMANDS, n=1)
    if near or (len(words) > 1 and not Path(word).suffix and os.sep not in word):
        *others, last = COMMANDS
        known = f"there are the commands {', '.join(others)} and {last}."
        remedy = f"did you mean {near[0]}?" if near else known
        _parser().exit(
            2,
            f"kpca-viewer: there is no file and no command “{shorten(word)}”; "
            f"{remedy}\n",
        )


class _Parser(argparse.ArgumentParser):
    """A parser whose complaints are one line, as all others of this program."""

    def _print_message(self, message: str, file: Any = None) -> None:
        # The one of argparse loses what a full disk does not take, in silence.
        with stream_errors(file or sys.stderr):
            (file or sys.stderr).write(message)

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        for kind in (float, int):
            self.register("type", kind, lambda text, kind=kind: kind(with_minus(text)))

    def error(self, message: str) -> NoReturn:
        message = with_short_values(message)
        self.exit(2, f"{self.prog}: {message}; --help lists the options.\n")


def _parser() -> argparse.ArgumentParser:
    from kpca_viewer.console import options as common

    parser = _Parser(
        prog="kpca-viewer",
        description="Look at data through kernel PCA. Without options the window opens "
        "as you left it.",
        epilog="Examples: kpca-viewer assets/data/wine.csv, or kpca-viewer --data "
        "moons --kernel rbf --gamma 8. Without a screen: kpca-viewer "
        f"{either(list(COMMANDS))} --help.",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument(
        "file",
        nargs="*",
        type=Path,
        help="a table or a session (.kpca) to open; a folder, a pattern or several "
        "files for a table in parts",
    )
    common.add_data_options(parser)
    common.add_kernel_options(parser)
    parser.add_argument(
        "--theme", choices=("light", "dark"), help="for this start only"
    )
    parser.add_argument(
        "--picture",
        metavar="FILE",
        type=Path,
        help="save a picture of the window instead of opening it, as render does",
    )
    parser.add_argument(
        "--force", action="store_true", help="replace the picture that is there already"
    )
    parser.add_argument(
        "--size", metavar="WxH", help="of the picture, in pixels (default: 1366x768)"
    )
    parser.add_argument(
        "--timings", action="store_true", help="print when the first picture is there"
    )
    return parser


def _render(options: argparse.Namespace) -> int:
    """Draw the window into a file by the command render, whose options these are."""
    from kpca_viewer.cli import render

    path = options.picture
    if path is None:
        path = _free_name(Path(DEFAULT_PICTURE), options.force)
        say(f"There is no screen here; rendering the session to {path} instead.")
    parser = render.add_parser(_Parser(prog="kpca-viewer").add_subparsers())
    request = parser.parse_args(["--out", str(path)])
    if len(options.file) > 1:
        parser.error("a picture of several files needs their folder, or a pattern")
    source = str(options.file[0]) if options.file else None
    given = {**vars(options), "source": source}
    for name, value in given.items():
        if value is not None and hasattr(request, name):
            setattr(request, name, value)
    return render.run(request)


def _free_name(path: Path, force: bool) -> Path:
    """Return a name that no file has, unless the file may be replaced."""
    names = (path.with_stem(f"{path.stem}-{number}") for number in count(2))
    return next(
        name for name in chain([path], names) if force or not paths.exists(name)
    )
