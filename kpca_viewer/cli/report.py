"""``kpca-viewer report``: an analysis as a document, without a screen."""

import argparse
from pathlib import Path
from typing import Any

from kpca_viewer.console.looks import add_look_options
from kpca_viewer.console.options import add_data_options, add_kernel_options
from kpca_viewer.console.output import (
    Report,
    add_output_options,
    check_outputs,
    is_pipe,
    written,
)
from kpca_viewer.console.source import add_source, read_to_draw
from kpca_viewer.console.terminal import Watch, guarded

EXAMPLES = """\
examples:
  kpca-viewer report wine --out wine.html
      one page that needs nothing beside it
  kpca-viewer report work.kpca --out work.pdf
      a session, as pages of A4
  kpca-viewer report --data moons --kernel rbf --gamma 8 --out - | wc -c

The ending of --out chooses the format: html or pdf. In it are data, preparation,
kernel, pictures, spectrum with bounds, influence of columns, odd rows, versions, the
code that gives the same numbers, and a paragraph for a methods section.
What is there already is replaced only with --force.
The exit code is 0, or 2 with one line on stderr."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command to the program."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "report",
        help="a document about a session or data, without a screen",
        description="Write all there is to know of an analysis into one document.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_source(parser)
    group = parser.add_argument_group("report")
    group.add_argument(
        "--out",
        type=Path,
        metavar="FILE",
        required=True,
        help="html or pdf; - writes html to standard output",
    )
    add_look_options(group)
    add_output_options(group)
    add_data_options(parser)
    add_kernel_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> int:
    return guarded("report", lambda watch: _report(options, watch))


def _report(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.features.report.subject import report_format

    if not is_pipe(options.out):
        report_format(options.out)
    check_outputs([options.out], (options.source, options.data), force=options.force)
    said = Report(options, pipes=is_pipe(options.out))
    request, document = read_to_draw(options, watch)
    settings = request.settings
    from kpca_viewer.cli.drawing import computed, shown_board
    from kpca_viewer.export.image import all_of
    from kpca_viewer.features.report.page import pictures_painting, subject_of
    from kpca_viewer.features.report.report import write_report
    from kpca_viewer.widgets.picture_sources import board_sources
    from kpca_viewer.widgets.theme import LIGHT

    shown = computed(document, settings, request.opened, LIGHT, watch, what="pca")
    watch("drawing")
    with shown_board(shown) as (board, content):
        pictures = all_of(pictures_painting(board_sources(board), content))()
        subject = subject_of(content)
    with written(options.out, ".html") as target:
        write_report(target, subject, pictures, progress=watch)
    watch.clear()
    notes = [*request.notes, *shown.news]
    for note in notes:
        said.say(note)
    said.note(notes=[*notes, *request.remarks])
    said.saved(options.out)
    said.finish()
