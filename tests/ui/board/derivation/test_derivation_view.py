"""The page under the hands: explained, kept, linked, folded, typed into, copied."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFrame, QLabel, QLineEdit, QMenu

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.derivation import text
from tests.ui.board.derivation.conftest import STAIRS, THREE, poly, rings

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier


def note(derived, line: str) -> str:
    return derived.view.steps.lines[line].note.text()


def many(n: int, d: int = 2) -> np.ndarray:
    return np.random.default_rng(3).normal(size=(n, d))


@pytest.mark.journey
def test_the_numbers_of_three_points_stand_on_the_page(derive):
    derived = derive(THREE, "poly", **poly(0))
    assert derived.texts("points") == [["1", "0"], ["0", "1"], ["−1", "0"]]
    assert derived.texts("kernel") == [
        ["1", "0", "1"],
        ["0", "1", "0"],
        ["1", "0", "1"],
    ]
    assert derived.texts("means") == [["2/3", "1/3", "2/3"]]
    assert derived.texts("grand_mean") == [["5/9"]]
    assert derived.texts("centred")[0] == ["2/9", "−4/9", "2/9"]
    assert derived.texts("eigenvalues") == [["4/3", "0"], ["4/9", "0"]]
    scores = [line[0] for line in derived.texts("scores")]
    assert scores in (["√2/3", "−2√2/3", "√2/3"], ["−√2/3", "2√2/3", "−√2/3"])


def test_a_given_matrix_has_no_points_and_distances_may_be_those_of_none(derive):
    given = Dataset(np.array([[9.0, -9.0], [-9.0, 9.0]]), kind="kernel")
    derived = derive(given, "linear")
    lines = derived.view.steps.lines
    assert lines["points"].isHidden()
    assert note(derived, "kernel") == "K is the matrix that was given; all 2 rows."
    table = np.array([[0.0, 1.0, 10.0], [1.0, 0.0, 1.0], [10.0, 1.0, 0.0]])
    derive(Dataset(table, kind="distances"), "linear")
    assert derived.texts("eigenvalues")[0] == ["50", "0", "−16"]
    assert note(derived, "eigen") == (
        "1 eigenvalue is negative: the matrix is not positive semi-definite."
    )
    # Neither 0 nor −16 has a root to divide by.
    assert "2 components have no eigenvalue above 0" in note(derived, "coefficients")
    assert [line[0] for line in derived.texts("scores")] == ["5", "0", "−5"]
    assert not lines["centred"].pitfall.switch.isEnabled()


@pytest.mark.journey
def test_headings_have_k_in_the_place_of_the_centred_matrix(derive):
    """While K is not centred, no step speaks of K̃, and back."""
    for center in (True, False, True):
        derived = derive(STAIRS, "poly", center=center, **poly(1))
        lines = derived.view.steps.lines.values()
        tildes = [
            line.facts.key
            for line in lines
            if "\N{COMBINING TILDE}" in line.formula.toolTip()
        ]
        spoken = ["centred", "eigen", "scores", "new", "primal", "matrices"]
        assert tildes == (spoken if center else [])
        assert ("tilde" in derived.view.steps.lines["eigen"].formula.latex()) == center
    assert derived.view.steps.lines["centred"].header.text().endswith("Centred matrix")


def test_conventions_and_the_feature_space_are_in_a_tooltip(derive):
    derived = derive(STAIRS, "rbf", gamma=0.5)
    tip = derived.view.steps.lines["kernel"].formula.toolTip()
    assert "σ = 1 (γ = 1/2σ²)" in tip
    assert "infinite-dimensional" in tip
    derive(STAIRS, "poly", **poly(1))
    tip = derived.view.steps.lines["kernel"].formula.toolTip()
    assert tip.endswith("Feature space: 6-dimensional")


# Explanations


def test_a_score_is_the_sum_of_its_bars(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    derived.hover("scores", (2, 0))
    terms = derived.view.explanation.bars.terms
    assert len(terms) == 3
    sizes = [abs(term.value) for term in terms]
    assert sizes == sorted(sizes, reverse=True)
    total = sum(term.value for term in terms)
    assert total == pytest.approx(derived.grid("scores").content.values[2, 0])
    # The numbers that it is made of are marked where they stand.
    assert derived.grid("coefficients").sources == ((0, 0), (1, 0), (2, 0))
    assert derived.grid("centred").sources == ((2, 0), (2, 1), (2, 2))


def test_an_explanation_stays_until_another_number_is_pointed_at(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    area = derived.view.explanation
    assert "Point at a number" in area.note()
    derived.hover("kernel", (0, 0))
    derived.leave("kernel")
    assert area.title() == "K₁₁ = 36"
    assert derived.linking.hovered is None
    derived.hover("centred", (0, 1))
    assert area.title().startswith("K̃₁₂ = ")
    assert derived.grid("means").sources == ((0, 0), (0, 1))


def test_a_click_keeps_an_explanation_until_escape_or_another_click(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    area = derived.view.explanation
    derived.click("kernel", (1, 2))
    derived.hover("kernel", (0, 0))
    assert area.title() == "K₂₃ = 1600"
    assert "Escape" in area.note()
    assert derived.grid("kernel").pinned == (1, 2)
    derived.click("centred", (0, 0))
    assert area.title().startswith("K̃₁₁")
    assert derived.grid("kernel").pinned is None
    assert derived.page.let_go()
    assert not derived.page.let_go()
    derived.click("kernel", (1, 2))
    derived.click("kernel", (1, 2))
    assert not derived.page.let_go()


def test_what_is_kept_follows_the_numbers(derive):
    derived = derive(STAIRS, "rbf", gamma=0.5)
    derived.click("kernel", (0, 1))
    assert derived.view.explanation.title() == "K₁₂ = 0.01832"
    derive(STAIRS, "rbf", gamma=0.25)
    assert derived.view.explanation.title() == "K₁₂ = 0.1353"
    # Of other rows that are fewer, it is gone.
    derived.click("kernel", (2, 2))
    derive(STAIRS[:2], "rbf", gamma=0.25)
    assert derived.view.explainer.kept is None


@pytest.mark.parametrize(
    ("key", "cell", "words"),
    [
        ("points", (1, 0), "x of row 2 is 3"),
        ("means", (0, 1), "The mean of row 2 of K"),
        ("grand_mean", (0, 0), "The mean of all 3 × 3 entries"),
        ("eigenvalues", (0, 0), "λ₁ = μ/n"),
        ("vectors", (0, 0), "unit vector"),
        ("coefficients", (0, 0), "u/√μ"),
        ("primal", (0, 0), "of the covariance of φ(X)"),
    ],
)
def test_every_number_says_where_it_comes_from(derive, key, cell, words):
    data = Dataset(np.array(STAIRS, dtype=float), feature_names=("x", "y"))
    derived = derive(data, "poly", **poly(1))
    derived.hover(key, cell)
    assert words in derived.view.explanation.text()


def test_explanations_can_be_selected(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    derived.hover("kernel", (1, 2))
    label = derived.view.findChild(QLabel, "derivation_explanation_text")
    label.setSelection(0, 5)
    # The same words again leave it.
    derived.hover("kernel", (1, 2))
    assert label.selectedText() == label.text()[:5]


# Linking


def test_rows_light_up_in_both_directions(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    linking = derived.linking
    derived.hover("kernel", (1, 2))
    assert (linking.hovered, linking.partner) == (1, 2)
    assert derived.grid("centred").marked == ([1], [2])
    derived.hover("kernel", (1, 1))
    assert (linking.hovered, linking.partner) == (1, None)
    derived.hover("means", (0, 2))
    assert linking.hovered == 2
    derived.hover("scores", (0, 1))
    assert (linking.hovered, linking.partner) == (0, None)
    linking.set_hovered(2)
    assert derived.grid("points").marked == ([2], [])
    assert derived.grid("kernel").marked == ([2], [2])
    linking.set_hovered(None)
    assert derived.grid("kernel").marked == ([], [])


def test_names_of_rows_stand_beside_the_numbers(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    assert derived.grid("kernel").content.line_names == ("1", "2", "3")
    derived.linking.set_names({1: "the middle"})
    assert derived.grid("kernel").content.line_names == ("1", "the middle", "3")


# Which rows


@pytest.mark.journey
def test_of_many_rows_the_first_six_or_those_that_are_selected(derive):
    derived = derive(many(40), "rbf", gamma=0.5)
    assert derived.grid("kernel").content.line_rows == tuple(range(6))
    assert derived.grid("kernel").content.more_columns
    assert "The first 6 of 40 rows; 2 features. Select others" in note(
        derived, "points"
    )
    mask = np.zeros(40, dtype=bool)
    mask[[3, 30, 39]] = True
    derived.linking.apply_selection(mask)
    content = derived.grid("kernel").content
    assert content.line_rows == (3, 30, 39)
    K = np.exp(-0.5 * np.square(many(40)[:, None] - many(40)).sum(axis=2))
    assert content.values == pytest.approx(K[np.ix_(mask, mask)])
    means = derived.grid("means").content.values[0]
    assert means == pytest.approx(K[mask].mean(axis=1))
    assert "The 3 selected rows of 40" in note(derived, "points")
    mask[:20] = True
    derived.linking.apply_selection(mask)
    assert "The first 8 of 22 selected rows, 40 in all" in note(derived, "points")
    derived.linking.clear()
    assert derived.grid("kernel").content.line_rows == tuple(range(6))


@pytest.mark.parametrize(("n", "d"), [(1, 2), (2, 2), (8, 2), (9, 9), (300, 20)])
def test_any_size_can_be_shown(derive, n, d):
    derived = derive(many(n, d), "rbf", gamma=0.1)
    shown = n if n <= 8 else 6
    assert derived.grid("points").content.values.shape == (shown, min(d, 6))
    assert derived.grid("points").content.more_columns == (d > 6)
    assert derived.grid("centred").content.values.shape == (shown, shown)
    assert derived.grid("scores").content.columns <= 8


def test_one_point_is_said_to_have_no_variance(derive):
    derived = derive([[1, 2]], "rbf", gamma=1)
    assert derived.texts("centred") == [["0"]]
    assert note(derived, "centred") == "One point is its own mean: nothing is left."
    assert note(derived, "eigen") == "One point has no variance: every eigenvalue is 0."
    assert note(derived, "coefficients") == (
        "No eigenvalue is above 0: every coefficient is 0."
    )


# Checks and primal


def test_checks_stand_beside_their_steps(derive):
    derived = derive(THREE, "poly", **poly(0))
    lines = derived.view.steps.lines
    assert lines["centred"].check_texts() == ["✓ K̃·1 = 0: largest row sum 0"]
    assert lines["eigen"].check_texts()[0] == "✓ Σμ = tr K̃: 4/3 and 4/3"
    assert lines["coefficients"].check_texts() == ["✓ α₁ᵀK̃α₁ = 1: 1"]
    assert lines["scores"].check_texts() == [
        "✓ Σz = 0: largest sum 0",
        "✓ z₁ᵀz₁ = μ₁: 4/3",
    ]
    assert lines["kernel"].check_texts() == ["✓ K = Kᵀ: largest difference 0"]
    assert derived.page.caption(derived.result).text == "All 8 checks hold."


def test_primal_and_dual_have_the_same_eigenvalues(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    primal, dual = derived.texts("primal")
    assert primal == dual
    words = note(derived, "primal")
    assert "6 × 6 matrix" in words
    assert "3 × 3 matrix" in words
    assert "Both have the same eigenvalues" in words
    derive(STAIRS, "rbf", gamma=1)
    assert derived.grid("primal").isHidden()
    words = "The feature space of the RBF kernel is infinite-dimensional."
    assert note(derived, "primal") == words


# Pitfalls


def scores_of(derived) -> np.ndarray:
    return derived.grid("scores").content.values


def centred_kernel(X: np.ndarray) -> np.ndarray:
    K = np.exp(-0.5 * np.square(X[:, None] - X).sum(axis=2))
    H = np.eye(len(X)) - 1 / len(X)
    return H @ K @ H


def toggle(derived, line: str) -> None:
    switch = derived.view.steps.lines[line].pitfall.switch
    derived.view.scrolled.ensureWidgetVisible(switch)
    QTest.mouseClick(switch, LEFT, NO_KEY, switch.rect().center())


@pytest.mark.journey
def test_forgetting_to_centre_decomposes_the_kernel_matrix_itself(derive):
    derived = derive(rings(1, 2), "rbf", gamma=0.5)
    toggle(derived, "centred")
    assert not derived.scene.settings.analysis.center
    X = rings(1, 2)
    K = np.exp(-0.5 * np.square(X[:, None] - X).sum(axis=2))
    found = derived.grid("eigenvalues").content.values[0]
    assert found == pytest.approx(np.linalg.eigvalsh(K)[::-1][: len(found)])
    assert derived.texts("centred") == derived.texts("kernel")
    failed = derived.view.steps.lines["centred"].check_texts()[0]
    assert failed.startswith("✗ K·1 = 0")
    assert note(derived, "means") == "Nothing is taken away: K is not centred."
    toggle(derived, "centred")
    assert derived.scene.settings.analysis.center


@pytest.mark.journey
def test_forgetting_the_root_makes_scores_too_long(derive):
    derived = derive(rings(1, 2), "rbf", gamma=0.5)
    right = scores_of(derived)
    mu = derived.grid("eigenvalues").content.values[0]
    toggle(derived, "coefficients")
    assert not derived.scene.settings.analysis.normalised
    u = derived.grid("vectors").content.values
    assert derived.grid("coefficients").content.values == pytest.approx(u)
    assert scores_of(derived) == pytest.approx(right * np.sqrt(mu), abs=1e-9)
    K = centred_kernel(rings(1, 2))
    assert scores_of(derived) == pytest.approx(K @ u, abs=1e-9)
    failed = derived.view.steps.lines["coefficients"].check_texts()[0]
    assert failed.startswith("✗ α₁ᵀK̃α₁ = 1: 1.531 instead of 1")


@pytest.mark.journey
def test_forgetting_to_centre_the_new_row_shifts_new_points_only(derive):
    derived = derive(rings(1, 2), "rbf", gamma=0.5)
    derived.drop([(0.25, 0.5)])
    before = scores_of(derived)
    toggle(derived, "new")
    assert not derived.scene.settings.analysis.centers_new
    X = rings(1, 2)
    row = np.exp(-0.5 * np.square(X - [0.25, 0.5]).sum(axis=1))
    alpha = derived.grid("coefficients").content.values
    after = scores_of(derived)
    assert after[:8] == pytest.approx(before[:8], abs=1e-12)
    assert after[8] == pytest.approx(row @ alpha, abs=1e-9)
    means = np.exp(-0.5 * np.square(X[:, None] - X).sum(axis=2)).mean(axis=1)
    assert before[8] == pytest.approx((row - means) @ alpha, abs=1e-9)


# New points


def test_a_dropped_point_is_one_more_row(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    assert note(derived, "new") == "There is none yet."
    place = (2.5, 1.0)
    derived.drop([place])
    content = derived.grid("kernel").content
    assert content.line_names == ("1", "2", "3", "new 1")
    assert content.added == 1
    row = (1 + np.array(STAIRS) @ place) ** 2
    assert content.values[3] == pytest.approx(row)
    assert derived.grid("new:0").content.values[0] == pytest.approx(row)
    assert derived.grid("scores").content.lines == 4
    score = derived.result.project(np.array([place]))[0]
    assert derived.grid("new_scores:0").content.values[0] == pytest.approx(score)
    derived.hover("scores", (3, 0))
    assert derived.view.explanation.title().startswith("z₁ of the new point")


def fields(derived, index=0):
    return derived.view.steps.new_points.fields[index]


def type_into(field, text: str) -> None:
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)
    QTest.keyClick(field, Qt.Key.Key_Return)


def test_the_place_of_a_new_point_can_be_typed(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    derived.drop([(3.0, 4.0)])
    assert derived.texts("new:0")[0] == ["144", "676", "1600"]
    type_into(fields(derived).fields[0], "1")
    assert derived.scene.notes.new_points == ((1.0, 4.0),)
    # (1 + 3·1 + 4·4)²
    assert derived.texts("new:0")[0][1] == "400"
    type_into(fields(derived).fields[1], "2")
    assert derived.texts("new:0")[0] == ["36", "144", "324"]


def test_a_text_where_a_number_belongs_is_refused_in_a_sentence(derive):
    data = Dataset(np.array(STAIRS, dtype=float), feature_names=("width", "height"))
    derived = derive(data, "poly", **poly(1))
    derived.drop([(3.0, 4.0)])
    type_into(fields(derived).fields[0], "two")
    assert derived.refused == ["“two” is not a number; width of new 1 stays 3."]
    assert derived.scene.notes.new_points == ((3.0, 4.0),)
    assert derived.texts("new:0")[0] == ["144", "676", "1600"]


def test_new_points_can_be_taken_away_and_the_last_four_are_written_out(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    places = tuple((float(x), 0.0) for x in range(6))
    derived.drop(places)
    assert note(derived, "new") == "The last 4 of 6 new points."
    assert derived.grid("kernel").content.line_names[3:] == (
        "new 3",
        "new 4",
        "new 5",
        "new 6",
    )
    fields(derived, 1)._remove.click()
    assert derived.scene.notes.new_points == (*places[:3], *places[4:])
    type_into(fields(derived, 3).fields[0], "9")
    assert derived.scene.notes.new_points[-1] == (9.0, 0.0)
    derived.drop(())
    assert derived.grid("kernel").content.added == 0
    assert not any(line.isVisible() for line in derived.view.steps.new_points.fields)
    assert derived.grid("new:0").isHidden()


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (many(12, 3), "these data have 3 features, not 2"),
        (Dataset(np.eye(3), kind="kernel"), "The matrix was given"),
    ],
    ids=["three features", "a given matrix"],
)
def test_where_no_point_can_be_dropped_a_sentence_says_why(derive, data, words):
    derived = derive(data, "rbf", gamma=1)
    assert words in note(derived, "new")
    assert derived.view.steps.new_points.drop.isHidden()


# Folds, copies


def test_a_line_that_is_folded_away_is_not_written(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    line = derived.view.steps.lines["kernel"]
    QTest.mouseClick(line.header, LEFT, NO_KEY, line.header.rect().center())
    assert not derived.grid("kernel").isVisible()
    assert derived.view.folded() == ("kernel",)
    # What is folded away is not written; opened, it shows the present numbers.
    derive(THREE, "poly", **poly(0))
    QTest.mouseClick(line.header, LEFT, NO_KEY, line.header.rect().center())
    assert derived.texts("kernel")[0] == ["1", "0", "1"]
    derived.view.set_folded(("points", "scores"))
    assert derived.view.folded() == ("points", "scores")


def test_all_steps_are_copied_as_latex_and_as_numpy_that_runs(derive, capsys):
    derived = derive(STAIRS, "poly", **poly(1))
    latex, numpy = derived.view.copy_button.menu().actions()
    latex.trigger()
    written = QGuiApplication.clipboard().text()
    assert "pmatrix" in written
    assert "1600" in written
    numpy.trigger()
    names = {}
    exec(QGuiApplication.clipboard().text(), names)
    found = derived.grid("eigenvalues").content.values[0]
    assert names["mu"][: len(found)] == pytest.approx(found)
    assert names["z"] == pytest.approx(scores_of(derived), abs=1e-9)
    assert derived.copied == ["the derivation as LaTeX", "the derivation as NumPy"]


def test_a_right_click_on_a_matrix_offers_its_numbers_and_all_steps(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    derived.hover("kernel", (0, 0))
    grid = derived.grid("kernel")
    at = grid.mapTo(derived.view, derived.place("kernel", (0, 0)))
    derived.view.customContextMenuRequested.emit(at)
    menu = derived.view.findChild(QMenu, "derivation_menu")
    numbers, *others = [action for action in menu.actions() if action.text()]
    assert numbers.text() == "Copy the numbers"
    assert others == derived.view.copy_button.menu().actions()
    numbers.trigger()
    rows = QGuiApplication.clipboard().text().splitlines()
    assert rows == ["36\t144\t324", "144\t676\t1600", "324\t1600\t3844"]
    menu.close()


# Step by step, covered


def test_steps_unfold_one_by_one_by_key_and_button_or_all_at_once(derive, qtbot):
    derived = derive(STAIRS, "poly", **poly(1))
    page, view = derived.page, derived.view
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    steps = list(text.LINES)
    assert not page.next.isEnabled()
    page.fold.click()
    assert view.folded() == tuple(steps[1:])
    view.setFocus()
    QTest.keyClick(view.scrolled, Qt.Key.Key_PageDown)
    assert view.folded() == tuple(steps[2:])
    page.tool.resize(page.tool.sizeHint())
    place = page.next.pos()
    page.next.click()
    assert view.folded() == tuple(steps[3:])
    assert derived.texts("means")[0][0] == "168"
    assert page.fold.text() == "All steps"
    page.fold.click()
    assert view.folded() == ()
    assert page.fold.text() == "Step by step"
    assert page.next.pos() == place
    # With nothing left to unfold, the key scrolls.
    view.resize(700, 300)
    QTest.keyClick(view.scrolled, Qt.Key.Key_PageDown)
    assert view.scrolled.verticalScrollBar().value() > 0


@pytest.mark.journey
def test_page_keys_work_from_a_button_and_the_opened_step_is_seen(derive, qtbot):
    derived = derive(STAIRS, "poly", **poly(1))
    page, view = derived.page, derived.view
    page.tool.setParent(view)
    page.tool.show()
    view.resize(700, 420)
    view.activateWindow()
    qtbot.waitUntil(view.isActiveWindow)
    page.fold.click()
    page.fold.setFocus()
    for key in list(text.LINES)[1:]:
        QTest.keyClick(page.fold, Qt.Key.Key_PageDown)
        line, area = view.steps.lines[key], view.scrolled.viewport()
        assert not line.collapsed()
        top = line.mapTo(area, QPoint(0, 0)).y()
        assert 0 <= top <= max(area.height() - line.height(), 10)
    bottom = view.scrolled.verticalScrollBar().value()
    QTest.keyClick(page.fold, Qt.Key.Key_PageUp)
    assert view.scrolled.verticalScrollBar().value() < bottom
    # A field takes the keys itself.
    field = QLineEdit(view)
    field.show()
    field.setFocus()
    assert not any(key.isEnabled() for key in view.keys.values())


def test_a_covered_number_is_neither_written_nor_explained_nor_copied(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    page, grid = derived.page, derived.grid("kernel")
    page.cover("entry:kernel:2:3")
    assert derived.texts("kernel")[1] == ["144", "676", "?"]
    derived.hover("kernel", (1, 2))
    assert derived.view.explanation.title() == "?"
    assert derived.view.explanation.text() == ""
    assert grid.copied_text().splitlines()[1] == "144\t676\t"
    assert not derived.view.copy_button.isEnabled()
    (sheet,) = derived.view.printed()[1].grids[0]
    assert sheet.texts[1][2] == "?"
    page.uncover("entry:kernel:2:3")
    assert derived.texts("kernel")[1][2] == "1600"
    assert derived.view.copy_button.isEnabled()


def test_matrices_steps_and_the_explanation_are_covered_by_their_keys(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    page, lines = derived.page, derived.view.steps.lines
    page.cover("grid:vectors")
    assert {x for line in derived.texts("vectors") for x in line} == {"?"}
    assert derived.texts("eigenvalues")[0][0] != "?"
    page.cover("step:kernel")
    assert derived.texts("kernel")[0][0] == "?"
    assert not lines["kernel"].note.isVisible()
    assert lines["kernel"].check_texts() == []
    page.cover("panel:explanation")
    derived.hover("centred", (0, 0))
    assert not derived.view.findChild(
        QLabel, "derivation_explanation_title"
    ).isVisible()
    for key in list(derived.view.covered):
        page.uncover(key)
    assert derived.texts("kernel")[0][0] == "36"
    assert lines["kernel"].check_texts()
    for wrong in ("step:carpet", "entry:kernel:2", "entry:kernel:a:b", "kernel", "x:"):
        with pytest.raises(KeyError):
            page.cover(wrong)


@pytest.mark.parametrize(
    "key", ["step:means", "grid:scores", "entry:kernel:1:2", "panel:explanation"]
)
def test_a_frame_highlights_what_has_a_key(derive, key):
    derived = derive(STAIRS, "poly", **poly(1))
    derived.page.highlight(key)
    frame = derived.view.findChild(QFrame, "derivation_highlight")
    inside = frame.parentWidget()
    assert frame.isVisible()
    assert inside.rect().contains(frame.geometry())
    if key.startswith("entry"):
        assert inside is derived.grid("kernel")
        cell = inside.layout_of_cells.rect((0, 1)).toRect()
        assert frame.geometry() == cell
    else:
        inside.resize(inside.width() + 40, inside.height() + 30)
        assert frame.geometry() == inside.rect()
    # The mouse still reaches what is below it.
    derived.hover("kernel", (0, 1))
    assert derived.view.explanation.title() == "K₁₂ = 144"
    derived.page.highlight("")
    assert not frame.isVisible()


def test_the_same_scene_again_changes_nothing(derive):
    derived = derive(STAIRS, "poly", **poly(1))
    shown = derived.view.shown
    derived.page.show_scene(derived.scene.changed(projects=True))
    assert derived.view.shown is shown


@pytest.mark.journey
def test_a_new_point_at_the_origin_has_no_row_with_the_cosine(derive):
    derived = derive([(1, 2), (3, 4), (5, 6), (2, -1)], "cosine")
    derived.drop([(2.0, 1.0), (3.0, 2.5)])
    for field in fields(derived).fields:
        type_into(field, "0")
    assert derived.scene.notes.new_points == ((0.0, 0.0), (3.0, 2.5))
    assert derived.grid("new:0").isHidden()
    assert not derived.grid("new:1").isHidden()
    assert derived.grid("new:1").content.title == "Kernel row of new 2"
    assert derived.grid("scores").content.line_names[-1] == "new 2"
    assert derived.view.shown.note_of("new") == (
        "new 1: no row in K, the cosine kernel has no value where all features are 0."
    )
    type_into(fields(derived).fields[0], "1")
    assert not derived.grid("new:0").isHidden()


def test_how_wide_a_step_is_does_not_change_how_wide_it_must_be(derive):
    # Scroll area and step would resize each other without end.
    page = derive(THREE, "linear")
    page.view.resize(300, 500)
    for line in page.view.steps.lines.values():
        widths = set()
        for width in (900, 1500, 1200):
            line.resize(width, 300)
            widths.add(line.minimumSizeHint().width())
        assert len(widths) == 1, line.objectName()
