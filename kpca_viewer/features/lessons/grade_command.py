"""``kpca-viewer grade``: marks for what a class has handed in."""

import argparse
from pathlib import Path
from typing import Any

from kpca_viewer.console.output import (
    Report,
    add_output_options,
    check_outputs,
    is_pipe,
    written,
)
from kpca_viewer.console.terminal import Watch, guarded

EXAMPLES = """\
examples:
  kpca-viewer grade class/ --out marks.csv
      a row for every file, with points and attempts for each question
  kpca-viewer grade class/ --lesson mine/ --out marks.csv
      for a lesson of your own

Every answer is checked again: what a file says of itself does not count.
What is there already is replaced only with --force.
The exit code is 0, or 2 with one line on stderr."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "grade",
        help="marks for what a class has handed in",
        description="Check what students have handed in for a lesson.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("folder", type=Path, help="with the files, or a folder each")
    parser.add_argument(
        "--lesson",
        metavar="LESSON",
        help="its folder, file or key (that of most files)",
    )
    parser.add_argument(
        "--out", type=Path, metavar="FILE", required=True, help="csv; - for stdout"
    )
    add_output_options(parser)
    parser.set_defaults(run=run)
    return parser


def run(options: argparse.Namespace) -> int:
    return guarded("grade", lambda watch: _grade(options, watch))


def _grade(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.features.lessons import text
    from kpca_viewer.features.lessons.files import lesson_path, read_lesson
    from kpca_viewer.features.lessons.grade import (
        grade_class,
        marks_csv,
        read_class,
        usual_lesson,
    )
    from kpca_viewer.support.atomic import write_atomically

    check_outputs([options.out], (), force=options.force)
    said = Report(options, pipes=is_pipe(options.out))
    watch("reading")
    read, faults = read_class(options.folder)
    key = options.lesson or usual_lesson(read.values())
    lesson = read_lesson(lesson_path(key))
    marks = grade_class(lesson, read, faults, watch)
    watch.clear()
    with written(options.out, ".csv") as target:
        write_atomically(target, marks_csv(lesson, marks))
    remarks = [f"{mark.file}: {mark.remark}" for mark in marks if mark.remark]
    said.say(text.graded(len(marks), lesson.title))
    for remark in remarks:
        said.say(f"  {remark}")
    said.note(lesson=lesson.key, files=len(marks), remarks=remarks)
    said.saved(options.out)
    said.finish()
