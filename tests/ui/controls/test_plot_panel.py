"""The frame of a plot: title, tools, caption, veil."""

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtGui import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QToolButton, QWidget

from kpca_viewer.widgets.controls import PlotPanel, Segmented
from kpca_viewer.widgets.style import style_sheet
from kpca_viewer.widgets.theme import DARK, LIGHT

pytestmark = pytest.mark.qt_log_ignore("propagateSizeHints", "does not support raise")
LEFT = Qt.MouseButton.LeftButton


class Body(QWidget):
    """A plot that counts clicks."""

    def __init__(self):
        super().__init__()
        self.clicks = 0
        self.setAutoFillBackground(True)
        self.setPalette(Qt.GlobalColor.black)

    def mousePressEvent(self, _event):
        self.clicks += 1


@pytest.fixture
def panel(qtbot):
    panel = PlotPanel("Embedding", Body())
    qtbot.addWidget(panel)
    panel.setStyleSheet(style_sheet(LIGHT))
    panel.resize(300, 200)
    panel.show()
    qtbot.waitExposed(panel)
    return panel


def title_of(panel):
    return panel.findChild(QLabel, "panel_title")


def test_title_is_shortened_and_complete_in_the_tooltip(panel):
    assert title_of(panel).shown_text() == "Embedding"
    assert title_of(panel).toolTip() == ""
    long = "<b>a</b> very long name of a file " * 10
    panel.set_title(long)
    assert panel.title() == long.strip()
    assert title_of(panel).shown_text().endswith("…")
    assert title_of(panel).shown_text().startswith("<b>a</b>")
    assert "very long name" in title_of(panel).toolTip()
    assert panel.minimumSizeHint().width() < 200


def test_tooltip_cannot_become_markup(panel):
    panel.set_title("<h1>" + "x" * 300)
    assert not Qt.mightBeRichText(title_of(panel).toolTip())


def test_double_click_on_the_title(panel, qtbot):
    for target in (title_of(panel), panel.findChild(QWidget, "panel_header")):
        with qtbot.waitSignal(panel.stage_requested):
            QTest.mouseDClick(target, LEFT)


def test_a_button_changes_places_with_the_stage_and_back(panel, qtbot):
    button = panel.findChild(QToolButton, "stage_button")
    assert not button.isVisible()
    panel.set_on_stage(False, can_swap=True)
    assert button.isVisible()
    there = button.toolTip()
    with qtbot.waitSignal(panel.stage_requested):
        QTest.mouseClick(button, LEFT)
    panel.set_on_stage(True, can_swap=True)
    assert button.toolTip() != there


def test_double_click_on_the_plot_is_the_plots_business(panel, qtbot):
    with qtbot.assertNotEmitted(panel.stage_requested):
        QTest.mouseDClick(panel.body, LEFT)


def test_tools_stand_on_the_right(panel, qtbot):
    button = QPushButton("2D")
    panel.add_tool(button)
    qtbot.waitUntil(button.isVisible)
    assert button.mapTo(panel, button.rect().center()).x() > panel.width() / 2


def test_caption(panel, qtbot):
    caption = panel.findChild(QLabel, "panel_caption")
    assert not caption.isVisible()
    panel.set_caption("Isolines of component 1 <i>")
    assert caption.isVisible()
    assert caption.textFormat() == Qt.TextFormat.PlainText
    assert panel.caption().endswith("<i>")
    panel.set_caption("")
    assert not caption.isVisible()


def test_a_caption_of_which_more_follows_keeps_its_height(panel, qtbot):
    long = "62.8 % explained. " * 8
    caption = panel.findChild(QLabel, "panel_caption")
    panel.set_caption("one line")
    qtbot.waitUntil(lambda: caption.height() > 0)
    line = caption.height()
    panel.set_caption(long)
    qtbot.waitUntil(lambda: caption.height() > line)
    height = panel.body.height()
    panel.set_caption("62.8 % explained", more_follows=True)
    panel.layout().activate()
    assert panel.body.height() == height
    panel.set_caption("62.8 % explained")
    qtbot.waitUntil(lambda: panel.body.height() > height)


def test_a_low_panel_leaves_the_room_to_the_plot(panel, qtbot):
    caption = panel.findChild(QLabel, "panel_caption")
    line = caption.fontMetrics().height()
    first = "62.8 % explained."
    panel.set_caption(f"{first} Neither picture separates the classes by a line.")
    qtbot.waitUntil(lambda: caption.height() > line)
    panel.resize(300, 13 * line - 1)
    qtbot.waitUntil(lambda: caption.height() == line)
    # Whole sentences; the rest is in the tooltip.
    assert caption.shown_text() == first
    assert "by a line" in caption.toolTip()
    assert "by a line" in panel.caption()
    panel.resize(300, 11 * line)
    assert not caption.isVisible()
    # A line more of panel is a line more of caption.
    panel.resize(300, 13 * line)
    qtbot.waitUntil(lambda: caption.height() == 2 * line)
    assert caption.shown_text() == panel.caption()
    panel.resize(300, 16 * line)
    qtbot.waitUntil(lambda: caption.height() > line)
    assert caption.toolTip() == ""


def test_the_caption_keeps_its_margin_in_another_theme(panel, qapp, qtbot):
    caption = panel.findChild(QLabel, "panel_caption")
    panel.set_caption("Effective rank 7.6.")
    panel.hide()
    panel.show()
    for theme in (DARK, LIGHT):
        panel.setStyleSheet(style_sheet(theme))
        panel.layout().activate()
        box = caption.contentsRect().translated(caption.mapTo(panel, QPoint()))
        assert box.left() >= 12
        assert panel.height() - box.bottom() >= 6


def test_stale_pictures_are_dimmed_but_usable(panel, qtbot):
    middle = panel.body.geometry().center()
    fresh = panel.grab().toImage().pixelColor(middle)
    panel.set_dimmed(True)
    assert panel.is_dimmed()
    stale = panel.grab().toImage().pixelColor(middle)
    assert stale.lightness() > fresh.lightness() + 80
    spot = panel.childAt(middle)
    assert spot is panel.body
    QTest.mouseClick(panel.windowHandle(), LEFT, pos=middle)
    assert panel.body.clicks == 1
    panel.set_dimmed(False)
    assert panel.grab().toImage().pixelColor(middle) == fresh


def test_veil_follows_the_plot(panel, qtbot):
    panel.set_dimmed(True)
    panel.resize(500, 400)
    veil = panel.findChild(QWidget, "panel_veil")
    qtbot.waitUntil(lambda: veil.geometry() == panel.body.geometry())
    assert veil.width() > 400


def with_tools(panel):
    """Give a panel an essential tool and one that may go."""
    pages = Segmented([("pca", "Linear PCA", "", "PCA"), ("table", "Table")], "Pages")
    marks = Segmented([("lasso", "Lasso", "Draw a loop"), ("box", "Box")], "Marks")
    panel.add_tool(marks, 1)
    panel.add_tool(pages)
    return pages, marks


def more_of(panel):
    return panel.findChild(QToolButton, "more_button")


def test_a_short_text_is_taken_before_a_long_one_is_cut(panel, qtbot):
    pages = Segmented(
        [("pca", "Linear PCA", "", "PCA"), ("gram", "Kernel matrix", "", "Matrix")],
        "Pages",
    )
    panel.add_tool(pages)
    panel.set_title_optional()
    long = pages.sizeHint().width()
    panel.resize(long - 10, 200)
    qtbot.waitUntil(lambda: pages.button("gram").text() == "Matrix")
    assert pages.width() >= pages.sizeHint().width()
    panel.resize(long + 60, 200)
    qtbot.waitUntil(lambda: pages.button("gram").text() == "Kernel matrix")


def test_where_room_is_short_tools_go_before_the_title_is_cut(panel, qtbot):
    pages, marks = with_tools(panel)
    panel.resize(500, 200)
    qtbot.waitUntil(marks.isVisible)
    assert not more_of(panel).isVisible()
    assert pages.button("pca").text() == "Linear PCA"
    panel.resize(panel.minimumSizeHint().width() + 40, 200)
    qtbot.waitUntil(lambda: not marks.isVisible())
    assert title_of(panel).shown_text() == "Embedding"
    assert pages.isVisible()
    assert pages.button("pca").text() == "PCA"
    panel.resize(500, 200)
    qtbot.waitUntil(marks.isVisible)
    assert pages.button("pca").text() == "Linear PCA"


def test_a_tool_without_room_is_in_a_menu(panel, qtbot):
    _, marks = with_tools(panel)
    panel.resize(panel.minimumSizeHint().width() + 40, 200)
    qtbot.waitUntil(more_of(panel).isVisible)
    menu = more_of(panel).menu()
    menu.popup(panel.mapToGlobal(QPoint(20, 20)))
    draw, box = (action for action in menu.actions() if not action.isSeparator())
    assert (draw.text(), draw.isChecked()) == ("Draw a loop", True)
    with qtbot.waitSignal(marks.value_changed):
        box.trigger()
    assert marks.value() == "box"
    menu.close()


def test_a_title_that_the_tools_repeat_goes_first(panel, qtbot):
    _, marks = with_tools(panel)
    panel.set_title_optional()
    panel.resize(500, 200)
    qtbot.waitUntil(lambda: title_of(panel).isVisible() and marks.isVisible())
    panel.resize(marks.width() + 190, 200)
    qtbot.waitUntil(lambda: not title_of(panel).isVisible())
    assert marks.isVisible()


def test_a_note_says_what_is_shown_for_a_moment(panel, qtbot):
    _, marks = with_tools(panel)
    note = panel.findChild(QLabel, "panel_note")
    panel.resize(500, 200)
    qtbot.waitUntil(marks.isVisible)
    panel.set_note("γ = 3.2")
    qtbot.waitUntil(note.isVisible)
    assert note.shown_text() == panel.note() == "γ = 3.2"
    # It takes no tool away.
    panel.set_note("a rather long name of a kernel")
    assert marks.isVisible()
    panel.set_note("")
    assert not note.isVisible()
