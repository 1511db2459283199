"""The window of a choice: what it shows of it, and what hands can do with it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row, Tried
from kpca_viewer.engine.claims.choice import reason, verdict
from kpca_viewer.features.kernel_search.choose import choose
from kpca_viewer.features.kernel_search.row_model import (
    COMPONENTS,
    COST,
    KERNEL,
    REAL,
    SCORE,
    STABLE,
)
from kpca_viewer.features.kernel_search.text import ChoiceState
from kpca_viewer.widgets.controls.behaviour import is_dimmed
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import DARK, LIGHT
from kpca_viewer.window.preview import samples
from kpca_viewer.window.preview.widgets import choice as choice_window

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key
ONE = np.zeros(1)
SAID = ("reason", "no_curve", "notes")
"""What the evidence says, from the top."""


@pytest.fixture
def window(qtbot, qapp):
    """Three kernels, compared and shown."""
    window = choice_window(LIGHT)
    apply_theme(qapp, LIGHT)
    qtbot.addWidget(window)
    with qtbot.waitExposed(window):
        window.show()
    yield window
    window.close()


@pytest.fixture
def heard(window):
    """What the window has asked for."""
    told = []
    window.row_pointed.connect(lambda row: told.append(("see", row)))
    window.row_adopted.connect(lambda row: told.append(("take", row)))
    window.start_requested.connect(lambda: told.append("start"))
    window.cancel_requested.connect(lambda: told.append("cancel"))
    return told


def text(window, name):
    return window.findChild(QLabel, f"choice_{name}_label").text()


def button(window, name):
    return window.findChild(QPushButton, f"choice_{name}_button")


def place(window, row, column=KERNEL) -> QPoint:
    index = window.table.model().index(row, column)
    return window.table.visualRect(index).center()


def test_rows_are_ranked_with_their_numbers(window):
    choice = samples.chosen()
    table = window.table
    assert table.rows == choice.rows
    assert text(window, "words") == verdict(choice).text
    first = [table.listing.cell(0, c).text for c in (KERNEL, COMPONENTS, SCORE, REAL)]
    row = choice.chosen
    assert first[0].startswith("RBF γ = ")
    assert first[1:] == [str(row.components), "100 ± 0 %", str(row.real)]
    assert table.listing.cell(0, STABLE).text.startswith("γ ")
    assert table.listing.cell(0, KERNEL).below == "the choice"
    kernels = [table.listing.cell(i, KERNEL).text for i in (1, 2)]
    assert sorted(kernels) == ["Cosine", "Linear PCA"]


def test_a_fit_that_was_not_timed_has_no_cost(window):
    listing = window.table.listing
    assert listing.cell(0, COST).text.endswith("ms")
    points = samples.result().dataset.points
    # Without classes whole comparisons are computed, and no fit for itself.
    unlabelled = choose(points, kernels=["rbf"], components=2)
    window.show_state(ChoiceState("done", unlabelled))
    assert len(window.table.rows) == len(unlabelled.rows) > 0
    assert {listing.cell(i, COST).text for i in range(len(unlabelled.rows))} == {"–"}


def test_every_row_has_a_picture(window):
    pictures = [window.table.picture(row) for row in window.table.rows]
    assert all(p is not None and not p.error for p in pictures)
    assert len({p.index for p in pictures if p is not None}) == len(pictures)
    before = window.table.viewport().grab().toImage()
    window.table.forget()
    assert window.table.viewport().grab().toImage() != before


def test_no_column_is_cut_until_somebody_narrows_the_table(window):
    assert window.table.horizontalScrollBar().maximum() == 0
    window.resize(1000, 600)
    assert window.table.horizontalScrollBar().maximum() == 0
    body = window.table.parentWidget()
    body.setSizes([300, 560])
    body.splitterMoved.emit(300, 1)
    window.resize(1010, 600)
    assert window.table.horizontalScrollBar().maximum() > 0


def test_the_row_at_the_keys_has_its_reason_and_curves(window):
    choice = samples.chosen()
    assert text(window, "reason") == f"{reason(choice.chosen, choice)}."
    assert window.evidence.over_values.isVisible()
    assert window.evidence.over_values.curve.current == choice.chosen.value
    QTest.keyClick(window.table, Key.Key_Down)
    assert text(window, "reason") == f"{reason(choice.rows[1], choice)}."
    # Neither linear PCA nor the cosine kernel has a value to vary.
    assert not window.evidence.over_values.isVisible()
    assert window.evidence.over_components.isVisible()


def test_without_curves_sentences_stand_at_the_top(window, qtbot):
    line = Line("linear")
    alone = Row(line, None, 1, 0.0, 0.0, 0, tried=(Tried(line, None, ONE, ONE),))
    bare = Choice("structure", (alone,), n=80, notes=("This may be chance.",))
    no_curve = window.findChild(QLabel, "choice_no_curve_label")
    assert not no_curve.isVisible()
    window.show_state(ChoiceState("done", bare))
    assert no_curve.isVisible()
    labels = [window.findChild(QLabel, f"choice_{n}_label") for n in SAID]
    qtbot.waitUntil(lambda: labels[-1].geometry().bottom() < window.height() / 2)
    for label in labels:
        assert label.height() == label.heightForWidth(label.width())


def test_an_arrow_or_a_click_asks_to_see_a_row(window, heard):
    QTest.keyClick(window.table, Key.Key_Down)
    QTest.mouseClick(window.table.viewport(), LEFT, pos=place(window, 2))
    rows = window.table.rows
    assert heard == [("see", rows[1]), ("see", rows[2])]
    assert window.is_previewed


def test_enter_and_a_double_click_take_a_row(window, heard):
    QTest.keyClick(window.table, Key.Key_Return)
    assert heard == [("take", window.table.rows[0])]
    at = place(window, 1)
    QTest.mouseClick(window.table.viewport(), LEFT, pos=at)
    QTest.mouseDClick(window.table.viewport(), LEFT, pos=at)
    assert heard[-1] == ("take", window.table.rows[1])
    QTest.mouseClick(button(window, "take"), LEFT)
    assert heard[-1] == ("take", window.table.rows[1])


def test_escape_gives_the_picture_back_before_it_closes(window, heard):
    QTest.keyClick(window.table, Key.Key_Down)
    QTest.keyClick(window.table, Key.Key_Escape)
    assert heard[-1] == ("see", None)
    assert window.isVisible()
    QTest.keyClick(window.table, Key.Key_Escape)
    assert not window.isVisible()


def test_closing_gives_the_picture_back(window, heard):
    QTest.keyClick(window.table, Key.Key_Down)
    window.close()
    assert heard[-1] == ("see", None)


def test_states_show_what_can_be_done(window, heard):
    choice = samples.chosen()
    assert button(window, "start").text() == "Choose again"
    assert not button(window, "cancel").isVisible()
    window.show_state(ChoiceState("working", replace(choice, is_complete=False)))
    window.show_progress("3 settings", 0.25)
    bar = window.findChild(QProgressBar, "choice_progress")
    assert bar.isVisible()
    assert bar.value() == bar.maximum() / 4
    assert text(window, "stage") == "3 settings"
    assert not button(window, "start").isVisible()
    QTest.mouseClick(button(window, "cancel"), LEFT)
    assert heard == ["cancel"]
    window.show_state(ChoiceState("failed", trouble="All rows are equal."))
    assert text(window, "words") == "All rows are equal."
    assert not window.table.isVisible()
    QTest.mouseClick(button(window, "start"), LEFT)
    assert heard[-1] == "start"


def test_what_is_out_of_date_is_dimmed_and_cannot_be_taken(window, heard):
    done = window.state
    window.show_state(replace(done, outdated="Out of date: other data are shown now."))
    body = window.table.parentWidget()
    assert is_dimmed(body)
    assert not button(window, "take").isEnabled()
    QTest.keyClick(window.table, Key.Key_Return)
    QTest.keyClick(window.table, Key.Key_Down)
    assert heard == []
    assert button(window, "start").isDefault()
    window.show_state(done)
    assert not is_dimmed(body)
    assert button(window, "take").isEnabled()


def test_the_keys_stay_at_a_kernel_only_if_somebody_brought_them_there(window):
    choice = samples.chosen()
    turned = replace(choice, rows=choice.rows[::-1], best=2)
    window.show_state(ChoiceState("done", turned))
    assert window.table.current_row() is turned.rows[0]
    QTest.keyClick(window.table, Key.Key_Down)
    QTest.keyClick(window.table, Key.Key_Down)
    assert window.table.current_row() is choice.rows[0]
    window.show_state(ChoiceState("done", choice))
    assert window.table.current_row() is choice.rows[0]
    assert window.table.currentIndex().row() == 0


def test_the_row_in_use_says_so(window):
    choice = samples.chosen()
    window.show_state(ChoiceState("done", choice), choice.rows[1])
    below = [window.table.listing.cell(i, KERNEL).below for i in range(3)]
    assert below == ["the choice", "in use", ""]


def test_what_is_not_known_yet_is_awaited(window):
    choice = samples.chosen()
    rows = tuple(replace(row, real=None, stable=None) for row in choice.rows)
    part = replace(choice, rows=rows, is_complete=False)
    window.show_state(ChoiceState("working", part))
    assert [window.table.listing.cell(0, c).text for c in (STABLE, REAL)] == ["…", "…"]
    window.show_state(ChoiceState("done", replace(part, is_complete=True)))
    assert [window.table.listing.cell(0, c).text for c in (STABLE, REAL)] == ["–", "–"]


def test_pointing_at_a_curve_says_its_numbers(window):
    plot = window.evidence.over_values
    QTest.mouseMove(plot, QPoint(plot.width() - 20, plot.height() // 2))
    assert plot.label_lines()[0].startswith("γ = ")
    assert "±" in plot.label_lines()[0]
    parts = window.evidence.over_components
    QTest.mouseMove(parts, QPoint(parts.width() - 20, parts.height() // 2))
    assert parts.label_lines()[0].startswith("4 components: 100 ± 0 %")


def test_everything_that_can_be_used_has_a_name(window):
    for widget in (
        window.table,
        window.evidence.over_values,
        window.evidence.over_components,
        *window.findChildren(QPushButton),
        *window.findChildren(QLabel),
    ):
        assert widget.accessibleName(), widget.objectName()
    assert "γ = " in window.evidence.over_values.accessibleDescription()


def test_it_follows_the_theme(window, qapp):
    before = window.table.viewport().grab().toImage()
    plot = window.evidence.over_values.grab().toImage()
    apply_theme(qapp, DARK)
    window.set_theme(DARK)
    assert window.table.viewport().grab().toImage() != before
    assert window.evidence.over_values.grab().toImage() != plot
