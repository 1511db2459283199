"""Marks of a class: every answer is checked again by the engine."""

import csv
import io
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from kpca_viewer.engine.document.model import Document
from kpca_viewer.export.table_files import neutralised
from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.checks import judge
from kpca_viewer.features.lessons.expressions import names_in, parse_comparison
from kpca_viewer.features.lessons.hand_in import HandedAnswer, HandIn, read_hand_in
from kpca_viewer.features.lessons.model import Lesson, Question
from kpca_viewer.features.lessons.states import computed_values
from kpca_viewer.features.lessons.values import LessonValues
from kpca_viewer.support.errors import DataError, KpcaError, sentence_of
from kpca_viewer.support.progress import Progress, silent

MOST_FILES = 5_000

OF_DATA = frozenset(("source", "n", "d", "x"))
"""Values that a check names where the student was asked for other data."""

FEW_ROWS = 5_000
"""Of data that a student has chosen."""


@dataclass(frozen=True)
class Mark:
    """What one file is worth."""

    file: str
    name: str = ""
    points: Mapping[str, int] = field(default_factory=dict)
    """1 or 0 by the key of a step; empty where the file cannot be graded."""
    attempts: Mapping[str, int] = field(default_factory=dict)
    """As the file says."""
    remark: str = ""


class Grader:
    """Grades what was handed in for one lesson; remembers the lesson's own values."""

    def __init__(self, lesson: Lesson) -> None:
        self.lesson = lesson
        self.questions: dict[str, Question] = {
            step.key: step.question for step in lesson.steps if step.question
        }
        self._places = {step.key: i for i, step in enumerate(lesson.steps)}
        self._values: dict[str, LessonValues] = {}

    def grade(self, file: str, handed: HandIn) -> Mark:
        """Return the points of a student, and what is to be said about them."""
        if handed.lesson != self.lesson.key:
            remark = text.other_lesson(handed.lesson)
            return Mark(file, handed.name, remark=remark)
        given = {each.step: each for each in handed.answers}
        points, remarks = {}, []
        if not handed.name:
            remarks.append(text.NO_NAME)
        for key, question in self.questions.items():
            answer = given.get(key, HandedAnswer(key))
            points[key], said = self._points(key, question, answer)
            if said:
                remarks.append(f"{key}: {said}")
            elif answer.right and not points[key]:
                remarks.append(f"{key}: {text.FORGED}")
        known = [each.key for each in self.lesson.steps]
        if any(key not in known for key in given):
            remarks.append(text.UNKNOWN_STEPS)
        attempts = {
            key: given[key].attempts if key in given else 0 for key in self.questions
        }
        return Mark(file, handed.name, points, attempts, " ".join(remarks))

    def _points(
        self, key: str, question: Question, answer: HandedAnswer
    ) -> tuple[int, str]:
        """Return the points of an answer, and why it could not be judged."""
        if question.kind != "state":
            if not answer.answer:
                return 0, ""
            values = self._values_of(self.lesson.state_of(self._places[key]))
            return int(judge(question, answer.answer, values).is_right), ""
        if answer.state is None:
            return 0, ""
        own = self.lesson.states[self.lesson.state_of(self._places[key])]
        try:
            values = computed_values(comparable(answer.state, own, question))
            return int(judge(question, "", values).is_right), ""
        except (KpcaError, MemoryError) as error:
            return 0, sentence_of(error)

    def _values_of(self, state: str) -> LessonValues:
        if state not in self._values:
            self._values[state] = computed_values(self.lesson.states[state])
        return self._values[state]


def comparable(state: Document, own: Document, question: Question) -> Document:
    """Return the state of a student on the data of the lesson."""
    given, true = state.settings.data, own.settings.data
    if own.data.embedded is not None:
        # A window that has other data of that name calls them differently.
        given = replace(given, source=true.source)
        state = replace(state, settings=replace(state.settings, data=given))
    as_own = replace(
        given, scaling=true.scaling, column_scaling=true.column_scaling, groups=()
    )
    if as_own == replace(true, groups=()):
        return replace(state, data=own.data)
    named = {
        name.name
        for each in question.check
        for name in names_in(parse_comparison(each))
    }
    samples = dict(given.values).get("samples", 0)
    if not named & OF_DATA or own.data.embedded is not None or samples > FEW_ROWS:
        raise DataError(text.OTHER_DATA)
    return state


def hand_ins(folder: Path) -> list[Path]:
    """Return the files of a class, also those in a folder for each student."""
    if not folder.is_dir():
        raise DataError(text.no_folder(str(folder)))
    found = []
    for path in folder.rglob("*"):
        shown = path.relative_to(folder).parts
        if path.is_file() and not any(part.startswith(".") for part in shown):
            found.append(path)
        if len(found) > MOST_FILES:
            raise DataError(text.many_hand_ins(MOST_FILES))
    if not found:
        raise DataError(text.empty_folder(str(folder)))
    return sorted(found)


def read_class(folder: Path) -> tuple[dict[str, HandIn], dict[str, str]]:
    """Return what was handed in, and what is wrong with files that are none."""
    read: dict[str, HandIn] = {}
    faults: dict[str, str] = {}
    for path in hand_ins(folder):
        name = path.relative_to(folder).as_posix()
        try:
            if path.is_symlink():
                raise DataError(text.LINK)
            read[name] = read_hand_in(path)
        except DataError as error:
            faults[name] = str(error)
    return read, faults


def usual_lesson(handed: Iterable[HandIn]) -> str:
    """Return the key of the lesson that most of a class has handed in."""
    counted = Counter(each.lesson for each in handed)
    if not counted:
        raise DataError(text.NOTHING_HANDED_IN)
    return counted.most_common(1)[0][0]


def grade_class(
    lesson: Lesson,
    read: Mapping[str, HandIn],
    faults: Mapping[str, str],
    progress: Progress = silent,
) -> list[Mark]:
    """Return a mark for every file, in the order of their names."""
    grader = Grader(lesson)
    names = Counter(each.name for each in read.values() if each.lesson == lesson.key)
    marks = [Mark(file, remark=fault) for file, fault in faults.items()]
    for done, (file, handed) in enumerate(read.items()):
        progress("grading", done / len(read))
        mark = grader.grade(file, handed)
        if handed.name and names[handed.name] > 1:
            mark = replace(mark, remark=f"{mark.remark} {text.SAME_NAME}".strip())
        marks.append(mark)
    return sorted(marks, key=lambda mark: mark.file)


def marks_csv(lesson: Lesson, marks: Iterable[Mark]) -> bytes:
    """Return the marks as a table, no cell of which a spreadsheet runs as a formula."""
    keys = [step.key for step in lesson.steps if step.question]
    head = ["file", "name", "points", "of"]
    head += [*keys, *(f"{key} attempts" for key in keys), "remark"]
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\r\n")
    writer.writerow(head)
    for mark in marks:
        graded = bool(mark.points)
        row = [mark.file, mark.name]
        row += [str(sum(mark.points.values())) if graded else "", str(len(keys))]
        row += [str(mark.points.get(key, "")) for key in keys]
        row += [str(mark.attempts.get(key, "")) for key in keys]
        writer.writerow([neutralised(cell) for cell in (*row, mark.remark)])
    # Spreadsheets take UTF-8 for something else without a mark.
    return buffer.getvalue().encode("utf-8-sig", "replace")
