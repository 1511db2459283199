"""Every step of every lesson that comes with the program, wrong and right, by hand."""

import re
from collections.abc import Iterator

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton, QWidget

from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.features.lessons.checks import judge, right_answer
from kpca_viewer.features.lessons.files import built_in_lessons, read_lesson
from kpca_viewer.features.lessons.model import Question
from kpca_viewer.features.lessons.text import COVERED_LATER
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.controls import NumberField
from tests.e2e.files import accept, drop
from tests.ui.lessons.walking import Walker

LESSONS = [
    pytest.param(entry.path, language, id=f"{entry.key}-{language}")
    for entry in built_in_lessons()
    for language in entry.languages
]


def test_there_are_lessons():
    assert LESSONS


def wrong_answers(question: Question, right: str, rows: int):
    """Yield answers of the same kind, some of which are wrong."""
    if question.kind == "choice":
        yield from (str(n) for n in range(1, len(question.options) + 1))
    elif question.kind == "number":
        yield from (reply.answer for reply in question.replies)
        yield from (f"{float(right) + away!r}" for away in (1.0, -3.0, 17.0))
    elif question.kind == "matrix":
        size = right.count(";") + 1
        yield "; ".join([" ".join(["7"] * size)] * size)
    elif question.kind == "click":
        kind = question.answer.split()[0].removesuffix("s")
        most = {"row": rows, "component": 3, "frame": 3}[kind]
        yield from (f"{kind} {number}" for number in range(1, most + 1))
    elif question.kind == "place":
        x, y = map(float, right.split(","))
        yield from (f"{x * s}, {y * s}" for s in (0.0, 0.3, 0.6))


def is_wrong(question: Question, answer: str, values) -> bool:
    try:
        return judge(question, answer, values).verdict == "wrong"
    except DataError:
        return False


def answer(walker: Walker) -> None:
    """Answer a question wrong, if that can be, and then right."""
    walk = walker.lessons.walk
    step, values = walk.step, walker.lessons._prepared
    question = step.question
    assert set(walker.lessons.marks.covered) == set(step.cover), step.key
    if question.kind == "state":
        bring_about(walker, question)
    else:
        right = right_answer(question, values)
        rows = min(values.result.dataset.n, 30)
        found = wrong_answers(question, right, rows)
        wrong = [each for each in found if is_wrong(question, each, values)]
        given = give_any(walker, question, wrong)
        assert not walker.answered.right, (step.key, given)
        walker.press("restore")
        walker.give(question, right)
        walker.press("check")
    assert walker.answered.right, (step.key, walker.feedback, walker.program.message())
    assert_only_later_is_covered(walker)


def assert_only_later_is_covered(walker: Walker) -> None:
    """What is covered is what the next question of the same state asks for."""
    walk, expected = walker.lessons.walk, set()
    rest = walk.lesson.steps[walk.index + 1 :]
    if rest and walk.lesson.state_of(walk.index + 1) == walk.state:
        decides = walk.step.question.decided_by
        opened = {decides} | ({"panel:page"} if decides.startswith("page:") else set())
        expected = set(walk.step.cover) & set(rest[0].cover) - opened
    assert set(walker.lessons.marks.covered) == expected, walk.step.key
    assert {cover.accessibleName() for cover in walker.covers()} <= {COVERED_LATER}


def give_any(walker: Walker, question: Question, answers: list[str]) -> str:
    """Give the first of these answers that hands can reach, and check it."""
    for each in answers:
        walker.press("restore")
        try:
            walker.give(question, each)
        except AssertionError:
            continue  # a point below others
        if walker.strip.field.answer():
            walker.press("check")
            assert walker.answered.attempts == 1
            assert walker.feedback
            assert_only_later_is_covered(walker)
            return each
    raise AssertionError(f"No wrong answer could be given to “{question.text}”.")


def bring_about(walker: Walker, question: Question) -> None:
    """Check the window as the step begins, and as a student leaves it in the end."""
    walker.press("check")
    assert not walker.answered.right, "there is nothing to do"
    assert_only_later_is_covered(walker)
    walker.press("restore")
    for _ in ways_to(walker, " ".join(question.check)):
        walker.settle()
        if judge(question, "", walker.lessons._values()).is_right:
            break
    walker.press("check")


def ways_to(walker: Walker, check: str) -> Iterator[None]:
    """Change the window towards a check, with a pause wherever it may hold."""
    program = walker.program
    if found := re.search('kernel == "([a-z]+)"', check):
        program.action(f"kernel_{found[1]}").trigger()
        walker.settle()
    for name in ("coef0", "degree"):
        if found := re.search(f"{name} == ([0-9.]+)", check):
            enter(program, f"{name}_field", found[1])
    if found := re.search("axis.x == ([0-9]+)", check):
        walker.click_component(int(found[1]), None)
        walker.settle()
    for name in ("centred", "normalised"):
        if f"{name} == 1" in check:
            settings = program.settings
            way = settings.with_center if name == "centred" else None
            changed = (way or settings.with_normalisation)(True)
            program.viewer.presenter.change(changed)
            walker.settle()
    yield
    if "new_p" in check:
        settings = program.settings
        program.viewer.presenter.change(settings.with_centred_new_rows(True))
        yield
        points = program.result.dataset.points
        scale = float(np.abs(points).max())
        along = [(0.0, y * scale) for y in np.linspace(-2, 2, 33).tolist()]
        for place in [*map(tuple, points[:1].tolist()), *along]:
            program.board.changes.points_requested.emit((place,), None)
            yield
    elif "accuracy" in check or "rank" in check:
        for exponent in range(-6, 12):
            enter(program, "gamma_field", str(2.0**exponent))
            yield


def enter(program, name: str, value: str) -> None:
    """Type a number into a field of the window."""
    field = program.find(NumberField, name)
    field.setFocus()
    field.selectAll()
    program.type(value)
    program.press(Qt.Key.Key_Return)


@pytest.mark.parametrize(("path", "language"), LESSONS)
def test_every_step_is_answered_wrong_and_right(start, path, language):
    program = start()
    before = program.settings
    walker = Walker(program)
    program.viewer.preferences.set_lesson_language(language)
    walker.begin(path)
    lesson = walker.lessons.walk.lesson
    assert lesson.language == language
    assert lesson.steps == read_lesson(path, language).steps
    for index, step in enumerate(lesson.steps):
        assert walker.key == step.key
        assert "{" not in walker.strip.text.text().replace("\\", "") or "$" in step.text
        assert walker.strip.title.text() == step.title
        if step.question is not None:
            answer(walker)
        assert program.message() == "", (step.key, program.message())
        walker.page_down()
        assert (walker.lessons.walk is None) == (index + 1 == len(lesson.steps))
    program.settle()
    assert program.settings == before
    assert walker.lessons._kept(path).done


def test_the_first_card_begins_a_lesson_and_the_next_start_is_the_persons_own(
    start, restart
):
    program = start()
    program.drag_slider("gamma_slider", 0.45)
    program.settle()
    own = program.settings
    program.click(program.find(QPushButton, "first_card_lesson"))
    walker = Walker(program)
    program.until(lambda: walker.lessons.walk is not None)
    walker.settle()
    assert walker.lessons.walk.lesson.key == built_in_lessons()[0].key
    assert program.window.findChild(QWidget, "first_card").isHidden()
    walker.page_down()
    second = walker.key
    again = restart(program)
    assert again.settings == own
    assert again.message() == ""
    walker = Walker(again)
    walker.lessons.open_first()
    again.until(lambda: walker.lessons.walk is not None)
    walker.settle()
    assert walker.key == second


@pytest.fixture
def own_table(start, tmp_path):
    """The program with a table of the person's own."""
    program = start()
    rng = np.random.default_rng(0)
    table = tmp_path / "mine.csv"
    lines = [",".join(f"{x:.4f}" for x in row) for row in rng.normal(size=(50, 3))]
    table.write_text("a,b,c\n" + "\n".join(lines) + "\n")
    drop(program, table)
    accept(program)
    program.settle()
    return program


def test_a_session_of_a_file_comes_back_with_its_rows(own_table):
    program = own_table
    program.select(1, 4)
    before, shown = program.settings, program.result.dataset.points.copy()
    undo = program.viewer.store.undo_text
    walker = Walker(program)
    walker.begin(built_in_lessons()[0].path)
    assert program.settings != before
    program.click(walker.strip.leave)
    program.settle()
    assert program.settings == before
    assert program.viewer.store.undo_text == undo
    assert program.selected == [1, 4]
    np.testing.assert_array_equal(program.result.dataset.points, shown)


def test_a_step_takes_the_data_of_a_file_with_it(own_table, tmp_path, monkeypatch):
    program = own_table
    shown = program.result.dataset.points.copy()
    folder = tmp_path / "lesson"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(folder), ""))
    program.action("new_lesson").trigger()
    for name in ("add", "save"):
        program.click(program.find(QPushButton, f"author_{name}"))
    assert str(folder) in program.message()
    (tmp_path / "mine.csv").unlink()
    program.choose("source_combo", "Circles")
    program.settle()
    walker = Walker(program)
    walker.begin(folder)
    np.testing.assert_array_equal(program.result.dataset.points, shown)


@pytest.mark.parametrize("size", [(1280, 720), (1366, 768)])
def test_all_of_the_strip_is_seen_in_every_workspace(start, size):
    program = start()
    walker = Walker(program)
    walker.begin(built_in_lessons()[0].path)
    program.window.resize(*size)
    for workspace in WORKSPACES:
        program.board.show_workspace(workspace)
        walker.settle()
        strip = walker.strip
        for button in (strip.back, strip.next, strip.restore, strip.leave):
            assert button.visibleRegion().boundingRect() == button.rect()
        assert strip.text.width() > 300
