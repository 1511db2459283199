"""The panels of a choice: what they show of it, and what hands can do with them."""

from dataclasses import replace
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QBuffer, QPoint, Qt
from PySide6.QtGui import QFontMetricsF, QPainter
from PySide6.QtSvg import QSvgGenerator
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QHBoxLayout,
    QLabel,
    QProgressBar,
    QPushButton,
    QWidget,
)

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row, Tried
from kpca_viewer.engine.claims.choice import advice, reason
from kpca_viewer.features.kernel_search.choose import choose
from kpca_viewer.features.kernel_search.row_list import RowList
from kpca_viewer.features.kernel_search.score_plot import ScorePlot
from kpca_viewer.features.kernel_search.text import ChoiceState
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.controls.behaviour import is_dimmed
from kpca_viewer.widgets.plots.text import plot_font
from kpca_viewer.widgets.style import apply_theme, set_palette_and_font
from kpca_viewer.widgets.theme import DARK, LIGHT
from tools.preview import samples
from tools.preview.widgets import choice as choice_panel

LEFT = Qt.MouseButton.LeftButton
Key = Qt.Key
ONE = np.zeros(1)


@pytest.fixture
def window(qtbot, qapp):
    """Three kernels, compared and shown."""
    panel, around = choice_panel(LIGHT), QWidget()
    layout = QHBoxLayout(around)
    layout.addWidget(panel)
    layout.addWidget(panel.evidence)
    set_palette_and_font(qapp, LIGHT)
    qtbot.addWidget(around)
    with qtbot.waitExposed(around):
        around.show()
    yield panel
    around.close()


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
    return window.parent().findChild(QLabel, f"choice_{name}_label").text()


def button(window, name):
    return window.findChild(QPushButton, f"choice_{name}_button")


def place(window, row) -> QPoint:
    return window.table.visualItemRect(window.table.item(row)).center()


@pytest.mark.journey
def test_rows_are_ranked_with_their_numbers(window):
    choice = samples.chosen()
    table = window.table
    assert table.rows == choice.rows
    assert text(window, "words") == advice(choice)[0]
    row = choice.chosen
    (kernel, _), (score, remark), (parts, cost) = table.lines(0)
    assert kernel.startswith("RBF γ = ")
    assert score == "100 ± 1.7 %"
    assert parts == f"k = {row.components} · real {row.real}"
    assert cost.endswith("ms")
    assert remark == "the choice"
    assert sorted(table.lines(i)[0][0] for i in (1, 2)) == ["Cosine", "Linear PCA"]
    assert kernel in table.item(0).text()


@pytest.mark.journey
def test_a_fit_that_was_not_timed_has_no_cost(window):
    table = window.table
    points = samples.result().dataset.points
    # Without classes whole comparisons are computed, and no fit for itself.
    unlabelled = choose(points, kernels=["rbf"], components=2)
    window.show_state(ChoiceState("done", unlabelled))
    assert len(table.rows) == len(unlabelled.rows) > 0
    assert {table.lines(i)[2][1] for i in range(len(table.rows))} == {"–"}


def test_every_row_has_a_picture(window):
    pictures = [window.table.picture(row) for row in window.table.rows]
    assert all(p is not None and not p.error for p in pictures)
    assert len({p.index for p in pictures if p is not None}) == len(pictures)
    before = window.table.viewport().grab().toImage()
    window.table.forget()
    assert window.table.viewport().grab().toImage() != before


def test_the_row_at_the_keys_has_its_reason_and_curves(window):
    choice = samples.chosen()
    assert text(window, "reason") == f"{reason(choice.chosen, choice)}."
    plot, axis = window.evidence.plot, window.evidence.findChild(Segmented)
    assert plot.curve.current == choice.chosen.value
    axis.button("components").click()
    assert plot.curve.current == choice.chosen.components
    axis.button("value").click()
    QTest.keyClick(window.table, Key.Key_Down)
    assert text(window, "reason") == f"{reason(choice.rows[1], choice)}."
    # Neither linear PCA nor the cosine kernel has a value to vary.
    assert not axis.isVisible()
    assert plot.curve.title == "components"


def test_without_curves_there_are_sentences_alone(window):
    line = Line("linear")
    alone = Row(line, None, 1, 0.0, 0.0, 0, tried=(Tried(line, None, ONE, ONE),))
    bare = Choice("structure", (alone,), n=80, notes=("This may be chance.",))
    window.show_state(ChoiceState("done", bare))
    assert not window.evidence.plot.isVisible()
    assert text(window, "notes") == "This may be chance."


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


def test_escape_gives_the_picture_back(window, heard):
    QTest.keyClick(window.table, Key.Key_Down)
    QTest.keyClick(window.table, Key.Key_Escape)
    assert heard[-1] == ("see", None)
    QTest.keyClick(window.table, Key.Key_Escape)
    assert len(heard) == 2


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
    assert is_dimmed(window.table)
    assert is_dimmed(window.evidence)
    assert not button(window, "take").isEnabled()
    QTest.keyClick(window.table, Key.Key_Return)
    QTest.keyClick(window.table, Key.Key_Down)
    assert heard == []
    assert button(window, "start").isDefault()
    window.show_state(done)
    assert not is_dimmed(window.table)
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
    assert window.table.currentRow() == 0


def test_the_row_in_use_says_so(window):
    choice = samples.chosen()
    window.show_state(ChoiceState("done", choice), choice.rows[1])
    below = [window.table.lines(i)[1][1] for i in range(3)]
    assert below == ["the choice", "in use", ""]


def test_a_remark_without_room_beside_the_score_has_a_line_of_its_own(window):
    choice, table = samples.chosen(), window.table
    window.show_state(ChoiceState("done", choice), choice.rows[0])
    heights = []
    for width in (600, 190):
        window.setFixedWidth(width)
        QApplication.processEvents()
        heights.append(table.sizeHintForRow(0))
    assert heights[1] > heights[0]
    assert table.sizeHintForRow(2) == heights[0]


def test_what_is_not_known_yet_is_awaited(window):
    choice = samples.chosen()
    rows = tuple(replace(row, real=None, stable=None) for row in choice.rows)
    part = replace(choice, rows=rows, is_complete=False)
    window.show_state(ChoiceState("working", part))
    assert window.table.lines(0)[2][0].endswith("real …")
    window.show_state(ChoiceState("done", replace(part, is_complete=True)))
    assert window.table.lines(0)[2][0].endswith("real –")


def test_pointing_at_a_curve_says_its_numbers(window):
    plot = window.evidence.plot
    end = QPoint(plot.width() - 20, plot.height() // 2)
    QTest.mouseMove(plot, end)
    assert plot.label_lines()[0].startswith("γ = ")
    assert "±" in plot.label_lines()[0]
    window.evidence.findChild(Segmented).button("components").click()
    QTest.mouseMove(plot, end - QPoint(2, 0))
    assert plot.label_lines()[0].startswith("4 components: 100 ± 1.7 %")


def test_the_smallest_curve_has_its_names_above_its_axis(window):
    plot, content = window.evidence.plot, QBuffer()
    window.table.setCurrentRow(0)
    levels = (("guessing", 0.5), ("linear PCA", 0.46))
    plot.show_curve(replace(plot.curve, levels=levels))
    assert len(plot.curve.rules) == 3
    size = plot.minimumSizeHint().toSizeF()
    generator = QSvgGenerator()
    generator.setOutputDevice(content)
    painter = QPainter(generator)
    plot.draw(painter, size, live=False)
    painter.end()
    drawn = {
        element.text.strip(): float(element.get("y"))
        for element in ElementTree.fromstring(content.data().data()).iter()
        if element.tag.endswith("text")
    }
    frame = plot.frame(size)
    assert frame.top < drawn["guessing, linear PCA"] < frame.top + frame.height
    assert frame.height > 3 * QFontMetricsF(plot_font()).height()


def test_everything_that_can_be_used_has_a_name(window):
    for kind in (QPushButton, QLabel, RowList, ScorePlot):
        for widget in window.parent().findChildren(kind):
            assert widget.accessibleName(), widget.objectName()
    assert "γ = " in window.evidence.plot.accessibleDescription()


def test_it_follows_the_theme(window, qapp):
    before = window.table.viewport().grab().toImage()
    plot = window.evidence.plot.grab().toImage()
    apply_theme(qapp, DARK)
    window.set_theme(DARK)
    assert window.table.viewport().grab().toImage() != before
    assert window.evidence.plot.grab().toImage() != plot
