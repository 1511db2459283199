"""``python -m tools.preview NAME`` shows a widget with sample data."""

import argparse
import os
import sys
from collections.abc import Collection, Sequence
from difflib import get_close_matches
from pathlib import Path

from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, KpcaError
from kpca_viewer.support.screen import has_screen

PROGRAM = "python -m tools.preview"


def main(arguments: Sequence[str] | None = None) -> int:
    """List the widgets, or show or save one; returns the exit code."""
    options = _parser().parse_args(arguments)
    if options.save is not None:
        # Before there is an application: a picture needs no display server.
        os.environ["QT_QPA_PLATFORM"] = "offscreen"
    try:
        return _list() if options.name is None else _preview(options)
    except KpcaError as error:
        sys.stderr.write(f"{error}\n")
        return 2


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description="Show a widget by itself with sample data. Without a name, the "
        "widgets are listed.",
    )
    add = parser.add_argument
    add("name", nargs="?", metavar="NAME", help="of a widget")
    add("--theme", choices=("light", "dark"), default="light")
    add(
        "--size",
        type=_pixels,
        metavar="WxH",
        help="in pixels (default: what suits the widget)",
    )
    add("--save", type=Path, metavar="FILE", help="save a PNG instead; needs no screen")
    return parser


def _list() -> int:
    from tools.preview.pages import PAGES

    width = max(map(len, PAGES))
    for name, page in PAGES.items():
        sys.stdout.write(f"{name:{width}}  {page.about}\n")
    return 0


def _preview(options: argparse.Namespace) -> int:
    from kpca_viewer.export.image import png_bytes
    from kpca_viewer.widgets.theme import THEMES
    from kpca_viewer.window.application import application
    from tools.preview.pages import PAGES, picture, preview

    if options.name not in PAGES:
        raise DataError(_unknown(options.name, PAGES))
    if options.save is None and not has_screen():
        raise DataError("There is no screen here; add --save FILE to get a picture.")
    app = application()
    window = preview(PAGES[options.name], THEMES[options.theme], options.size)
    if options.save is not None:
        write_atomically(options.save, png_bytes(picture(window)))
        return 0
    window.show()
    return app.exec()


def _unknown(name: str, names: Collection[str]) -> str:
    near = get_close_matches(name, names) or [known for known in names if name in known]
    remedy = "without a name, all are listed."
    if near:
        remedy = f"did you mean {' or '.join(near)}?"
    return f"There is no widget “{name}”; {remedy}"


def _pixels(text: str) -> tuple[int, int]:
    width, _, height = text.lower().partition("x")
    if not (width.isdigit() and height.isdigit() and int(width) and int(height)):
        raise argparse.ArgumentTypeError(f"{text} is not WIDTHxHEIGHT, such as 640x480")
    return int(width), int(height)


if __name__ == "__main__":
    sys.exit(main())
