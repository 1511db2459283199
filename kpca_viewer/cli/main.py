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
    stop_on_interrupt,
    stream_errors,
)
from kpca_viewer.features.registry import commands
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError, shorten, with_short_values
from kpca_viewer.support.numerals import with_minus
from kpca_viewer.support.plugins import take_problems
from kpca_viewer.support.screen import has_screen

if TYPE_CHECKING:
    from kpca_viewer.data.files.options import ReadOptions

DEFAULT_PICTURE = "kpca_viewer.png"
COMMANDS = {
    "render": "kpca_viewer.cli.render",
    "embed": "kpca_viewer.cli.embed",
    **commands(),
    "doctor": "kpca_viewer.cli.doctor",
}
"""The modules of the commands, by name."""

USAGE = "kpca-viewer [FILE ...] [OPTION ...]\n       kpca-viewer COMMAND [OPTION ...]"
DESCRIPTION = """\
Look at data through kernel PCA. Without options the window opens as you left it."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the program; returns the exit code."""
    started = perf_counter()
    words = list(sys.argv[1:] if arguments is None else arguments)
    name = words[0] if words and words[0] in COMMANDS else ""
    if arguments is None:
        stop_on_interrupt()
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
            # All is said: a stop now needs no traceback. At its end the interpreter
            # looks for garbage once more; among modules that takes a fifth of the time
            # of a picture.
            signal.signal(signal.SIGINT, signal.SIG_DFL)
            gc.freeze()


def _run(words: list[str], started: float) -> int:
    """Run a command, or the window; modules are loaded here, where all is guarded."""
    # pyqtgraph takes the first Qt binding that it finds, unless it is told.
    os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
    _refuse_nothing(words)
    if words and words[0] in COMMANDS:
        return _run_command(words)
    _refuse_unknown_command(words)
    options = _parser().parse_args(words)
    if options.print_completion is not None:
        return _print_completion(options.print_completion)
    if options.print_man:
        from kpca_viewer.cli.man import man_page

        sys.stdout.write(man_page(_parser(), _command_parsers()[0]))
        return 0
    if options.lesson is None and len(options.file) == 1:
        from kpca_viewer.widgets.workbench import is_lesson

        if is_lesson(options.file[0]):
            options.lesson, options.file = str(options.file[0]), []
    if options.lesson is not None and (options.picture or not has_screen()):
        raise DataError(
            "A lesson needs a screen; kpca-viewer lesson render makes a hand-out of it."
        )
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
        lesson=options.lesson,
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


@contextmanager
def _rare_garbage() -> Iterator[None]:
    """Look for garbage a hundred times less often.

    Most of what a command makes are modules, which stay: to look for garbage among them
    takes a sixth of the time of a picture.
    """
    often, *older = gc.get_threshold()
    gc.set_threshold(100 * often, *older)
    try:
        yield
    finally:
        gc.set_threshold(often, *older)


def _run_command(words: list[str]) -> int:
    """Run one of the commands that need no window."""
    parser = _Parser(prog="kpca-viewer")
    subparsers = parser.add_subparsers(parser_class=_Parser)
    own = import_module(COMMANDS[words[0]]).add_parser(subparsers)
    options = parser.parse_args(words)
    if hasattr(options, "named_data"):
        from kpca_viewer.console.options import take_named_data

        take_named_data(options, own)
    for problem in take_problems():
        say(f"kpca-viewer: {problem}", sys.stderr)
    with warnings.catch_warnings(), _rare_garbage():
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


class _MainParser(_Parser):
    """The parser of the window, whose help names the commands first."""

    def format_help(self) -> str:
        # Their modules are loaded for it alone.
        rows = "".join(f"  {name:9}{text}\n" for name, text in _command_parsers()[1])
        about = "commands, each with its own --help:"
        self.description = f"{DESCRIPTION}\n\n{about}\n{rows}"
        return super().format_help()


def _command_parsers() -> tuple[
    dict[str, argparse.ArgumentParser], list[tuple[str, str]]
]:
    """Return the parser of every command, and what each is for."""
    subparsers = _with_commands(_Parser(prog="kpca-viewer"))
    told = [(row.dest, row.help or "") for row in subparsers._choices_actions]
    return dict(subparsers.choices), told


def _with_commands(parser: argparse.ArgumentParser) -> Any:
    """Add all commands to a parser; return what holds theirs."""
    subparsers = parser.add_subparsers(parser_class=_Parser)
    for module in COMMANDS.values():
        import_module(module).add_parser(subparsers)
    return subparsers


def _parser() -> argparse.ArgumentParser:
    from kpca_viewer.console import options as common

    parser = _MainParser(
        prog="kpca-viewer",
        usage=USAGE,
        formatter_class=argparse.RawDescriptionHelpFormatter,
        epilog="examples:\n  kpca-viewer --data wine\n"
        '  kpca-viewer --data moons --kernel "rbf(8) + 0.1*linear()"\n'
        "  kpca-viewer render wine --out wine.html",
    )
    parser.add_argument("--version", action="version", version=__version__)
    parser.add_argument(
        "--print-completion",
        metavar="SHELL",
        help="print what completes words in bash, zsh or tcsh",
    )
    parser.add_argument(
        "--print-man", action="store_true", help="print the manual page, for man"
    )
    parser.add_argument(
        "file",
        nargs="*",
        type=Path,
        help="a table, a session (.kpca) or a lesson (.lesson) to open; a folder, a "
        "pattern or several files for a table in parts",
    )
    common.add_data_options(parser)
    common.add_kernel_options(parser)
    parser.add_argument(
        "--lesson", metavar="NAME", help="begin a lesson: rings, or its file or folder"
    )
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


def _print_completion(shell: str) -> int:
    """Print a script for a shell, of all commands and their options."""
    try:
        import shtab
    except ImportError:
        raise DataError(
            "Completion needs shtab; install it with: pip install shtab"
        ) from None
    if shell not in shtab.SUPPORTED_SHELLS:
        raise DataError(
            f"There is no completion for “{shorten(shell)}”; choose one of "
            f"{', '.join(shtab.SUPPORTED_SHELLS)}."
        )
    parser = _parser()
    _with_commands(parser)
    sys.stdout.write(shtab.complete(parser, shell))
    return 0


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
