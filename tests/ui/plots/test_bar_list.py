"""A list of bars: what is painted, pointed at, chosen, scrolled and copied."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter, QWheelEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpca_viewer.widgets.plots.bar_layout import Bar, BarList
from kpca_viewer.widgets.plots.bar_list import BarListView, ScrolledBars
from kpca_viewer.widgets.theme import DARK, LIGHT


def listed(bars, limits=(0.0, 1.0), titles=(), axis=()):
    names = tuple(bar.name for bar in bars)
    return BarList(
        names, bars.__getitem__, limits, titles, ("100 %",) * len(titles), axis
    )


def lines(count):
    bars = tuple(
        Bar(f"column {j}", 1 - j / count, (f"{j}",), about=f"about {j}")
        for j in range(count)
    )
    return listed(bars, titles=("number",), axis=("influence",))


@pytest.fixture
def shown(qtbot):
    view = BarListView("bars", "Bars")
    whole = ScrolledBars(view)
    qtbot.addWidget(whole)
    whole.resize(420, 240)
    with qtbot.waitExposed(whole):
        whole.show()
    view.show_bars(lines(5000), lambda: "a\tb\n", None)
    return whole


def painted(view, theme=LIGHT):
    view.set_theme(theme)
    return view.grab().toImage()


def color_at(image, x, y):
    ratio = image.devicePixelRatio()
    return image.pixelColor(int(x * ratio), int(y * ratio))


def test_only_lines_that_can_be_seen_are_painted_and_all_can_be_reached(shown):
    view = shown.view
    assert 5 < view.fitting() < 20
    assert shown.bar.isVisible()
    assert shown.bar.maximum() == 5000 - view.fitting()
    shown.bar.setValue(shown.bar.maximum())
    assert view.first + view.fitting() == 5000
    box = view.line_box(4999)
    assert 0 < box.top() < box.bottom() <= view.height()
    view.show_bars(lines(3), str, None)
    assert view.first == 0
    assert not shown.bar.isVisible()


def test_the_scroll_bar_has_its_width_once_lines_have_no_more_room(qtbot):
    view = BarListView("bars", "Bars")
    whole = ScrolledBars(view)
    qtbot.addWidget(whole)
    view.show_bars(lines(5), lambda: "", None)
    whole.resize(420, 240)
    with qtbot.waitExposed(whole):
        whole.show()
    assert whole.bar.isHidden()
    whole.resize(420, 110)
    assert not whole.bar.isHidden()
    assert whole.bar.width() == whole.bar.sizeHint().width()


def test_keys_walk_and_scroll_and_choose(shown):
    view, chosen = shown.view, []
    view.line_chosen.connect(chosen.append)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.pointed == 0
    QTest.keyClick(view, Qt.Key.Key_End)
    assert view.pointed == 4999
    assert view.first == 5000 - view.fitting()
    QTest.keyClick(view, Qt.Key.Key_Up)
    QTest.keyClick(view, Qt.Key.Key_PageUp)
    assert view.pointed == 4998 - view.fitting()
    assert view.first == view.pointed
    QTest.keyClick(view, Qt.Key.Key_Return)
    assert chosen == [view.pointed]
    QTest.keyClick(view, Qt.Key.Key_Home)
    assert (view.pointed, view.first) == (0, 0)
    assert view.label_lines() == ["about 0"]


def test_the_mouse_points_and_chooses_and_the_wheel_scrolls(shown):
    view, chosen, pointed = shown.view, [], []
    view.line_chosen.connect(chosen.append)
    view.line_hovered.connect(pointed.append)
    at = view.line_box(3).center().toPoint()
    QTest.mouseMove(view, at)
    assert view.label_lines() == ["about 3"]
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=at)
    assert chosen == [3]
    # The title above the bars is no line.
    QTest.mouseClick(view, Qt.MouseButton.LeftButton, pos=QPoint(at.x(), 2))
    assert chosen == [3]
    wheel = QWheelEvent(
        QPointF(at),
        view.mapToGlobal(QPointF(at)),
        QPoint(),
        QPoint(0, -240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(view, wheel)
    assert view.first == 6
    assert view.pointed == 9
    assert pointed[-1] == 9


def test_the_key_for_copying_copies_the_table(shown, qtbot):
    view = shown.view
    view.setFocus()
    with qtbot.waitSignal(view.copied):
        QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "a\tb\n"


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_what_is_noise_is_grey_and_what_is_not_known_is_an_outline(shown, theme):
    view = shown.view
    bars = tuple(
        Bar(name, 1.0, ("",), band, strong=strong)
        for name, band, strong in (
            ("strong", 0.5, True),
            ("noise", 1.0, False),
            ("unknown", None, None),
        )
    )
    view.show_bars(listed(bars, titles=("n",)), str, None)
    image = painted(view, theme)
    x = 0.6 * view.width()
    colors = [color_at(image, x, view.line_box(j).center().y()) for j in range(3)]
    assert colors[0] == QColor(theme.accent)
    assert colors[1] == QColor(theme.disabled)
    assert colors[2] == QColor(theme.card)
    box = view.line_box(2)
    across = {
        color_at(image, x, y).rgb() for y in range(int(box.top()), int(box.bottom()))
    }
    others = across - {color.rgb() for color in colors}
    assert others, "its edges are drawn, in a colour of their own"


def test_bars_go_both_ways_from_the_middle(shown):
    view = shown.view
    bars = (
        Bar("more", 1.0, (), span=(0.8, 1.0), strong=True),
        Bar("less", -1.0, (), span=(-1.0, -0.8), strong=True),
    )
    view.show_bars(listed(bars, (-1.0, 1.0), axis=("◂ b", "a ▸")), str, None)
    image = painted(view)

    def covered(line):
        y = view.line_box(line).top() + 0.3 * view.line_box(line).height()
        accent = QColor(LIGHT.accent)
        return {x for x in range(view.width()) if color_at(image, x, y) == accent}

    more, less = covered(0), covered(1)
    assert more
    assert less
    assert max(less) <= min(more)


def test_lines_are_made_when_they_are_looked_at(shown):
    made, view = [], shown.view
    bars = lines(5000)
    view.show_bars(
        replace(bars, make=lambda at: made.append(at) or bars.make(at)), str, 7
    )
    painted(view)
    assert set(made) == set(range(view.fitting()))
    view.scroll_to(3000)
    painted(view)
    assert len(set(made)) == 2 * view.fitting()


def test_words_take_the_place_of_lines(shown):
    view = shown.view
    view.say("There is nothing.")
    assert view.words == "There is nothing."
    assert view.bars == ()
    QTest.keyClick(view, Qt.Key.Key_Down)
    assert view.pointed is None
    QTest.keyClick(view, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert painted(view) is not None


def test_paper_has_the_lines_that_fit_on_it(shown):
    view = shown.view
    view.show_bars(lines(4), str, 1)
    image = QImage(600, 400, QImage.Format.Format_RGB32)
    image.fill(QColor("#ff00ff"))
    painter = QPainter(image)
    view.render_to(painter, QRectF(0, 0, 600, 400))
    painter.end()
    seen = {image.pixelColor(x, 70).name() for x in range(600)}
    assert "#ff00ff" not in seen
    assert len(seen) > 3


def test_a_narrow_list_keeps_names_and_bars(shown):
    shown.resize(150, 200)
    view = shown.view
    image = painted(view)
    y = view.line_box(0).center().y()
    seen = {color_at(image, x, y).name() for x in range(view.width())}
    assert len(seen) > 2
