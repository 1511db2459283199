"""The strip of a lesson: its texts, what it covers, and what an answer is about."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QInputDialog, QWidget

from kpca_viewer.features.lessons.files import lesson_path
from tests.ui.lessons.samples import LESSON, RINGS, write
from tests.ui.lessons.walking import Walker


def test_what_is_covered_is_shown_with_the_first_answer(walker):
    board, window = walker.program.board, walker.program.window
    parents = {cover.parentWidget() for cover in walker.covers()}
    pca = board.compare.views["pca"].view
    assert {board.embedding, pca, window.verdict} <= parents
    cover = next(c for c in walker.covers() if c.parentWidget() is board.embedding)
    assert cover.size() == board.embedding.size()
    # A click does not reach the points below.
    walker.program.click(cover)
    assert board.linking.selection is None
    walker.give(walker.lessons.walk.step.question, "2")
    walker.press("check")
    share = walker.lessons._prepared.result.shares[1]
    assert walker.feedback.startswith(f"PC 2 has a share of {share:.2f} only.")
    # What decides it is open, scrolled to and framed.
    derivation = board.compare.views["derivation"].view
    assert board.workspace == "explain"
    assert derivation.highlighted == "step:eigen"
    line = derivation.steps.lines["eigen"]
    assert not line.visibleRegion().isEmpty()
    # Come back to: it was answered, so nothing is covered again.
    walker.press("restore")
    assert board.workspace == "explore"
    assert not walker.covers()


def test_texts_have_the_numbers_of_the_program(walker):
    result = walker.program.result
    mu = result.decomposition.eigenvalues[0]
    assert walker.strip.text.text().split() == (
        f"There are 40 points and $\\mu_1$ = {mu:.3f}.".split()
    )
    assert walker.strip.findChild(QWidget, "lesson_option_text_3").text() == "all 40"
    assert walker.strip.step.text() == "Step 1 of 9"


def test_answers_are_about_the_prepared_state_whatever_is_dragged(walker):
    walker.press("next")
    expected = walker.lessons._prepared.result.decomposition.eigenvalues[0]
    walker.program.drag_slider("gamma_slider", 0.2)
    walker.settle()
    assert walker.program.result.decomposition.eigenvalues[0] != expected
    walker.give(walker.lessons.walk.step.question, f"{expected:.4f}")
    walker.press("check")
    assert walker.answered.right, (
        walker.feedback,
        walker.program.message(),
        walker.strip.field.answer(),
    )
    assert walker.feedback == "Right at the first attempt."
    walker.press("restore")
    assert walker.program.settings == RINGS


def test_digits_are_typed_without_a_click(walker):
    walker.press("next")
    kernel = walker.program.settings.kernel
    walker.program.type("12")
    assert walker.strip.field.answer() == "12"
    assert walker.program.settings.kernel == kernel
    walker.program.press(Qt.Key.Key_Return)
    assert walker.answered.attempts == 1


def test_a_lesson_starts_again_without_its_answers(walker):
    question = walker.lessons.walk.step.question
    walker.give(question, "1")
    walker.press("check")
    assert walker.answered.attempts == 1
    assert not walker.covers()
    walker.press("next")
    walker.program.window.actions_table["restart_lesson"].trigger()
    walker.settle()
    assert walker.strip.step.text() == "Step 1 of 9"
    assert walker.answered.attempts == 0
    assert walker.covers()


def test_the_data_have_the_stage_while_the_embedding_is_covered(walker):
    board = walker.program.board
    assert board.on_stage == "data"
    walker.give(walker.lessons.walk.step.question, "2")
    walker.press("check")
    assert board.on_stage == "embedding"


def test_what_the_next_question_asks_for_stays_covered(program, tmp_path):
    walker = Walker(program)
    later = 'cover = ["step:kernel", "entry:centred:1:1", "panel:explanation"]'
    step = 'text = "Only points."\nstate = "three"\n'
    assert step in LESSON
    lesson = LESSON.replace(step, f'{step}{later}\nhighlight = "step:scores"\n')
    walker.begin(write(tmp_path / "asked_later", lesson))
    for _ in range(2):
        walker.press("next")
    view = program.board.compare.views["derivation"].view
    walker.give(walker.lessons.walk.step.question, "1 0 1; 0 1 0; 1 0 2")
    walker.press("check")
    # What decides this question is open.
    assert view.covered == {"entry:centred:1:1", "panel:explanation"}
    walker.press("next")
    assert not view.steps.lines["scores"].visibleRegion().isEmpty()
    walker.give(walker.lessons.walk.step.question, "row 1")
    walker.press("check")
    assert view.covered == set()


def test_the_last_step_hands_in(walker):
    strip = walker.strip
    assert not strip.hand_in.isVisible()
    while walker.key != "end":
        walker.page_down()
    walker.press("hand_in")
    dialog = walker.program.window.findChild(QInputDialog, "hand_in_dialog")
    assert dialog.isVisible()
    dialog.reject()


def test_a_map_to_repair_is_unfolded_and_scrolled_to(program):
    walker = Walker(program)
    walker.begin(lesson_path("trick"))
    program.window.resize(1280, 720)
    while walker.key != "repair":
        walker.press("next")
    view = program.board.compare.views["both_sides"].view
    assert view.covered >= {"map", "expansion"}
    program.until(lambda: not view.own.field.visibleRegion().isEmpty())
    assert not view.own.product.visibleRegion().isEmpty()
    walker.give(walker.lessons.walk.step.question, "2")
    walker.press("check")
    assert view.covered == set()
