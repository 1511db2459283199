"""Whether an answer is right, and what is said to one that is not."""

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np

from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.expressions import (
    EXACT,
    LONGEST,
    no_names,
    number,
    parse,
    parse_comparison,
    parse_list,
    readings,
)
from kpca_viewer.features.lessons.model import Kind, Question, Reply
from kpca_viewer.features.lessons.values import LessonValues
from kpca_viewer.support.errors import DataError, excerpt

Verdict = Literal["right", "wrong", "unreadable"]

LARGEST_MATRIX = 12
"""Rows of a matrix that a person fills in."""

CLICKED = re.compile(r"(row|component|frame) ([0-9]{1,9})|rows((?: [0-9]{1,9})+)")
CELL = re.compile(r"\[([0-9]{1,4}), ?([0-9]{1,4})\] ?= ?(.+)", re.DOTALL)


@dataclass(frozen=True)
class Judgement:
    """What is found of an answer."""

    verdict: Verdict
    text: str = ""
    """The reply to a known wrong answer, or why an answer cannot be read; else what
    there is to say of any wrong one, which may be nothing."""
    cells: tuple[tuple[int, int], ...] = ()
    """Of a matrix: rows and columns, from 1, that are wrong or cannot be read."""

    @property
    def is_right(self) -> bool:
        return self.verdict == "right"


def judge(question: Question, answer: str, values: LessonValues) -> Judgement:
    """Compare an answer with the program's own numbers.

    Parameters
    ----------
    answer : str
        Of a choice, the number of an option from 1; of a number, what was typed; of a
        matrix, "1 0; 0 1" (see `matrix_answer`); of a click,
        "row 3", "component 2", "frame 5" or "rows 1 3"; of a place, "x, y" in units of
        the axes; of a state nothing: the values tell.
    values : LessonValues
        Of the state that the step sets; of a question for a state, of the window.

    Raises `DataError` where the question names a value that this state does not have:
    the lesson is wrong then. A state that does not have it is only not right yet.
    """
    return _JUDGES[question.kind](question, answer, values)


def matrix_answer(cells: Iterable[Iterable[str]]) -> str:
    """Return the cells of a grid as one answer: lines with ``;`` between them."""
    return "; ".join(" ".join("".join(c.split()) for c in line) for line in cells)


def clicked(what: str) -> tuple[str, frozenset[int]]:
    """Return what was clicked and which of it: "rows 1 3" is row, {1, 3}."""
    found = CLICKED.fullmatch(" ".join(what.split()))
    if found is None:
        raise DataError(text.no_click(excerpt(what)))
    if found[3]:
        return "row", frozenset(map(int, found[3].split()))
    return found[1], frozenset((int(found[2]),))


def right_answer(question: Question, values: LessonValues) -> str:
    """Return the right answer as a person would give it; of a state, its checks."""
    if question.kind == "number":
        return repr(number(parse(question.answer), values.lookup))
    if question.kind == "place":
        place = [number(part, values.lookup) for part in parse_list(question.answer)]
        return ", ".join(map(repr, place))
    if question.kind == "matrix":
        matrix = values.matrix(question.answer)
        return matrix_answer([repr(cell) for cell in line] for line in matrix.tolist())
    return "" if question.kind == "state" else question.answer


def _judge_choice(question: Question, answer: str, _: LessonValues) -> Judgement:
    known = [str(number) for number in range(1, len(question.options) + 1)]
    if answer not in known:
        return Judgement("unreadable", text.NOTHING_CHOSEN)
    if answer == question.answer:
        return Judgement("right")
    return _wrong(question, lambda reply: reply.answer == answer)


def _judge_number(question: Question, answer: str, values: LessonValues) -> Judgement:
    true = number(parse(question.answer), values.lookup)
    try:
        given = readings(answer)
    except DataError as error:
        return Judgement("unreadable", str(error))
    if _is_near(given, true, question.tolerance):
        return Judgement("right")

    def is_meant(reply: Reply) -> bool:
        wrong = number(parse(reply.answer), values.lookup)
        return _is_near(given, wrong, question.tolerance)

    return _wrong(question, is_meant)


def _is_near(given: Iterable[float], true: float, tolerance: float) -> bool:
    within = tolerance + EXACT * max(abs(true), 1.0)
    return any(abs(value - true) <= within for value in given)


def _judge_matrix(question: Question, answer: str, values: LessonValues) -> Judgement:
    true = values.matrix(question.answer)
    n = len(true)
    if n > LARGEST_MATRIX:
        raise DataError(text.large_matrix(LARGEST_MATRIX))
    lines = _lines(answer)
    if len(answer) > LONGEST * n or [len(line) for line in lines] != [n] * n:
        return Judgement("unreadable", text.wrong_shape(n))
    given: dict[tuple[int, int], tuple[float, ...]] = {}
    unread: list[tuple[int, int]] = []
    first = ""
    for i, line in enumerate(lines, start=1):
        for j, cell in enumerate(line, start=1):
            try:
                given[i, j] = readings(cell)
            except DataError as error:
                unread.append((i, j))
                first = first or text.in_cell(i, j, str(error))
    if unread:
        return Judgement("unreadable", first, tuple(unread))

    def are_near(expected: Mapping[tuple[int, int], float]) -> bool:
        return all(
            place in given and _is_near(given[place], value, question.tolerance)
            for place, value in expected.items()
        )

    wrong = tuple(
        (i, j) for i, j in given if not are_near({(i, j): float(true[i - 1, j - 1])})
    )
    if not wrong:
        return Judgement("right")
    found = _wrong(question, lambda reply: are_near(cells_of(reply.answer, values)))
    said = found.text or text.wrong_cells(len(wrong), *wrong[0])
    return Judgement("wrong", said, wrong)


def _lines(matrix: str) -> list[list[str]]:
    return [line.split() for line in matrix.split(";")]


def cells_of(
    reply: str, values: LessonValues | None = None
) -> dict[tuple[int, int], float]:
    """Return the numbers of a known wrong matrix by their places, from 1."""
    lookup = no_names if values is None else values.lookup
    if cell := CELL.fullmatch(reply.strip()):
        return {(int(cell[1]), int(cell[2])): number(parse(cell[3]), lookup)}
    lines = _lines(reply)
    if any(len(line) != len(lines) for line in lines):
        raise DataError(text.no_cell(excerpt(reply)))
    return {
        (i, j): number(parse(cell), lookup)
        for i, line in enumerate(lines, start=1)
        for j, cell in enumerate(line, start=1)
    }


def _judge_click(question: Question, answer: str, _: LessonValues) -> Judgement:
    try:
        given = clicked(answer)
    except DataError:
        return Judgement("unreadable", text.NOTHING_CLICKED)
    if given == clicked(question.answer):
        return Judgement("right")
    return _wrong(question, lambda reply: clicked(reply.answer) == given)


def _judge_place(question: Question, answer: str, values: LessonValues) -> Judgement:
    try:
        given = [number(part, values.lookup) for part in parse_list(answer)]
    except DataError:
        given = []
    if len(given) != 2:
        return Judgement("unreadable", text.NOTHING_CLICKED)

    def is_near(place: str) -> bool:
        expected = [number(part, values.lookup) for part in parse_list(place)]
        # An eigenvector may point either way: so may an axis.
        away = np.abs(np.abs(given) - np.abs(expected))
        return float(np.hypot(*away)) <= question.tolerance

    if is_near(question.answer):
        return Judgement("right")
    return _wrong(question, lambda reply: is_near(reply.answer))


def _judge_state(question: Question, _: str, values: LessonValues) -> Judgement:
    def holds(comparison: str) -> bool:
        try:
            return parse_comparison(comparison).holds(values.lookup)
        except DataError:
            return False  # such as the score of a new point that is not there yet

    if all(map(holds, question.check)):
        return Judgement("right")
    return _wrong(question, lambda reply: holds(reply.answer))


def _wrong(question: Question, is_meant: Callable[[Reply], bool]) -> Judgement:
    said = (reply.text for reply in question.replies if is_meant(reply))
    return Judgement("wrong", next(said, ""))


_JUDGES: Mapping[Kind, Callable[[Question, str, LessonValues], Judgement]] = {
    "choice": _judge_choice,
    "number": _judge_number,
    "matrix": _judge_matrix,
    "click": _judge_click,
    "place": _judge_place,
    "state": _judge_state,
}
