"""The page of odd rows: where rows are, what the list says, and who hears of it."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QImage, QPainter
from PySide6.QtTest import QTest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.drawn import SOURCE, Drawn
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.outliers.compute import MOVING_ROWS, PAGE, measure_new
from kpca_viewer.features.outliers.page import MEASURING, TITLE, WAITING
from kpca_viewer.features.outliers.stages import ODD_LIST, ODD_ROWS
from kpca_viewer.features.outliers.text import oddness_text
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.analyses import analysed
from tests.ui.board.boards import show, show_page

CIRCLES = SessionSettings(data=DataSettings("circles", as_values({"samples": 60})))
RNG = np.random.default_rng(5)
PLANTED = Dataset(
    np.vstack((RNG.normal(size=(49, 4)), [[0.1, 0.0, 12.0, -0.2]])),
    np.arange(50) % 2,
    ("even", "odd"),
    ("a", "b", "planted", "c"),
    name="planted",
)
INDEFINITE = KernelSettings("sigmoid", as_values({"gamma": 1.0, "coef0": -1.0}))


def answer(dataset=None, settings=CIRCLES, page=PAGE, **values):
    return analysed(settings, dataset, page=page, **values)


@pytest.fixture
def board(qtbot, fresh_board):
    """A board in front of a row that is planted among others."""
    result = answer(PLANTED, SessionSettings())
    return show_page(qtbot, fresh_board(1100, 760), PAGE, result)


def view(board):
    return board.compare.views["odd"].view


def listed_texts(board, column):
    model = view(board).list.model()
    return [model.index(line, column).data() for line in range(model.rowCount())]


def click_line(board, line, keys=Qt.KeyboardModifier.NoModifier):
    table = view(board).list
    at = table.visualRect(table.model().index(line, 0)).center()
    QTest.mouseClick(table.viewport(), Qt.MouseButton.LeftButton, keys, at)


def hover_point(board, row):
    plot = view(board).plot
    at = plot.pixels()[row]
    QTest.mouseMove(plot.canvas.viewport(), QPoint(*np.rint(at).astype(int).tolist()))


def test_every_row_is_where_its_numbers_put_it(board):
    odd = board.scene.result.get(ODD_ROWS)
    plot = view(board).plot
    expected = np.column_stack((odd.numbers.t2, odd.numbers.spe))
    np.testing.assert_array_equal(plot.area.placed, expected)
    lines = {(line.axis, line.stroke): line.value for line in plot.limits.lines}
    assert lines["x", "dashed"] == np.quantile(odd.numbers.t2, 0.95)
    assert lines["y", "dashed"] == np.quantile(odd.numbers.spe, 0.95)
    shuffled = board.scene.result.get(ODD_LIST).shuffled
    assert lines["x", "dotted"] == shuffled[0].value
    assert lines["y", "dotted"] == shuffled[1].value


def test_the_list_names_the_row_and_its_column(board):
    assert listed_texts(board, 0)[0] == "50"
    assert listed_texts(board, 2)[0].startswith("planted +")
    times = [float(text) for text in listed_texts(board, 1)]
    assert times == sorted(times, reverse=True)
    assert "50" in view(board).plot.area.cloud.label_texts


def test_long_names_are_cut_and_numbers_are_not(board):
    names = tuple(f"a column with a name of great length, number {j}" for j in range(4))
    show(board, answer(replace(PLANTED, feature_names=names, name="long")))
    table = view(board).list
    for column in range(1, table.model().columnCount()):
        assert table.columnWidth(column) >= table.sizeHintForColumn(column)
    first = listed_texts(board, 2)[0]
    assert "…" in first
    assert " sd (−" in first


def test_a_click_in_the_list_selects_the_row_everywhere(board):
    click_line(board, 0)
    assert np.flatnonzero(board.linking.selection).tolist() == [49]
    click_line(board, 1, Qt.KeyboardModifier.ControlModifier)
    second = int(listed_texts(board, 0)[1]) - 1
    assert set(np.flatnonzero(board.linking.selection)) == {49, second}
    assert view(board).list.ground(0) is not None
    assert view(board).list.ground(4) is None
    # What is selected elsewhere since is not marked here.
    board.linking.clear()
    assert not view(board).list.selectionModel().hasSelection()
    assert view(board).list.ground(0) is None or board.linking.hovered == 49


def test_only_keys_move_the_list_sideways(board):
    table = view(board).list
    table.setMaximumWidth(150)
    table.resize(150, 60)
    across, last = table.horizontalScrollBar(), table.model().columnCount() - 1
    assert across.maximum() > 60
    # What Qt does a moment after a click, and for every line that keys reach.
    table.scrollTo(table.model().index(table.model().rowCount() - 1, last))
    assert across.value() == 0
    assert table.verticalScrollBar().value() > 0
    table.scrollTo(table.model().index(0, 2))
    assert (across.value(), table.verticalScrollBar().value()) == (0, 0)
    for key, value in ((Qt.Key.Key_Right, 60), (Qt.Key.Key_Left, 0)):
        QTest.keyClick(table, key)
        assert across.value() == value


@pytest.mark.parametrize("theme", [LIGHT, DARK])
def test_a_selected_line_is_text_on_a_soft_ground(board, qapp, theme):
    before = qapp.styleSheet()
    try:
        apply_theme(qapp, theme)
        board.set_theme(theme)
        click_line(board, 1)
        table = view(board).list
        table.setFocus()
        rect = table.visualRect(table.model().index(1, 0))
        picture = table.viewport().grab(rect).toImage()
        shades = {
            picture.pixelColor(x, y).lightness()
            for x in range(picture.width())
            for y in range(picture.height())
        }
        ground = picture.pixelColor(2, 2).lightness()
        assert abs(ground - QColor(theme.card).lightness()) < 64
        assert max(abs(shade - ground) for shade in shades) > 128
    finally:
        qapp.setStyleSheet(before)


def test_a_small_plot_keeps_its_numbers_whole_and_mostly_in_sight(board):
    plot = view(board).plot
    overlay = plot.area.overlay
    for width in (200, 240, 280):
        plot.resize(width, 170)
        plot.grab()
        hover_point(board, 49)
        frame = plot.area.frame
        assert overlay.label_lines[0].startswith("row 50")
        assert not [line for line in overlay.label_lines if "…" in line]
        told = " · ".join(overlay.label_lines[1:])
        assert told == oddness_text(board.scene.result.get(ODD_ROWS), 49, ("t2", "spe"))
        box = overlay.label_box()
        assert box.right() <= frame.left + frame.width
        assert box.width() * box.height() < 0.6 * frame.width * frame.height
        board.linking.set_hovered(None)


def test_names_of_rows_keep_out_of_the_key(board):
    plot = view(board).plot
    cloud = plot.area.cloud
    for height in (150, 200, 260):
        plot.resize(240, height)
        # Wherever the upper points lie, as after zooming.
        for factor in (1.0, 1.3, 2.0):
            plot.zoom(factor, QPointF(120, height / 2))
            plot.grab()
            below = plot.area.frame.top + plot.limits.key_height()
            assert all(place.top() >= below - 0.5 for place in cloud.label_places)
    assert cloud.labels.top == plot.limits.key_height() > 0


def test_keys_walk_the_list_and_enter_selects(board):
    table = view(board).list
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    QTest.keyClick(table, Qt.Key.Key_Down)
    second = int(listed_texts(board, 0)[1]) - 1
    assert board.linking.hovered == second
    assert board.linking.selection is None
    QTest.keyClick(table, Qt.Key.Key_Return)
    assert np.flatnonzero(board.linking.selection).tolist() == [second]


def test_hovering_is_shared_both_ways(board):
    table = view(board).list
    at = table.visualRect(table.model().index(0, 1)).center()
    QTest.mouseMove(table.viewport(), at)
    assert board.linking.hovered == 49
    assert view(board).plot.area.cloud.hovered == 49
    hover_point(board, 49)
    assert table.ground(0) is not None
    assert "SPE" in view(board).plot.describe(49)


def test_a_box_in_the_plot_selects_its_rows(board):
    plot = view(board).plot
    odd = board.scene.result.get(ODD_ROWS).numbers
    board.embedding.tool.button("rectangle").click()
    corner = plot.area.frame.to_pixels(np.array([[0.0, odd.spe.min() * 0.9]]))[0]
    beyond = float(np.median(odd.t2)), float(np.median(odd.spe))
    other = plot.area.frame.to_pixels(np.array([beyond]))[0]
    start, end = (QPoint(*np.rint(p).astype(int).tolist()) for p in (corner, other))
    port = plot.canvas.viewport()
    left = Qt.MouseButton.LeftButton
    QTest.mousePress(port, left, pos=start)
    QTest.mouseMove(port, (start + end) / 2)
    QTest.mouseMove(port, end)
    QTest.mouseRelease(port, left, pos=end)
    chosen = np.flatnonzero(board.linking.selection)
    assert len(chosen)
    assert (odd.t2[chosen] <= beyond[0] * 1.05).all()
    assert (odd.spe[chosen] <= beyond[1] * 1.05).all()


def test_a_hidden_class_is_hidden_here_too(board):
    board.set_hidden({1})
    shown = view(board).plot.area.cloud.shown
    np.testing.assert_array_equal(shown, board.scene.result.dataset.labels == 0)


def test_the_list_copies_as_a_table(board, qtbot):
    with qtbot.waitSignal(board.changes.text_copied) as heard:
        QTest.mouseClick(view(board).copy_button, Qt.MouseButton.LeftButton)
    assert heard.args == ["the list of odd rows"]
    lines = QGuiApplication.clipboard().text().splitlines()
    assert lines[0].split("\t") == [
        "row",
        "times its limit",
        "cos²",
        "T²",
        "SPE",
        "columns",
    ]
    cells = lines[1].split("\t")
    assert cells[0] == "50"
    odd = board.scene.result.get(ODD_ROWS)
    assert float(cells[1]) == pytest.approx(odd.oddness[49], rel=1e-5)
    assert float(cells[4]) == pytest.approx(odd.numbers.spe[49], rel=1e-5)
    assert len(lines) == 1 + (odd.oddness > 1).sum()
    QGuiApplication.clipboard().clear()
    view(board).list.setFocus()
    QTest.keyClick(view(board).list, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text().splitlines() == lines


def test_the_caption_counts_what_the_plot_shows(board):
    odd = board.scene.result.get(ODD_ROWS)
    caption = board.compare.caption()
    assert caption.startswith(f"PC 1–2: {(odd.oddness > 1).sum()} of 50 rows")
    assert view(board).list.model().rowCount() == (odd.oddness > 1).sum()


def test_the_components_are_chosen_by_a_request(board):
    tool = board.compare.views[PAGE].tool
    tool.button("all").click()
    assert board.requested[-1].view.odd_by == "all"


def test_new_rows_are_placed_listed_and_counted(board):
    new = Dataset(np.array([[0.0, 0, 0, 0], [9.0, 9, 9, 9]]), name="more")
    result = answer(PLANTED, SessionSettings(), new_rows=new)
    show(board, result)
    told = measure_new(result, new.points)
    places = view(board).plot.area.placed
    assert len(places) == 52
    np.testing.assert_allclose(places[50:], np.column_stack((told.t2, told.spe)))
    names = listed_texts(board, 0)
    assert "new 2" in names
    assert "of 2 new rows" in board.compare.caption()
    # It can be looked at, but a selection is one of rows of the data.
    click_line(board, names.index("new 2"))
    assert board.linking.selection is None or not board.linking.selection.any()


def test_dropped_points_are_marked(board):
    result = answer()
    show(board, result, notes=Notes(new_points=((0.0, 0.0), (3.0, 3.0))))
    told = measure_new(result, np.array([[0.0, 0.0], [3.0, 3.0]]))
    markers = view(board).plot.area.markers
    np.testing.assert_allclose(
        [marker.position for marker in markers], np.column_stack((told.t2, told.spe))
    )
    assert "SPE" in markers[0].about
    # They are in the list too, by the same numbers, and counted.
    names = listed_texts(board, 0)
    lines = names.index("new 1"), names.index("new 2")
    for column, values in ((4, told.t2), (5, told.spe)):
        texts = listed_texts(board, column)
        assert [texts[line] for line in lines] == [ungrouped(v, 3) for v in values]
    times = [float(text) for text in listed_texts(board, 1)]
    assert times == sorted(times, reverse=True)
    # Far off in both columns: neither alone makes it less odd.
    assert listed_texts(board, 2)[lines[1]] == "–"
    assert "of 2 new rows" in board.compare.caption()
    show(board, result, notes=Notes())
    assert not view(board).plot.area.markers
    assert not {"new 1", "new 2"} & set(listed_texts(board, 0))
    assert "new row" not in board.compare.caption()


def test_an_indefinite_kernel_shows_leverage_alone_and_says_why(board):
    result = answer(PLANTED, SessionSettings(kernel=INDEFINITE))
    show(board, result)
    plot = view(board).plot
    np.testing.assert_array_equal(
        plot.area.placed[:, 0], result.get(ODD_ROWS).numbers.t2
    )
    np.testing.assert_array_equal(plot.area.placed[:, 1], np.arange(1, 51))
    assert {line.axis for line in plot.limits.lines} == {"x"}
    assert view(board).list.model().columnCount() == 4
    page = board.compare.views[PAGE]
    assert "negative eigenvalues" in page.caption(result).tip


@pytest.mark.parametrize("kernel", [KernelSettings(), INDEFINITE])
def test_rows_keep_the_numbers_of_their_file(board, kernel):
    numbers = np.arange(50) * 3 + 7
    part = replace(PLANTED, file_numbers=numbers, name="part")
    result = answer(part, SessionSettings(kernel=kernel))
    show(board, result)
    oddest = int(np.argmax(result.get(ODD_ROWS).oddness))
    assert listed_texts(board, 0)[0] == str(numbers[oddest])
    assert set(listed_texts(board, 0)) <= {str(number) for number in numbers}
    assert view(board).plot.describe(4).startswith("row 19")
    if result.get(ODD_ROWS).numbers.spe is None:
        np.testing.assert_array_equal(view(board).plot.area.placed[:, 1], numbers)


def test_a_given_matrix_is_listed_without_columns(board):
    X = PLANTED.points
    matrix = np.exp(-0.1 * np.square(X[:, None] - X).sum(axis=2))
    result = answer(Dataset(matrix, kind="kernel", name="given"), SessionSettings())
    show(board, result)
    assert set(listed_texts(board, 2)) == {"–"}
    page = board.compare.views[PAGE]
    assert "no columns" in page.caption(result).tip
    assert "no columns" in view(board)._title.text()
    assert "shuffled" not in page.caption(result).text


def test_one_row_is_not_odd(board):
    one = DataSettings(SOURCE, drawn=Drawn().added(((0.5, 0.5),), 0))
    result = answer(settings=SessionSettings(data=one))
    show(board, result)
    assert view(board).plot.point_count == 0
    assert not listed_texts(board, 0)


def test_what_is_not_measured_yet_is_awaited(board):
    other = SessionSettings(data=DataSettings("moons", as_values({"samples": 40})))
    show(board, answer(settings=other, page="pca"))
    plot = view(board).plot
    assert plot.point_count == 0
    assert plot.area.overlay.empty_text == MEASURING
    assert view(board)._title.text() == WAITING
    assert not view(board).copy_button.isEnabled()
    show(board, answer(settings=other))
    assert plot.point_count == 40
    assert view(board)._title.text() == TITLE
    assert view(board).copy_button.isEnabled()


def test_while_a_slider_moves_the_plot_follows_and_the_list_waits(board):
    many = as_values({"samples": MOVING_ROWS + 20})
    settings = SessionSettings(data=DataSettings("circles", many))
    show(board, answer(settings=settings))
    before = listed_texts(board, 0)
    kernel = KernelSettings("rbf", as_values({"gamma": 7.0}))
    moving = answer(settings=replace(settings, kernel=kernel), moving=True)
    show(board, moving)
    np.testing.assert_array_equal(
        view(board).plot.area.placed[:, 0], moving.get(ODD_ROWS).numbers.t2
    )
    assert listed_texts(board, 0) == before
    assert not view(board).list.isEnabled()
    assert not board.compare.is_dimmed()


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_it_becomes_a_picture(board, theme):
    board.set_theme(theme)
    image = QImage(640, 480, QImage.Format.Format_RGB32)
    image.fill(Qt.GlobalColor.magenta)
    painter = QPainter(image)
    view(board).render_to(painter, QRectF(0, 0, 640, 480))
    painter.end()
    colors = {image.pixelColor(x, y).name() for x in range(640) for y in (5, 240, 470)}
    assert "#ff00ff" not in colors
    assert len(colors) > 5


def test_everything_has_a_name(board):
    for widget in (view(board).list, view(board).copy_button, view(board).plot):
        assert widget.objectName()
        assert widget.accessibleName()
    assert board.compare.views[PAGE].tool.objectName() == "odd_by_tool"
