import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QColor, QEnterEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from kpca_viewer.widgets.plots.coloring import sequential
from kpca_viewer.widgets.plots.legend import OTHER, Legend
from kpca_viewer.widgets.plots.legend_parts import LegendEntry, LegendScale
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.ui.plots.helpers import blended, rgb

LEFT = Qt.MouseButton.LeftButton
NAMES = ["first", "second", "third"]


@pytest.fixture
def legend(qtbot):
    """A legend at the top of a card, as plots have it."""
    card = QWidget()
    card.setAutoFillBackground(True)
    column = QVBoxLayout(card)
    column.setContentsMargins(0, 0, 0, 0)
    legend = Legend()
    legend.set_classes(NAMES, LIGHT)
    column.addWidget(legend)
    column.addStretch(1)
    qtbot.addWidget(card)
    paint(card, LIGHT)
    card.resize(400, 200)
    with qtbot.waitExposed(card):
        card.show()
    yield legend
    card.close()


@pytest.fixture
def heard(legend):
    heard = []
    legend.hidden_changed.connect(heard.append)
    return heard


def paint(card, theme) -> None:
    palette = card.palette()
    palette.setColor(palette.ColorRole.Window, QColor(theme.card))
    card.setPalette(palette)


def entry(legend, code) -> QWidget:
    return legend.findChild(QWidget, f"legend_entry_{code}")


def swatch_at(legend, code):
    """Return the colour in the middle of a swatch."""
    image = legend.window().grab().toImage()
    at = entry(legend, code).mapTo(legend.window(), QPoint(12, 12))
    return rgb(image, at)


def double_click(widget) -> None:
    QTest.mouseClick(widget, LEFT)
    QTest.mouseDClick(widget, LEFT)
    QTest.mouseRelease(widget, LEFT)


def test_click_hides_and_shows_a_class(legend, heard):
    QTest.mouseClick(entry(legend, 1), LEFT)
    QTest.mouseClick(entry(legend, 2), LEFT)
    QTest.mouseClick(entry(legend, 1), LEFT)
    assert heard == [{1}, {1, 2}, {2}]
    assert legend.hidden == {2}
    assert entry(legend, 2).accessibleName() == "third, hidden"
    assert entry(legend, 1).accessibleName() == "first, shown".replace(
        "first", "second"
    )


def test_double_click_isolates_and_brings_back(legend, heard):
    double_click(entry(legend, 1))
    assert heard[-1] == {0, 2}
    double_click(entry(legend, 1))
    assert heard[-1] == set()


def test_double_click_on_a_hidden_class_isolates_it_too(legend, heard):
    legend.set_hidden({1})
    double_click(entry(legend, 1))
    assert heard[-1] == {0, 2}


def test_other_buttons_and_releases_elsewhere_do_nothing(legend, heard):
    QTest.mouseClick(entry(legend, 0), Qt.MouseButton.RightButton)
    QTest.mousePress(entry(legend, 0), LEFT)
    QTest.mouseRelease(
        entry(legend, 0), LEFT, Qt.KeyboardModifier.NoModifier, QPoint(900, 5)
    )
    assert heard == []


def test_keys_reach_every_class(legend, heard):
    entry(legend, 0).setFocus()
    QTest.keyClick(entry(legend, 0), Qt.Key.Key_Right)
    assert legend.window().focusWidget() is entry(legend, 1)
    QTest.keyClick(entry(legend, 1), Qt.Key.Key_Space)
    assert heard == [{1}]
    QTest.keyClick(entry(legend, 1), Qt.Key.Key_Return)
    assert heard[-1] == {0, 2}
    QTest.keyClick(entry(legend, 1), Qt.Key.Key_Return)
    assert heard[-1] == set()
    QTest.keyClick(entry(legend, 1), Qt.Key.Key_Left)
    QTest.keyClick(entry(legend, 0), Qt.Key.Key_Left)
    assert legend.window().focusWidget() is entry(legend, 0)


def test_tab_stops_once(legend):
    strong = [
        code
        for code in range(3)
        if entry(legend, code).focusPolicy() & Qt.FocusPolicy.TabFocus.value
    ]
    assert strong == [0]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_swatches_have_the_colours_of_the_points(legend, theme):
    paint(legend.window(), theme)
    legend.set_classes(NAMES, theme)
    for code in range(3):
        expected = blended(theme.class_colors[code], theme.card, 0.85)
        assert swatch_at(legend, code) == pytest.approx(expected, abs=2)
    legend.set_hidden({1})
    assert swatch_at(legend, 1) == pytest.approx(blended(theme.card, theme.card, 1))


def test_rare_classes_share_an_entry_that_lists_them(legend, heard, qtbot):
    names = [f"carrier {i}" for i in range(15)]
    legend.set_most_lines(9)
    legend.set_classes(names, LIGHT, unlabelled=True, others={3: 5, 9: 70, 14: 1})
    qtbot.waitUntil(lambda: legend.height() == 24 * legend.line_count)
    assert legend.codes == [0, 1, 2, *range(4, 9), *range(10, 14), OTHER, -1]
    other = entry(legend, OTHER)
    lines = other.toolTip().splitlines()
    assert lines[:4] == [
        "other (3 classes)",
        "carrier 9: 70",
        "carrier 3: 5",
        "carrier 14: 1",
    ]
    assert swatch_at(legend, OTHER) == pytest.approx(
        blended(LIGHT.other, LIGHT.card, 0.85), abs=2
    )
    QTest.mouseClick(other, LEFT)
    assert heard == [{3, 9, 14}]
    QTest.mouseClick(other, LEFT)
    assert heard[-1] == set()
    # A session may have hidden one of them alone.
    legend.set_hidden({9})
    assert legend.hidden == {9}
    assert other.accessibleName().endswith("shown")


def test_pointing_at_an_entry_tells_its_classes(legend):
    lifted = []
    legend.classes_hovered.connect(lifted.append)
    legend.set_hidden({2})
    for code in (1, 2):
        for kind in (QEvent.Type.Enter, QEvent.Type.Leave):
            middle = QPointF(5, 5)
            entering = kind == QEvent.Type.Enter
            event = QEnterEvent(middle, middle, middle) if entering else QEvent(kind)
            QApplication.sendEvent(entry(legend, code), event)
    assert lifted == [{1}, None, None, None]
    # What is hidden by a click is not lifted any more.
    middle = QPointF(5, 5)
    QApplication.sendEvent(entry(legend, 1), QEnterEvent(middle, middle, middle))
    QTest.mouseClick(entry(legend, 1), LEFT)
    QTest.mouseClick(entry(legend, 1), LEFT)
    assert lifted[4:] == [{1}, None, {1}]


def test_same_names_keep_what_is_hidden_others_do_not(legend, heard):
    legend.set_hidden({1})
    legend.set_classes(NAMES, DARK)
    assert legend.hidden == {1}
    legend.set_classes(["a", "b"], DARK)
    assert legend.hidden == set()
    assert heard == []


def test_only_classes_that_have_rows_are_listed_in_their_own_colours(legend):
    third = swatch_at(legend, 2)
    legend.set_classes(NAMES, LIGHT, drawn={0, 2})
    assert legend.codes == [0, 2]
    assert swatch_at(legend, 2) == pytest.approx(third)
    legend.set_classes(NAMES, LIGHT, unlabelled=True, drawn={1})
    assert legend.codes == [1, -1]


def test_rows_without_a_class_can_be_hidden(legend, heard):
    legend.set_classes(NAMES, LIGHT, unlabelled=True)
    QTest.mouseClick(entry(legend, -1), LEFT)
    assert heard == [{-1}]
    assert entry(legend, -1).accessibleName() == "no label, hidden"


def test_many_classes_wrap_and_scroll(legend, qtbot):
    legend.set_classes([f"class number {i}" for i in range(40)], LIGHT)
    qtbot.waitUntil(lambda: legend.height() == 72)
    assert legend.line_count > 8
    last = entry(legend, 39)
    assert last.geometry().right() < legend.width()
    entry(legend, 0).setFocus()
    for code in range(39):
        QTest.keyClick(entry(legend, code), Qt.Key.Key_Right)
    assert legend.window().focusWidget() is last
    seen = last.mapTo(legend, QPoint(0, 0)).y()
    assert 0 <= seen <= legend.height() - last.height()


def test_long_names_are_plain_and_cut_only_where_room_is_short(legend, qtbot):
    name = "<b>bold</b> " + 30 * "long "
    legend.set_classes([name, "b"], LIGHT)
    long = entry(legend, 0)
    qtbot.waitUntil(lambda: long.width() == legend.width())
    legend.set_classes([f"{name} {i}" for i in range(9)], LIGHT)
    long = legend.findChildren(LegendEntry, "legend_entry_0")[-1]
    assert long.width() <= 180
    assert "<" not in long.toolTip()
    assert long.toolTip().startswith("‹b›bold‹/b› long")


def test_scale_of_numbers(legend, qtbot):
    legend.set_continuous("petal length", ("1", "6.9"), LIGHT)
    qtbot.waitUntil(lambda: legend.height() == 40)
    scale = legend.findChild(LegendScale)
    assert scale.accessibleName() == "petal length from 1 to 6.9"
    image = legend.window().grab().toImage()
    bar = scale.bar_rect()
    for x, column in ((bar.left(), 0), (bar.right(), 255), (bar.center().x(), 127)):
        at = scale.mapTo(legend.window(), QPoint(x, bar.center().y()))
        assert rgb(image, at) == pytest.approx(sequential()[column].astype(int), abs=6)
    assert legend.findChild(QWidget, "legend_entry_0") is None


def test_a_long_name_of_a_scale_has_a_line_of_its_own(legend, qtbot):
    legend.set_continuous("day of the measurement", ("2024-01-01", "2024-02-20"), LIGHT)
    legend.window().resize(150, 200)
    qtbot.waitUntil(lambda: legend.height() == 60)
    assert legend.findChild(LegendScale).bar_rect().bottom() < 60


def test_one_colour_needs_no_legend(legend, qtbot):
    legend.set_single(LIGHT)
    qtbot.waitUntil(lambda: legend.height() == 0)
    legend.set_classes(NAMES, LIGHT)
    qtbot.waitUntil(lambda: legend.height() == 24)
