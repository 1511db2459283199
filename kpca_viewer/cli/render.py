"""``kpca-viewer render``: a session or data become a picture without a screen."""

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from kpca_viewer.console.looks import add_look_options
from kpca_viewer.console.options import add_data_options, add_kernel_options, number
from kpca_viewer.console.output import (
    Report,
    add_output_options,
    check_outputs,
    is_pipe,
    written,
)
from kpca_viewer.console.source import add_source, read_to_draw
from kpca_viewer.console.terminal import Watch, guarded
from kpca_viewer.features.registry import board_plots
from kpca_viewer.support import paths
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.numerals import byte_size
from kpca_viewer.support.picture_formats import (
    PICTURE_FORMATS,
    either,
    picture_endings,
)

if TYPE_CHECKING:
    from kpca_viewer.export.image_spec import ImageSpec

PAGE = ".html"
SIZE = "1366x768"
PRINT_DPI = 300.0
PRINT_POINTS = 8.0
"""Journals set figures in 7 to 9 pt."""
SCREEN_DPI = 96.0
FARTHEST = 1e100
"""A place of --at; squares of places far beyond overflow."""

EXAMPLES = """\
examples:
  kpca-viewer render work.kpca --out window.png
      the whole window, as the session was saved
  kpca-viewer render work.kpca --what embedding --mm 85x60 --dpi 300 --out fig1.png
      one column of a journal
  kpca-viewer render work.kpca --what data --legend below --font-size 7 \\
      --background transparent --mm 85x60 --out fig2.pdf
  kpca-viewer render --data moons --kernel rbf --gamma 8 --what spectrum --out s.svg
  kpca-viewer render wine --what embedding --3d --out wine.pdf
  kpca-viewer render wine --out wine.html --column alcohol --column hue
      a page that a colleague can open: zoom, hover, legend, lasso
  kpca-viewer render wine --what embedding --color alcohol --out alcohol.png

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
        help=f"{either(tuple(PICTURE_FORMATS))}, or html for a page to share; - writes "
        "a png to standard output",
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
    add(
        "--legend",
        nargs="?",
        const="auto",
        choices=("auto", "right", "below", "none"),
        help="where it stands what colours mean (default: where there is room)",
    )
    add(
        "--font-size",
        type=number,
        metavar="PT",
        help="of every text of a plot, in points (default: 8 with --mm, or 9)",
    )
    add("--font", metavar="NAME", default="", help="of every text of a plot")
    add(
        "--column",
        action="append",
        default=[],
        metavar="NAME",
        help="of a page: a column to hover and colour by, once for each; no other one "
        "is in it",
    )
    add(
        "--without",
        action="append",
        default=[],
        choices=("row names", "classes", "row pictures"),
        help="of a page: what of the rows stays here too, once for each",
    )
    add("--point-size", type=number, metavar="N", help="a diameter, 2 to 20")
    add("--title", action="store_true", help="the name of the data above a plot")
    add(
        "--caption", action="store_true", help="kernel, rows and exactness below a plot"
    )
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
    if options.out.suffix.lower() == PAGE:
        _render_page(options, watch)
        return
    if options.column or options.without:
        what = "--column" if options.column else "--without"
        raise DataError(f"{what} is for a page; let --out end in .html.")
    spec_or_size = _checked_size(options)
    check_outputs([options.out], (options.source, options.data), force=options.force)
    report = Report(options, pipes=is_pipe(options.out))
    request, document = read_to_draw(options, watch)
    settings = request.settings
    if options.three:
        key = "data_3d" if options.what == "data" else "embedding_3d"
        settings = settings.with_view(**{key: True})
    if options.point_size is not None:
        if not 2 <= options.point_size <= 20:
            raise DataError("--point-size is a diameter from 2 to 20; choose one.")
        settings = settings.with_view(point_size=options.point_size)
    document = replace(document, settings=settings)
    from kpca_viewer.cli.drawing import computed, save_plot
    from kpca_viewer.widgets.theme import THEMES

    theme = THEMES[options.theme]
    shown = computed(
        document, settings, request.opened, theme, watch, what=options.what
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


def _render_page(options: argparse.Namespace, watch: Watch) -> None:
    """Write the embedding as a page, which has neither a size nor a theme."""
    if options.what not in ("window", "embedding"):
        raise DataError(
            f"A page shows the embedding, not {options.what}; let --out end in "
            f"{either(picture_endings())}."
        )
    for name in ("size", "mm", "dpi", "shape", "size_by", "labels"):
        if getattr(options, name):
            raise DataError(
                f"--{name.replace('_', '-')} is for a picture; a page has the size of "
                "its window, and one kind of points."
            )
    check_outputs([options.out], (options.source, options.data), force=options.force)
    report = Report(options)
    request, document = read_to_draw(options, watch)
    settings = request.settings
    if options.three:
        settings = settings.with_view(embedding_3d=True)
    document = replace(document, settings=settings)
    from kpca_viewer.cli.drawing import computed
    from kpca_viewer.cli.page import save_page
    from kpca_viewer.export.page import colored_by
    from kpca_viewer.widgets.theme import LIGHT

    shown = computed(document, settings, request.opened, LIGHT, watch, what="embedding")
    columns = list(options.column)
    if options.color is not None:
        colored = colored_by(shown.result)
        if not colored:
            raise DataError(
                f"A page is coloured by classes or a column, not by {options.color}; "
                "choose one of them."
            )
        if colored not in columns:
            columns.append(colored)
    with written(options.out, PAGE) as target:
        inside = save_page(target, shown, columns, options.without)
    watch.clear()
    notes = [*request.notes, *shown.news, inside]
    for note in notes:
        report.say(note)
    report.note(notes=[*notes, *request.remarks], rows=shown.result.dataset.n)
    report.saved(options.out, f" ({byte_size(options.out.stat().st_size)})")
    report.finish()


# Size and format


def _checked_size(options: argparse.Namespace) -> "tuple[int, int] | ImageSpec":
    """Return the size of the window or the spec of a plot; refuse what cannot be."""
    kind = ".png" if is_pipe(options.out) else options.out.suffix.lower()
    if kind not in picture_endings():
        raise DataError(
            f"“{options.out.name}” does not end in "
            f"{either((*picture_endings(), PAGE))}; the ending chooses the format."
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
        around = (options.background, options.title, options.legend, options.caption)
        if any(around) or options.font or options.font_size:
            raise DataError(
                "The window has its own title, legend, font and background; leave out "
                "the options for those, or choose another --what."
            )
        width, height = _pair(options.size, "--size", SIZE)
        if not (width == int(width) and height == int(height)):
            raise DataError(f"--size {options.size} is not in whole pixels.")
        from kpca_viewer.export.image_spec import ImageSpec

        return ImageSpec("png", width, height, "px", SCREEN_DPI).pixels
    return _spec(options, kind)


def _spec(options: argparse.Namespace, kind: str) -> "ImageSpec":
    # Of Qt, only what no screen needs: values.
    from kpca_viewer.export.image_spec import POINTS, ImageSpec

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
        legend=options.legend or "auto",
        caption=options.caption,
        scale=(options.font_size or (PRINT_POINTS if in_print else POINTS)) / POINTS,
        family=options.font,
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
