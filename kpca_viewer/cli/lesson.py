"""``kpca-viewer lesson``: begin, check and print lessons, without a screen."""

import argparse
from pathlib import Path
from typing import Any

from kpca_viewer.console.output import (
    Report,
    add_output_options,
    add_speech_options,
    check_outputs,
)
from kpca_viewer.console.terminal import Watch, guarded

EXAMPLES = """\
examples:
  kpca-viewer lesson new mine
      a folder with a lesson to begin with; docs/lessons.md explains it
  kpca-viewer lesson check mine
      computes every state, fills every place, compares the stated answers
  kpca-viewer lesson render rings --out rings.pdf
      a hand-out with one picture a step, and blanks for the answers
  kpca-viewer lesson render rings --solutions --language de --out loesungen.pdf

The exit code is 0, or 2 with one line on stderr."""


def add_parser(subparsers: Any) -> argparse.ArgumentParser:
    """Add the command to the program."""
    parser: argparse.ArgumentParser = subparsers.add_parser(
        "lesson",
        help="begin, check or print a lesson",
        description="Lessons: folders or .lesson files, and those that are built in.",
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    actions = parser.add_subparsers(required=True, metavar="new | check | render")
    new = actions.add_parser("new", help="write a lesson to begin with")
    new.add_argument("folder", type=Path, help="that is not there yet")
    add_speech_options(new)
    new.set_defaults(run=_guarded(_new))
    check = actions.add_parser("check", help="compare what a lesson says with numbers")
    check.add_argument("lesson", help="a folder, a .lesson file, or a key")
    add_speech_options(check)
    check.set_defaults(run=_guarded(_check))
    render = actions.add_parser("render", help="a hand-out on pages of A4")
    render.add_argument("lesson", help="a folder, a .lesson file, or a key")
    add = render.add_argument
    add("--out", type=Path, metavar="FILE", required=True, help="pdf")
    add("--solutions", action="store_true", help="with the answers")
    add("--language", metavar="CODE", help="de, for example")
    add_output_options(render)
    render.set_defaults(run=_guarded(_render))
    return parser


def _guarded(work: Any) -> Any:
    return lambda options: guarded("lesson", lambda watch: work(options, watch))


def _new(options: argparse.Namespace, _watch: Watch) -> None:
    from kpca_viewer.engine.document.model import Document
    from kpca_viewer.engine.settings import (
        DataSettings,
        KernelSettings,
        SessionSettings,
        as_values,
    )
    from kpca_viewer.features.lessons import text
    from kpca_viewer.features.lessons.members import MAIN
    from kpca_viewer.features.lessons.states import state_text
    from kpca_viewer.support import paths
    from kpca_viewer.support.atomic import write_atomically
    from kpca_viewer.support.errors import ExportError

    said, folder = Report(options), options.folder
    if paths.exists(folder):
        raise ExportError(text.folder_taken(str(folder)))
    check_outputs([folder], (), force=False)
    rings = SessionSettings(
        DataSettings.of_source("circles"),
        KernelSettings("rbf", as_values({"gamma": 2.0})),
    )
    (folder / "states").mkdir(parents=True)
    files = {
        MAIN: text.NEW_LESSON.encode(),
        "states/rings.kpca": state_text(Document(rings)),
    }
    for name, content in files.items():
        write_atomically(folder / name, content)
        said.saved(folder / name)
    said.finish()


def _check(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.features.lessons import text
    from kpca_viewer.features.lessons.files import lesson_path, read_lesson
    from kpca_viewer.features.lessons.proof import prove
    from kpca_viewer.support.errors import DataError

    said, path = Report(options), lesson_path(options.lesson)
    lesson = read_lesson(path)
    others = [read_lesson(path, code) for code in lesson.languages[1:]]
    proof = prove(lesson, others, watch)
    watch.clear()
    told = [text.in_step(each.step, each.text) for each in proof.findings]
    for sentence in told:
        said.say(sentence)
    questions = sum(step.question is not None for step in lesson.steps)
    said.note(
        lesson=lesson.key,
        steps=len(lesson.steps),
        questions=questions,
        languages=list(lesson.languages),
        faults=[text.in_step(each.step, each.text) for each in proof.faults],
        findings=told,
    )
    if not proof.faults:
        languages = list(lesson.languages)
        said.say(text.checked(len(lesson.steps), questions, languages))
    said.finish()
    if proof.faults:
        raise DataError(text.faults(len(proof.faults), lesson.key))


def _render(options: argparse.Namespace, watch: Watch) -> None:
    from kpca_viewer.cli.hand_out import write_hand_out
    from kpca_viewer.features.lessons.files import lesson_path, read_lesson

    path = lesson_path(options.lesson)
    check_outputs([options.out], (path,), force=options.force)
    said = Report(options)
    lesson = read_lesson(path, options.language)
    write_hand_out(options.out, lesson, solutions=options.solutions, progress=watch)
    watch.clear()
    said.saved(options.out)
    said.finish()
