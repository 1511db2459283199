"""``kpca-viewer render``: a session or data become a picture without a screen."""

import argparse
import os
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.looks import add_look_options, asks_for_looks, with_looks
from kpca_viewer.console.options import (
    Chosen,
    add_data_options,
    add_kernel_options,
    dataset_of,
    number,
)
from kpca_viewer.console.output import (
    Report,
    add_output_options,
    check_outputs,
    is_pipe,
    written,
)
from kpca_viewer.console.source import add_source, read_source
from kpca_viewer.console.terminal import Watch, guarded
from kpca_viewer.features.registry import board_plots
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.picture_formats import (
    PICTURE_FORMATS,
    either,
    picture_endings,
)

if TYPE_CHECKING:
    from kpca_viewer.export.image_spec import ImageSpec

SIZE = "1366x768"
PRINT_DPI = 300.0
SCREEN_DPI = 96.0
FARTHEST = 1e100
"""A place of --at; squares of places far beyond overflow."""

EXAMPLES = """\
examples:
  kpca-viewer render work.kpca --out window.png
      the whole window, as the session was saved
  kpca-viewer render work.kpca --what embedding --mm 85x60 --dpi 300 --out fig1.png
      one column of a journal
  kpca-viewer render work.kpca --what data --legend --caption --background white \\
      --mm 85x60 --out fig2.pdf
  kpca-viewer render --data moons --kernel rbf --gamma 8 --what spectrum --out s.svg
  kpca-viewer render assets/data/wine.csv --what embedding --3d --out wine.pdf
  kpca-viewer render assets/data/planets.csv --what embedding --color period_days \\
      --labels --legend --out planets.png

The ending of --out chooses the format: png, svg or pdf; the window is always a png.
What is there already is replaced only with --force.
The exit code is 0, or 2 with one line on stderr."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command to the program."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "render",
        help="a picture of a session or of data, without a screen",
        description="Draw a session, data, or what the options ask for, into a file.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_source(parser)
    group = parser.add_argument_group("picture")
    add = group.add_argument
    add(
        "--out",
        type=Path,
        metavar="FILE",
        required=True,
        help=f"{either(tuple(PICTURE_FORMATS))}; - writes a png to standard output",
    )
    add(
        "--what",
        choices=tuple(dict.fromkeys(("window", "board", *board_plots()))),
        default="window",
        help="the plot (default: %(default)s)",
    )
    add(
        "--at",
        nargs=2,
        type=number,
        metavar=("X", "Y"),
        help="of --what preimage: a place of the embedding (default: a walk along a "
        "component through the mean of the rows)",
    )
    add("--size", metavar="WxH", help=f"in pixels (default: {SIZE})")
    add("--mm", metavar="WxH", help="in millimetres, for print")
    add("--dpi", type=number, metavar="N", help="with --mm (default: 300)")
    add("--theme", choices=("light", "dark"), default="light")
    add(
        "--background",
        choices=("theme", "white", "transparent"),
        help="of a plot (default: theme)",
    )
    for name, words in (
        ("title", "the name of the data above a plot"),
        ("legend", "what the colours of a plot mean"),
        ("caption", "kernel, rows and exactness below a plot"),
    ):
        add(f"--{name}", action="store_true", help=words)
    add(
        "--3d",
        dest="three",
        action="store_true",
        help="the embedding, or the data, in three dimensions",
    )
    add_look_options(group)
    add_output_options(group)
    add_data_options(parser)
    add_kernel_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> int:
    return guarded("render", lambda watch: _render(options, watch))


def _render(options: argparse.Namespace, watch: Watch) -> None:
    if options.at is not None and options.what != "preimage":
        raise DataError("--at is a place for --what preimage; give both or neither.")
    if options.at is not None and not all(abs(x) < FARTHEST for x in options.at):
        raise DataError("--at needs two finite numbers near the embedding; check them.")
    spec_or_size = _checked_size(options)
    check_outputs([options.out], (options.source, options.data), force=options.force)
    report = Report(options, pipes=is_pipe(options.out))
    # Both before Qt is loaded: no display server, and no other binding.
    os.environ["QT_QPA_PLATFORM"] = "offscreen"
    os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"
    request, document = read_source(options, watch)
    request = _in_three(request, options)
    if asks_for_looks(options):
        looks = with_looks(request.settings, options, dataset_of(request))
        request = replace(request, settings=looks)
    kept = replace(document.notes, pins=())
    document = replace(document, settings=request.settings, notes=kept, unread=0)
    from kpca_viewer.cli.drawing import computed, save_plot
    from kpca_viewer.widgets.theme import THEMES

    theme = THEMES[options.theme]
    shown = computed(
        document, request.settings, request.opened, theme, watch, what=options.what
    )
    watch("drawing")
    with written(options.out, ".png") as target:
        if isinstance(spec_or_size, tuple):
            from kpca_viewer.cli.drawing import save_window

            width, height = spec_or_size
            save_window(target, shown, spec_or_size)
        else:
            width, height = spec_or_size.pixels
            folder = paths.real(options.out).parent
            at = None if options.at is None else tuple(options.at)
            save_plot(target, spec_or_size, shown, options.what, folder, at)
    watch.clear()
    notes = [*request.notes, *shown.news]
    for note in notes:
        report.say(note)
    report.note(notes=[*notes, *request.remarks], width=width, height=height)
    size = f"{width} × {height} pixels"
    if options.mm is not None:
        size = f"{options.mm.lower().replace('x', ' × ')} mm"
    report.saved(options.out, f" ({size})")
    report.finish()


def _in_three(request: Chosen, options: argparse.Namespace) -> Chosen:
    if not options.three:
        return request
    view = request.settings.view
    if options.what == "data":
        view = replace(view, data_3d=True)
    else:
        view = replace(view, embedding_3d=True)
    return replace(request, settings=replace(request.settings, view=view))


# Size and format


def _checked_size(options: argparse.Namespace) -> "tuple[int, int] | ImageSpec":
    """Return the size of the window or the spec of a plot; refuse what cannot be."""
    kind = ".png" if is_pipe(options.out) else options.out.suffix.lower()
    if kind not in picture_endings():
        raise DataError(
            f"“{options.out.name}” does not end in {either(picture_endings())}; the "
            "ending chooses the format."
        )
    if options.mm is not None and options.size is not None:
        raise DataError("--mm and --size are two sizes; give one of them.")
    if options.dpi is not None and options.mm is None:
        raise DataError("--dpi needs a size in millimetres; add --mm.")
    if options.what == "window":
        if kind != ".png" or options.mm is not None:
            raise DataError(
                "The window is saved as a PNG with a size in pixels; choose another "
                "--what for print, for example embedding."
            )
        if options.background or options.title or options.legend or options.caption:
            raise DataError(
                "The window has its own title, legend and background; leave out the "
                "options for those, or choose another --what."
            )
        width, height = _pair(options.size, "--size", SIZE)
        if not (width == int(width) and height == int(height)):
            raise DataError(f"--size {options.size} is not in whole pixels.")
        from kpca_viewer.export.image_spec import ImageSpec

        return ImageSpec("png", width, height, "px", SCREEN_DPI).pixels
    return _spec(options, kind)


def _spec(options: argparse.Namespace, kind: str) -> "ImageSpec":
    # Of Qt, only what no screen needs: values.
    from kpca_viewer.export.image_spec import ImageSpec

    in_print = options.mm is not None
    width, height = (
        _pair(options.mm, "--mm", "85x60")
        if in_print
        else _pair(options.size, "--size", SIZE)
    )
    dpi = PRINT_DPI if options.dpi is None else options.dpi
    return ImageSpec(
        kind.removeprefix("."),
        width,
        height,
        "mm" if in_print else "px",
        dpi if in_print else SCREEN_DPI,
        background=options.background or "theme",
        title=options.title,
        legend=options.legend,
        caption=options.caption,
    )


def _pair(text: str | None, name: str, example: str) -> tuple[float, float]:
    text = example if text is None else text
    width, _, height = text.lower().partition("x")
    try:
        sides = float(width), float(height)
    except ValueError:
        sides = (0.0, 0.0)
    if not (0 < sides[0] < 1e5 and 0 < sides[1] < 1e5):
        raise DataError(f"{name} {text} is not WIDTHxHEIGHT, such as {example}.")
    return sides
