"""A grid of numbers under the hands: pointed at, selected, copied."""

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QKeyEvent
from PySide6.QtTest import QTest

from kpca_viewer.features.derivation.grid import MatrixGrid
from kpca_viewer.features.derivation.grid_content import GridContent
from kpca_viewer.widgets.theme import DARK, LIGHT

LEFT = Qt.MouseButton.LeftButton
CTRL = Qt.KeyboardModifier.ControlModifier
NO_KEY = Qt.KeyboardModifier.NoModifier
VALUES = np.array([[1.0, -0.5, 1 / 3], [2.0, 0.0, np.nan]])


def content(**changes) -> GridContent:
    facts = {
        "symbol": "K",
        "title": "Kernel matrix",
        "values": VALUES,
        "texts": (("1", "−1/2", "1/3"), ("2", "0", "unknown")),
        "line_names": ("a", "b"),
        "column_names": ("x", "y", "z"),
        "line_rows": (4, 7),
        "column_rows": (4, 7, 9),
    }
    return GridContent(**{**facts, **changes})


@pytest.fixture
def grid(qtbot) -> MatrixGrid:
    grid = MatrixGrid("grid")
    qtbot.addWidget(grid)
    grid.show_content(content())
    grid.resize(grid.sizeHint())
    grid.show()
    return grid


def center(grid, cell) -> QPoint:
    return grid.layout_of_cells.rect(cell).center().toPoint()


def copied(grid, key=Qt.Key.Key_C) -> str:
    QGuiApplication.clipboard().clear()
    QTest.keyClick(grid, key, CTRL)
    return QGuiApplication.clipboard().text()


def test_the_cell_under_the_mouse_is_told_once(qtbot, grid):
    told = []
    grid.cell_pointed.connect(told.append)
    for cell in ((0, 0), (1, 2), (1, 2)):
        QTest.mouseMove(grid, center(grid, cell))
    QTest.mouseMove(grid, QPoint(1, 1))
    assert told == [(0, 0), (1, 2), None]


def test_every_cell_is_found_where_it_is_drawn(grid):
    layout = grid.layout_of_cells
    for line in range(2):
        for column in range(3):
            rect = layout.rect((line, column))
            assert layout.cell_at(rect.center()) == (line, column)
            assert grid.rect().contains(rect.toRect())
    outside = QPointF(layout.numbers.right() + 1, layout.numbers.top() + 1)
    assert layout.cell_at(outside) is None


def test_a_drag_selects_and_copies_numbers_with_all_their_digits(grid):
    QTest.mousePress(grid, LEFT, NO_KEY, center(grid, (0, 1)))
    QTest.mouseMove(grid, center(grid, (1, 2)))
    QTest.mouseRelease(grid, LEFT, NO_KEY, center(grid, (1, 2)))
    assert grid.selection == ((0, 1), (1, 2))
    assert copied(grid) == f"-0.5\t{1 / 3!r}\n0\t"


def test_a_click_on_a_name_selects_its_line_or_column(grid):
    numbers = grid.layout_of_cells.numbers
    beside = QPoint(round(numbers.left()) - 8, center(grid, (1, 0)).y())
    QTest.mouseClick(grid, LEFT, NO_KEY, beside)
    assert copied(grid) == "2\t0\t"
    above = QPoint(center(grid, (0, 1)).x(), 3)
    QTest.mouseClick(grid, LEFT, NO_KEY, above)
    assert copied(grid) == "-0.5\n0"
    QTest.mouseClick(grid, LEFT, NO_KEY, QPoint(2, 2))
    assert copied(grid).count("\t") == 4


def test_without_a_selection_everything_is_copied(grid):
    assert copied(grid).splitlines() == [f"1\t-0.5\t{1 / 3!r}", "2\t0\t"]


def test_the_keys_of_copying_belong_to_the_grid(grid):
    for key, taken in (
        (Qt.Key.Key_C, True),
        (Qt.Key.Key_A, True),
        (Qt.Key.Key_E, False),
    ):
        event = QKeyEvent(QEvent.Type.ShortcutOverride, key, CTRL)
        event.ignore()
        grid.event(event)
        assert event.isAccepted() == taken


def test_arrow_keys_walk_and_enter_keeps(qtbot, grid):
    chosen = []
    grid.cell_chosen.connect(chosen.append)
    grid.setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Down, Qt.Key.Key_Down):
        QTest.keyClick(grid, key)
    assert grid.pointed == (1, 1)
    assert grid.accessibleDescription() == "b, y: 0"
    QTest.keyClick(grid, Qt.Key.Key_Return)
    assert chosen == [(1, 1)]
    assert copied(grid) == "0"


def test_a_click_chooses_and_a_drag_does_not(grid):
    chosen = []
    grid.cell_chosen.connect(chosen.append)
    QTest.mouseClick(grid, LEFT, NO_KEY, center(grid, (0, 2)))
    QTest.mousePress(grid, LEFT, NO_KEY, center(grid, (0, 0)))
    QTest.mouseMove(grid, center(grid, (1, 1)))
    QTest.mouseRelease(grid, LEFT, NO_KEY, center(grid, (1, 1)))
    assert chosen == [(0, 2)]


def test_rows_that_light_up_elsewhere_are_marked(grid):
    grid.mark_rows(7, None)
    assert grid.marked == ([1], [1])
    grid.mark_rows(4, 9)
    assert grid.marked == ([0], [2])
    grid.mark_rows(None, None)
    assert grid.marked == ([], [])


def test_a_smaller_matrix_forgets_what_is_not_there_any_more(grid):
    QTest.mouseMove(grid, center(grid, (1, 2)))
    grid.set_pinned((1, 2))
    grid.mark_sources([(1, 2), (0, 0)])
    small = content(
        values=VALUES[:1, :1],
        texts=(("1",),),
        line_names=("a",),
        column_names=("x",),
        line_rows=(4,),
        column_rows=(4,),
    )
    grid.show_content(small)
    assert (grid.pointed, grid.pinned, grid.selection) == (None, None, None)
    assert grid.sources == ()
    assert grid.accessibleName() == "Kernel matrix, 1 × 1"


def test_numbers_that_move_keep_their_places(grid):
    grid.show_content(content(texts=(("1", "−1/2", "1/3"), ("2", "0", "7"))))
    before = grid.sizeHint()
    moved = content(texts=(("1.25", "−0.5", "0.3333"), ("2", "0.1", "−0.001")))
    grid.show_content(moved)
    assert grid.sizeHint() == before


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_it_is_painted_in_every_state(grid, theme):
    grid.set_theme(theme)
    plain = grid.grab().toImage()
    grid.set_pinned((0, 0))
    pinned = grid.grab().toImage()
    assert pinned != plain
    grid.mark_rows(7, None)
    assert grid.grab().toImage() != pinned
    more = content(more_lines=True, more_columns=True, added=1)
    grid.show_content(more)
    assert grid.sizeHint().height() > plain.height()
    assert grid.grab().toImage() != plain


def test_a_grid_without_numbers_takes_every_gesture(qtbot):
    grid = MatrixGrid("empty")
    qtbot.addWidget(grid)
    grid.show()
    QTest.mouseClick(grid, LEFT, NO_KEY, QPoint(1, 1))
    QTest.mouseMove(grid, QPoint(2, 2))
    assert copied(grid) == ""
    assert grid.copied_text() == ""
