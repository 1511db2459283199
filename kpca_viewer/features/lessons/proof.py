"""Whether a lesson is right: states computed, places filled, answers compared."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.checks import (
    cells_of,
    clicked,
    judge,
    right_answer,
)
from kpca_viewer.features.lessons.expressions import (
    number,
    parse,
    parse_comparison,
)
from kpca_viewer.features.lessons.model import Lesson, Question, Step
from kpca_viewer.features.lessons.states import computed_values
from kpca_viewer.features.lessons.values import LessonValues, fill
from kpca_viewer.support.errors import DataError, KpcaError, sentence_of
from kpca_viewer.support.numerals import as_it_is
from kpca_viewer.support.progress import Progress, silent


@dataclass(frozen=True)
class Finding:
    """Something about a step that its author should know."""

    step: str
    text: str
    is_fault: bool = True
    """Whether the lesson is wrong; else it is only not proven."""


@dataclass(frozen=True, eq=False)
class Proof:
    """What was found about a lesson."""

    findings: tuple[Finding, ...]
    values: dict[str, LessonValues]
    """By the names of the states."""

    @property
    def faults(self) -> tuple[Finding, ...]:
        return tuple(each for each in self.findings if each.is_fault)


def prove(
    lesson: Lesson, others: Sequence[Lesson] = (), progress: Progress = silent
) -> Proof:
    """Compute all states of a lesson, and compare what it says with them."""
    values: dict[str, LessonValues] = {}
    found: list[Finding] = []
    for done, (name, state) in enumerate(lesson.states.items()):
        progress("computing", done / len(lesson.states))
        try:
            values[name] = computed_values(state)
        except KpcaError as error:
            found.append(Finding("", f"states/{name}.kpca: {sentence_of(error)}"))
    for index, step in enumerate(lesson.steps):
        found += _of_step(lesson, index, step, values)
        for other in others:
            found += _of_places(other.steps[index], values.get(lesson.state_of(index)))
    return Proof(tuple(found), values)


def _of_step(
    lesson: Lesson, index: int, step: Step, values: dict[str, LessonValues]
) -> Iterator[Finding]:
    state = lesson.state_of(index)
    if not state:
        yield Finding(step.key, text.NO_STATE_YET)
    if state not in values:
        return
    here = values[state]
    yield from _of_places(step, here)
    question = step.question
    if question is None:
        return
    try:
        if question.kind == "state":
            yield from _of_state(step.key, question, here, values)
        else:
            yield from _of_answer(step.key, question, here)
    except DataError as error:
        yield Finding(step.key, str(error))


def _of_places(step: Step, here: LessonValues | None) -> Iterator[Finding]:
    if here is None:
        return
    for content in texts_of(step):
        try:
            fill(content, here)
        except DataError as error:
            yield Finding(step.key, str(error))


def texts_of(step: Step) -> Iterator[str]:
    """Yield all texts of a step that may have places."""
    yield step.title
    yield step.text
    if step.question is not None:
        yield step.question.text
        yield step.question.hint
        yield from step.question.options
        for reply in step.question.replies:
            yield reply.text


def _of_answer(key: str, question: Question, here: LessonValues) -> Iterator[Finding]:
    if not judge(question, right_answer(question, here), here).is_right:
        yield Finding(key, text.NOT_RIGHT)
    if question.kind == "number" and not question.tolerance:
        true = number(parse(question.answer), here.lookup)
        if not true.is_integer():
            yield Finding(key, text.no_tolerance(as_it_is(true)))
    if question.kind == "place" and not question.tolerance:
        yield Finding(key, text.NO_ROOM)
    if question.kind == "click":
        yield from _of_click(key, question, here)
    for reply in question.replies:
        if _is_right(question, reply.answer, here):
            yield Finding(key, text.reply_to_right(reply.answer))


def _of_click(key: str, question: Question, here: LessonValues) -> Iterator[Finding]:
    result = here.result
    most = {
        "row": result.dataset.n,
        "component": len(here.eigenvalues),
        "frame": 10_000,
    }
    for answer in (question.answer, *(reply.answer for reply in question.replies)):
        what, which = clicked(answer)
        if not 1 <= min(which) <= max(which) <= most[what]:
            yield Finding(key, text.not_there(answer))


def _is_right(question: Question, answer: str, here: LessonValues) -> bool:
    if question.kind == "number":
        answer = repr(number(parse(answer), here.lookup))
    elif question.kind == "matrix":
        true = here.matrix(question.answer)
        return all(
            max(i, j) <= len(true) and abs(true[i - 1, j - 1] - value) < 1e-9
            for (i, j), value in cells_of(answer, here).items()
        )
    return judge(question, answer, here).is_right


def _of_state(
    key: str,
    question: Question,
    here: LessonValues,
    values: dict[str, LessonValues],
) -> Iterator[Finding]:
    if judge(question, "", here).is_right:
        yield Finding(key, text.ALREADY_RIGHT)
    if not question.solution:
        yield Finding(key, text.NO_SOLUTION, is_fault=False)
    elif question.solution in values:
        for check in question.check:
            if not _holds(check, values[question.solution]):
                yield Finding(key, text.not_solved(check))


def _holds(check: str, values: LessonValues) -> bool:
    try:
        return parse_comparison(check).holds(values.lookup)
    except DataError:
        return False
