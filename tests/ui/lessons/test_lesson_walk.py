"""A lesson in the window: steps, questions, covers, and the session that comes back."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog, QInputDialog, QLabel, QLineEdit, QMenu

from kpca_viewer.engine.messages import noticed
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.features.lessons.checks import right_answer
from kpca_viewer.features.lessons.files import built_in_lessons
from kpca_viewer.features.lessons.hand_in import read_hand_in
from kpca_viewer.resources import asset
from tests.e2e.program import CTRL
from tests.ui.lessons.samples import LESSON, RINGS, without_translation, write
from tests.ui.lessons.walking import Walker


def go(walker: Walker, key: str) -> None:
    while walker.key != key:
        walker.press("next")


WRONG = {
    "choice": "2",
    "number": "1/3",
    "matrix": "1 0 1; 0 1 0; 1 0 2",
    "row": "row 1",
    "bar": "component 3",
    "frame": "frame 1",
}


@pytest.mark.parametrize("key", [*WRONG, "place"])
def test_a_wrong_answer_and_the_right_one_are_told_apart(walker, key):
    go(walker, key)
    question = walker.lessons.walk.step.question
    values = walker.lessons._prepared
    right = right_answer(question, values)
    wrong = WRONG.get(key)
    if key == "place":
        x, y = map(float, right.split(","))
        right, wrong = f"{x}, {y}", f"{x / 3}, {y / 3}"
    walker.give(question, wrong)
    walker.press("check")
    assert not walker.answered.right
    assert walker.answered.attempts == 1, (
        walker.feedback,
        walker.program.message(),
        walker.strip.field.answer(),
    )
    assert walker.feedback
    assert not walker.covers()
    assert walker.strip.attempts.text() == "1 attempt"
    walker.press("restore")
    walker.give(question, right)
    walker.press("check")
    assert walker.answered.right, (
        walker.feedback,
        walker.program.message(),
        walker.strip.field.answer(),
    )
    assert walker.feedback == "Right, after 2 attempts."
    assert not walker.covers()


def test_nothing_counts_before_there_is_an_answer(walker):
    walker.press("check")
    assert walker.feedback == "Choose one of the answers."
    assert walker.answered.attempts == 0
    assert walker.covers()


def test_numbers_of_the_derivation_are_covered_until_an_answer(walker):
    go(walker, "matrix")
    view = walker.program.board.compare.views["derivation"].view
    assert view.covered == {"step:kernel", "entry:centred:1:1", "panel:explanation"}
    question = walker.lessons.walk.step.question
    walker.give(question, WRONG["matrix"])
    walker.press("check")
    assert view.covered == set()
    marked = [
        (i, j)
        for i, line in enumerate(walker.strip.field.cells, start=1)
        for j, cell in enumerate(line, start=1)
        if cell.property("invalid")
    ]
    assert marked == [(3, 3)]


def test_next_is_always_possible_and_uncovers(walker):
    walker.press("next")
    assert walker.key == "number"
    assert not walker.covers()
    view = walker.program.board.compare.views["derivation"].view
    assert view.highlighted == "step:eigen"
    walker.press("next")
    assert view.highlighted == ""


def test_a_state_is_brought_about_and_checked(walker):
    go(walker, "state")
    walker.press("check")
    assert walker.feedback == "This is still RBF."
    walker.program.press(Qt.Key.Key_1)
    walker.press("check")
    assert walker.program.result.kernel.family.name == "linear"
    assert walker.answered.right, (
        walker.feedback,
        walker.program.message(),
        walker.strip.field.answer(),
    )


def test_page_keys_walk_and_the_derivation_keeps_its_button(walker):
    go(walker, "matrix")
    view = walker.program.board.compare.views["derivation"].view
    view.set_folded(["scores"])
    view.scrolled.setFocus()
    walker.page_down()
    assert walker.key == "row"
    assert view.folded() == ()
    walker.page_up()
    walker.page_up()
    assert walker.key == "number"
    walker.lessons.leave()
    walker.program.settle()
    walker.program.press(Qt.Key.Key_PageDown)
    assert walker.lessons.walk is None
    # Without a lesson, they are the derivation's again.
    assert all(key.isEnabled() for key in view.keys.values())


def test_a_hint_is_shown_where_there_is_one(walker):
    walker.press("hint")
    assert walker.feedback == "Look at the *colours*."
    walker.press("next")
    assert not walker.strip.hint.isVisible()


def test_leaving_gives_the_own_session_back(program, tmp_path):
    store: SessionStore = program.viewer.store
    program.drag_slider("gamma_slider", 0.45)
    program.settle()
    program.select(3, 5)
    view = program.board.embedding.view
    view.zoom(2.0, view.rect().center().toPointF())
    program.board.compare.show_page("table")
    before, history = program.settings, store.history
    shown = view.view_range()
    undo = store.undo_text
    walker = Walker(program)
    walker.begin(write(tmp_path / "rings"))
    assert program.settings == RINGS
    go(walker, "state")
    program.press(Qt.Key.Key_1)
    walker.settle()
    program.click(walker.strip.leave)
    program.settle()
    assert walker.lessons.walk is None
    assert not walker.strip.isVisible()
    assert program.settings == before
    assert program.selected == [3, 5]
    assert store.history == history
    assert store.undo_text == undo
    assert program.board.workspace == "explore"
    assert program.board.compare.pages.value() == "table"
    np.testing.assert_allclose(view.view_range(), shown)
    assert not walker.covers()
    program.press(Qt.Key.Key_Z, CTRL)
    assert program.selected == []
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings != before


def test_the_copy_against_a_crash_stays_the_persons_own(walker):
    sessions = walker.program.viewer.sessions
    document, _, _ = sessions._hidden()
    assert document.settings.data.values == ()
    assert sessions.document().settings == RINGS


def test_the_next_visit_goes_on_where_the_last_one_ended(walker, tmp_path):
    walker.give(walker.lessons.walk.step.question, "1")
    walker.press("check")
    go(walker, "row")
    walker.program.click(walker.strip.leave)
    walker.program.settle()
    walker.begin(tmp_path / "rings")
    assert walker.key == "row"
    assert walker.lessons.walk.answers["choice"].right
    assert walker.program.board.workspace == "explain"
    go(walker, "end")
    assert walker.strip.next.text() == "Finish"
    walker.press("next")
    assert walker.lessons.walk is None
    walker.begin(tmp_path / "rings")
    assert walker.key == "choice"


def test_another_language_has_other_words_and_the_same_answers(walker):
    walker.give(walker.lessons.walk.step.question, "2")
    walker.program.choose("lesson_language", "DE")
    walker.program.until(lambda: walker.strip.title.text() == "Welche Komponente?")
    assert walker.strip.text.text() == "Es sind 40 Punkte."
    assert walker.strip.field.answer() == "2"
    assert walker.covers()
    walker.press("check")
    assert walker.feedback.startswith("HK 2 hat einen Anteil von nur ")
    walker.program.choose("lesson_language", "EN")
    walker.program.until(lambda: walker.strip.title.text() == "Which component?")


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('answer = "1"', 'answer = "7"', "line"),
        ('state = "three"', 'state = "four"', "four"),
        ("minutes = 7", "hours = 7", "hours"),
        ("format = 1", "format = 1\n= 3", "lesson.toml"),
    ],
)
def test_a_damaged_lesson_is_one_sentence(program, tmp_path, old, new, said):
    before = program.settings
    path = without_translation(tmp_path / "broken", LESSON.replace(old, new))
    program.window.files_dropped.emit([path])
    program.until(lambda: program.message() != "")
    assert said in program.message()
    assert "\n" not in program.message()
    walker = Walker(program)
    assert walker.lessons.walk is None
    assert not walker.strip.isVisible()
    assert program.settings == before


def test_the_stage_keeps_its_room(walker):
    window, board = walker.program.window, walker.program.board
    window.resize(1366, 768)
    walker.press("next")
    frame = board.embedding.view.area.frame
    assert frame.width >= 420
    assert frame.height >= 300
    height = walker.strip.height()
    go(walker, "end")
    assert walker.strip.height() == height


def test_in_front_of_a_class_the_strip_is_large(walker):
    usual = walker.strip.text.font().pixelSize()
    walker.program.present()
    walker.settle()
    strip = walker.strip
    assert strip.text.font().pixelSize() >= 1.4 * usual
    assert strip.next.visibleRegion().boundingRect() == strip.next.rect()
    assert strip.height() < 0.42 * walker.program.window.height()
    walker.page_down()
    assert walker.key == "number"
    walker.program.press(Qt.Key.Key_F11)
    walker.program.until(lambda: not walker.program.window.isFullScreen())


def test_the_menu_lists_what_can_be_done(walker):
    menu = walker.program.window.findChild(QMenu, "lessons_menu")
    menu.aboutToShow.emit()
    texts = [action.text() for action in menu.actions()]
    assert texts[-5:] == [
        "&Open a lesson…",
        "&New lesson…",
        "&Edit this lesson",
        "&Hand in…",
        "Lea&ve the lesson",
    ]
    assert all(action.isEnabled() for action in menu.actions()[-5:])
    walker.lessons.leave()
    assert not walker.program.action("lesson_next").isEnabled()


def test_a_lesson_that_begins_while_another_runs_takes_its_place(walker, tmp_path):
    own = walker.program.viewer.sessions._aside
    go(walker, "matrix")
    short = LESSON[: LESSON.index('[[steps]]\nkey = "number"')]
    other = without_translation(tmp_path / "other", short)
    walker.program.window.files_dropped.emit([other])
    walker.program.until(lambda: walker.lessons.walk.lesson.key == "other")
    walker.settle()
    assert (
        walker.program.window.findChild(QLabel, "lesson_step").text() == "Step 1 of 1"
    )
    assert walker.program.viewer.sessions._aside is own


def test_answers_are_handed_in(walker, tmp_path, monkeypatch):
    path = tmp_path / "mine.answers.json"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *_: (str(path), ""))
    walker.give(walker.lessons.walk.step.question, "2")
    walker.press("check")
    go(walker, "state")
    walker.program.press(Qt.Key.Key_1)
    walker.press("check")
    walker.program.action("hand_in").trigger()
    dialog = walker.program.window.findChild(QInputDialog, "hand_in_dialog")
    dialog.setTextValue("Ada Lovelace")
    dialog.accept()
    walker.program.activate()
    assert str(path) in walker.program.message()
    handed = read_hand_in(path)
    assert (handed.name, handed.lesson) == ("Ada Lovelace", "rings")
    first, last = handed.answers
    assert (first.step, first.answer, first.attempts, first.right) == (
        "choice",
        "2",
        1,
        False,
    )
    assert last.right
    assert last.state.settings.kernel.family == "linear"


def test_lessons_are_found_by_words_and_by_name(program):
    lessons = program.viewer.controllers["lessons"]
    entries = built_in_lessons()
    program.press(Qt.Key.Key_K, CTRL)
    QTest.keyClicks(program.window.focusWidget(), entries[0].title)
    program.press(Qt.Key.Key_Return)
    walker = Walker(program)
    program.until(lambda: lessons.walk is not None)
    walker.settle()
    assert lessons.walk.lesson.key == entries[0].key
    lessons.leave()
    program.settle()
    lessons.open_named("nothing of that name")
    assert "nothing of that name" in program.message()
    assert lessons.walk is None


def test_what_a_lesson_covers_in_vain_is_said(program, tmp_path):
    words = LESSON.replace("step:kernel", "step:nothing")
    walker = Walker(program)
    walker.begin(without_translation(tmp_path / "odd", words))
    go(walker, "matrix")
    assert "step:nothing" in program.message()
    assert walker.key == "matrix"


@pytest.mark.journey
def test_another_round_of_find_yours_is_no_answer_to_the_asked_one(program):
    walker = Walker(program)
    walker.begin(asset("lessons", "gamma"))
    while walker.key != "round_1":
        walker.page_down()
    question = walker.lessons.walk.step.question
    view = program.settings.view
    program.viewer.presenter.change(program.settings.with_view(null_draw=99))
    walker.settle()
    walker.give(question, "5")
    walker.press("check")
    assert "another round" in walker.feedback
    assert walker.answered.attempts == 0
    walker.press("restore")
    assert program.settings.view.null_draw == view.null_draw


def test_what_was_left_over_does_not_cover_the_verdict_of_a_lesson(program, tmp_path):
    left = noticed("info", "A session is left over.", topic="left", lasting=True)
    program.viewer.presenter.messages.show(left)
    walker = Walker(program)
    walker.begin(write(tmp_path / "rings"))
    assert program.message() == ""
    walker.lessons.leave()
    program.settle()
    assert program.message() == left.text


def test_the_first_lesson_is_found_by_that_name(program):
    program.press(Qt.Key.Key_K, CTRL)
    field = program.find(QLineEdit, "palette_field")
    QTest.keyClicks(field, "first lesson")
    QTest.keyClick(field, Qt.Key.Key_Return)
    lessons = program.viewer.controllers["lessons"]
    program.until(lambda: lessons.walk is not None)
    assert lessons.walk.path == built_in_lessons("en")[0].path
    program.settle()
