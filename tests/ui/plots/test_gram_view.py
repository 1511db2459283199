from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetricsF, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.features.kernel_matrix.view import GramView
from kpca_viewer.widgets.plots.coloring import diverging, sequential
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.text import plot_font
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.ui.plots.results import indefinite_distances, result_of, worked_example

RAW, CENTRED = ViewSettings(gram_centred=False), ViewSettings(gram_centred=True)


@pytest.fixture
def shown(qtbot):
    def make(result=None, settings=CENTRED, size=(420, 320), theme=LIGHT) -> GramView:
        view = GramView()
        qtbot.addWidget(view)
        view.set_theme(theme)
        view.resize(*size)
        if result is not None:
            view.show_result(result, settings)
        with qtbot.waitExposed(view):
            view.show()
        return view

    return make


def cell(view, row, column) -> QPoint:
    return view.plan().cell_rect(row, column).center().toPoint()


def corner(view, row, column) -> QPoint:
    """Return a pixel of a large cell that no number covers."""
    return (view.plan().cell_rect(row, column).topLeft() + QPointF(6, 6)).toPoint()


def painted(view) -> QImage:
    """Return the picture without mouse and focus."""
    image = QImage(view.size(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    view.render_to(painter, QRectF(view.rect()))
    painter.end()
    return image


def color(rgb) -> QColor:
    return QColor(*(int(value) for value in rgb))


def test_without_a_result_it_says_so(shown):
    view = shown()
    image = view.grab().toImage()
    assert len({image.pixel(x, 160) for x in range(100, 320)}) > 5
    QTest.mouseMove(view, QPoint(100, 100))
    QTest.keyClick(view, Qt.Key.Key_Down)
    view.set_highlight([3])
    assert view.pair is None
    assert view.caption() == ""


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_centred_matrix_diverges_from_the_card(shown, theme):
    centred = np.array([[2.0, 0.0, -2.0], [0.0, 1.0, -1.0], [-2.0, -1.0, 0.0]])
    picture = replace(worked_example().picture, centred=centred)
    view = shown(replace(worked_example(), picture=picture), theme=theme)
    image, table = painted(view), diverging(theme)
    assert image.pixelColor(corner(view, 0, 1)) == QColor(theme.card)
    assert image.pixelColor(corner(view, 0, 0)) == color(table[-1])
    assert image.pixelColor(corner(view, 0, 2)) == color(table[0])
    strength = [
        abs(
            image.pixelColor(corner(view, *at)).lightness()
            - QColor(theme.card).lightness()
        )
        for at in ((0, 1), (1, 1), (0, 0))
    ]
    assert strength == sorted(strength)
    assert strength[0] < strength[1] < strength[2]


def test_raw_matrix_without_signs_has_a_plain_scale(shown):
    view = shown(worked_example(), RAW)
    image = painted(view)
    assert image.pixelColor(corner(view, 0, 0)) == color(sequential()[-1])
    assert image.pixelColor(corner(view, 0, 1)) == color(sequential()[0])


def test_small_matrix_is_written_out(shown):
    image = painted(shown(worked_example(), RAW))
    view = shown(worked_example(), RAW)
    rect = view.plan().cell_rect(0, 0)
    middle = QRectF(0, 0, 14, 14)
    middle.moveCenter(rect.center())
    background = image.pixelColor(corner(view, 0, 0))
    inked = [
        image.pixelColor(x, y) != background
        for x in range(int(middle.left()), int(middle.right()))
        for y in range(int(middle.top()), int(middle.bottom()))
    ]
    assert 5 < sum(inked) < len(inked)


def test_large_matrix_is_not_written_out(shown):
    view = shown(result_of(samples=100), RAW, size=(800, 700))
    rect = view.plan().cell_rect(50, 7).toRect()
    image = painted(view)
    colors = {
        image.pixel(x, y)
        for x in range(rect.left() + 1, rect.right())
        for y in range(rect.top() + 1, rect.bottom())
    }
    assert len(colors) == 1


def test_matrix_is_square_and_inside(shown):
    view = shown(result_of())
    for size in ((180, 300), (900, 400), (60, 40), (300, 180)):
        view.resize(*size)
        plan = view.plan()
        assert plan.square.width() == plan.square.height()
    assert QRectF(0, 0, 300, 180).contains(plan.square)
    assert QRectF(0, 0, 300, 180).contains(plan.caption)


def test_strips_have_the_colours_of_the_classes(shown):
    result = result_of()
    view = shown(result)
    image, square = painted(view), view.plan().square
    count = int((result.dataset.labels == 0).sum())
    for share, name in ((0.5 * count / 400, 0), ((count + 100) / 400, 1)):
        expected = QColor(LIGHT.class_colors[name])
        y, x = square.top() + share * square.height(), square.left() + share * 200
        assert image.pixelColor(round(square.left()) - 6, round(y)) == expected
        x = square.left() + share * square.width()
        assert image.pixelColor(round(x), round(square.top()) - 6) == expected
    # The line between the classes is darker than what it divides.
    at = round(square.top() + count * view.plan().cell)
    line = image.pixelColor(round(square.right()) - 20, at).lightness()
    beside = image.pixelColor(round(square.right()) - 20, at + 4).lightness()
    assert line < beside


def test_no_labels_no_strips(shown):
    view = shown(result_of("s_curve"))
    assert not view.plan().strips


def test_hover_tells_the_rows_of_the_data(shown):
    result = result_of()
    view = shown(result, RAW, size=(600, 500))
    pairs = []
    view.pair_hovered.connect(pairs.append)
    at = cell(view, 5, 390)
    i, j = view.plan().cell_at(QPointF(at))
    rows = result.picture.rows
    QTest.mouseMove(view, at)
    assert pairs == [(rows[i], rows[j])]
    assert all(type(row) is int for row in pairs[0])
    value = result.picture.raw[i, j]
    expected = f"k({rows[i] + 1}, {rows[j] + 1}) = "
    first, second = view.label_lines()
    assert first.startswith(expected)
    assert float(first.removeprefix(expected).replace("−", "-")) == pytest.approx(
        value, rel=1e-3
    )
    assert second == "outer ring, inner ring"
    QTest.mouseMove(view, QPoint(1, 1))
    assert pairs[-1] is None
    assert view.label_lines() == []


def test_leaving_ends_the_hover(shown):
    view = shown(worked_example())
    pairs = []
    view.pair_hovered.connect(pairs.append)
    QTest.mouseMove(view, cell(view, 2, 1))
    QApplication.sendEvent(view, QEvent(QEvent.Type.Leave))
    assert pairs == [(2, 1), None]
    assert view.label_lines() == []


def test_hover_names_rows_and_says_when_centred(shown):
    view = shown(result_of("three_points", "poly"))
    QTest.mouseMove(view, cell(view, 1, 0))
    assert view.label_lines()[0].startswith("centred k(b, a) = ")


def test_distances_are_called_distances(shown):
    view = shown(indefinite_distances(), RAW)
    QTest.mouseMove(view, cell(view, 0, 2))
    assert view.label_lines() == ["d(1, 3) = 10"]
    assert view.caption() == "distances"
    view.show_result(indefinite_distances(), CENTRED)
    assert view.caption() == "centred kernel matrix"


def test_sample_is_named(shown):
    view = shown(result_of(samples=500))
    assert view.caption() == "centred kernel matrix · 400 of 500 points"
    view.show_result(result_of(), RAW)
    assert view.caption() == "kernel matrix"


def test_arrow_keys_point_at_cells(shown):
    result = worked_example()
    view = shown(result)
    pairs = []
    view.pair_hovered.connect(pairs.append)
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Up):
        QTest.keyClick(view, key)
    QTest.keyClick(view, Qt.Key.Key_Up)  # there is nothing above
    QTest.keyClick(view, Qt.Key.Key_Escape)
    assert pairs == [(0, 0), (0, 1), (1, 1), (0, 1), None]


def test_highlight_marks_row_and_column_and_emits_nothing(shown):
    result = worked_example()
    view = shown(result)
    pairs = []
    view.pair_hovered.connect(pairs.append)
    before = view.grab().toImage()
    view.set_highlight([1, 77])
    assert view.highlight == (1,)
    after = view.grab().toImage()
    row, column = view.plan().cell_rect(1, 2), view.plan().cell_rect(2, 1)
    for edge in (
        QPoint(round(row.center().x()), round(row.top())),
        QPoint(round(column.left()), round(column.center().y())),
    ):
        assert after.pixelColor(edge) != before.pixelColor(edge)
    view.set_highlight([])
    assert view.grab().toImage() == before
    assert pairs == []


def test_highlight_finds_rows_by_their_place_in_the_picture(shown):
    result = result_of()
    view = shown(result)
    row = int(result.picture.rows[123])
    view.set_highlight([row])
    assert view.highlight == (123,)
    view.show_result(result_of("moons"), CENTRED)
    assert view.highlight == ()


def test_theme_changes_the_colours_of_the_matrix(shown):
    view = shown(worked_example())
    view.set_theme(DARK)
    largest = color(diverging(DARK)[-1])
    centred = worked_example().picture.centred
    i, j = np.unravel_index(np.argmax(centred), centred.shape)
    assert painted(view).pixelColor(corner(view, int(i), int(j))) == largest


def test_constant_and_missing_values_are_no_trouble(shown):
    flat = analyse(Dataset(np.ones((4, 4)), kind="kernel", name="flat"))
    view = shown(flat)
    assert painted(view).pixelColor(corner(view, 1, 2)) == QColor(LIGHT.card)
    holes = replace(flat.picture, raw=np.array([[np.nan, 1.0], [1.0, np.inf]]))
    holes = replace(holes, rows=np.arange(2), centred=holes.raw)
    view.show_result(replace(flat, picture=holes), RAW)
    QTest.mouseMove(view, cell(view, 0, 0))
    assert view.label_lines() == ["k(1, 1) = missing"]


@pytest.mark.journey
def test_many_classes_and_unlabelled_rows(shown):
    rng = np.random.default_rng(0)
    labels = np.repeat(np.arange(-1, 39), 5)
    data = Dataset(
        rng.normal(size=(200, 3)),
        labels=labels,
        label_names=tuple(f"class {i}" for i in range(39)),
    )
    view = shown(analyse(data))
    square = view.plan().square
    at = QPoint(round(square.left()) - 6, round(square.top()) + 1)
    assert painted(view).pixelColor(at) == QColor(LIGHT.muted)
    QTest.mouseMove(view, cell(view, 0, 199))
    assert view.label_lines()[1] == "no label, class 38"


LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier


@pytest.fixture
def linked(shown):
    """Return a matrix of rows sorted by class, joined to a selection."""
    labels = np.array([1, 0, 1, 0, 1, 0, 1, 0])
    points = np.random.default_rng(0).normal(size=(8, 2))
    data = Dataset(points, labels=labels, label_names=("a", "b"))
    result = analyse(data)
    view, linking = shown(result), Linking()
    linking.reset(8)
    view.selected.connect(linking.apply_selection)
    linking.selection_changed.connect(view.set_selected)
    view.linking = linking
    view.order = result.picture.rows.tolist()
    return view


def drag(view, start, end, keys=PLAIN) -> None:
    QTest.mousePress(view, LEFT, keys, cell(view, *start))
    QTest.mouseMove(view, cell(view, *end))
    QTest.mouseRelease(view, LEFT, keys, cell(view, *end))


def test_a_drag_selects_rows_and_columns(linked):
    order = linked.order
    assert order == [1, 3, 5, 7, 0, 2, 4, 6]
    drag(linked, (1, 5), (0, 6))
    assert linked.linking.selection.nonzero()[0].tolist() == [1, 2, 3, 4]
    assert linked.chosen == (0, 1, 5, 6)
    drag(linked, (7, 7), (7, 7), Qt.KeyboardModifier.ShiftModifier)
    assert linked.chosen == (0, 1, 5, 6, 7)
    drag(linked, (0, 0), (1, 1), Qt.KeyboardModifier.AltModifier)
    assert linked.chosen == (5, 6, 7)


def test_a_drag_may_end_outside(linked):
    QTest.mousePress(linked, LEFT, PLAIN, cell(linked, 6, 6))
    QTest.mouseMove(linked, QPoint(linked.width() - 1, linked.height() - 1))
    QTest.mouseRelease(linked, LEFT, PLAIN, QPoint(linked.width(), linked.height()))
    assert linked.chosen == (6, 7)


def test_enter_selects_the_pair_under_the_keys(linked):
    linked.setFocus()
    for _ in range(3):
        QTest.keyClick(linked, Qt.Key.Key_Right)
    assert linked.pair == (1, 5)
    QTest.keyClick(linked, Qt.Key.Key_Return)
    assert linked.chosen == (0, 2)


def test_selected_rows_are_marked_along_the_edges(linked):
    mask = np.zeros(8, dtype=bool)
    mask[linked.order[3]] = True
    linked.linking.apply_selection(mask)
    image = linked.grab().toImage()
    square = linked.plan().square
    left = round(square.left()) - 2

    def mark(position):
        y = round(linked.plan().cell_rect(position, 0).center().y())
        return image.pixelColor(left, y).name().lower()

    assert mark(3) == LIGHT.accent.lower()
    assert mark(4) != LIGHT.accent.lower()


def test_a_low_panel_has_its_caption_beside_a_larger_matrix(shown):
    view = shown(worked_example(), size=(720, 150))
    plan = view.plan()
    assert plan.square.height() > 150 - 2 * QFontMetricsF(plot_font()).height() - 12
    assert plan.caption.left() > plan.bar.right()
    assert view.rect().contains(plan.caption.toRect())
    # Where there is no such room, it stays below.
    narrow = shown(worked_example(), size=(260, 150)).plan()
    assert narrow.caption.top() > narrow.square.bottom()
    high = shown(worked_example(), size=(720, 400)).plan()
    assert high.caption.top() > high.square.bottom()
