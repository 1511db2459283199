from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QItemSelectionModel, QPoint, Qt
from PySide6.QtGui import QColor, QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QStyleOptionHeader,
    QStyleOptionHeaderV2,
)

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.features.table.model import NAME
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.ui.board.tables import shown_table, text, title
from tests.ui.plots.results import indefinite_distances, result_of

LEFT, PLAIN = Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
CONTROL = Qt.KeyboardModifier.ControlModifier


@pytest.fixture
def shown(qtbot):
    return partial(shown_table, qtbot)


def header_click(view, column) -> None:
    header = view.table.horizontalHeader()
    x = header.sectionViewportPosition(column) + 12
    QTest.mouseClick(header.viewport(), LEFT, PLAIN, QPoint(x, header.height() // 2))


def arrow_of(view, column):
    option = QStyleOptionHeaderV2()
    view.table.horizontalHeader().initStyleOptionForIndex(option, column)
    return option.sortIndicator


def cell_center(view, line, column) -> QPoint:
    return view.table.visualRect(view.model.index(line, column)).center()


def test_without_a_result_it_says_so(shown):
    view = shown()
    words = view.findChild(QLabel, "table_empty")
    assert words.isVisible()
    assert words.text() == "No rows yet"
    assert not view.table.isVisible()
    view.set_selected(np.ones(3, dtype=bool))
    view.set_hovered(1)
    assert view.model.rowCount() == 0


def test_columns_are_row_label_features_columns_scores(shown, small):
    view = shown(small)
    assert view.table.isVisible()
    titles = [title(view, c) for c in range(view.model.columnCount())]
    long = "a very long name of a feature that cannot fit anywhere"
    assert titles == ["row", "name", "label", "x", long, "age", "PC 1", "PC 2"]
    assert [text(view, 0, c) for c in range(8)] == [
        *("=cmd()", "", "<b>ape</b>", "3", "1·10⁻⁹", "5", "0.1", "1")
    ]
    assert text(view, 1, 4) == "3.1416"
    assert text(view, 2, 4) == "−1234567", "it may be a name"
    assert text(view, 1, 5) == ""  # missing
    assert text(view, 2, 2) == "no label"
    assert view.table.horizontalHeader().sectionSize(4) <= 220


def test_rows_without_names_are_numbered_from_one(shown):
    view = shown(result_of())
    assert text(view, 0, 0) == "1"
    assert text(view, 399, 0) == "400"
    assert view.caption() == "All 400 rows"


@pytest.mark.journey
def test_the_largest_row_number_is_shown_whole(shown):
    view = shown(result_of(samples=60))
    for count in (60, 1200):
        view.show_result(result_of(samples=count))
        # The style sheet keeps 20 pixels for itself, and Qt some around the text.
        room = view.table.columnWidth(0) - 26
        assert view.table.fontMetrics().horizontalAdvance(str(count)) <= room


def test_hidden_rows_are_marked_and_counted(shown, small):
    view = shown(small)
    view.set_hidden(np.array([True, False, True, False]))
    assert view.caption() == "All 4 rows, 2 of them hidden"
    slanted = [
        (view.model.index(line, 0).data(Qt.ItemDataRole.FontRole) is not None)
        for line in range(4)
    ]
    assert slanted == [True, False, True, False]
    view.set_selected(np.array([True, True, False, False]))
    assert view.caption() == "2 selected of 4 rows, 1 of them hidden"
    view.set_hidden(None)
    assert view.caption() == "2 selected of 4 rows"


def test_a_matrix_has_no_features(shown):
    view = shown(indefinite_distances())
    assert [title(view, c) for c in range(view.model.columnCount())] == [
        *("row", "name", "PC 1", "PC 2", "PC 3")
    ]


def test_numbers_stand_right_words_left(shown, small):
    view = shown(small)
    role = Qt.ItemDataRole.TextAlignmentRole
    assert view.model.index(0, 3).data(role) & Qt.AlignmentFlag.AlignRight
    assert view.model.index(0, 2).data(role) & Qt.AlignmentFlag.AlignLeft


def test_tooltips_are_plain(shown, small):
    view = shown(small)
    tip = view.model.index(0, 2).data(Qt.ItemDataRole.ToolTipRole)
    assert tip == "‹b›ape‹/b›"
    assert view.model.index(1, 4).data(Qt.ItemDataRole.ToolTipRole) == repr(np.pi)


def test_header_sorts_both_ways_and_back(shown, small):
    view = shown(small)
    header_click(view, 3)
    assert view.model.rows.tolist() == [1, 2, 3, 0]
    assert arrow_of(view, 3) == QStyleOptionHeader.SortIndicator.SortUp
    header_click(view, 3)
    assert arrow_of(view, 3) == QStyleOptionHeader.SortIndicator.SortDown
    # Equal values keep the order of the data.
    assert view.model.rows.tolist() == [0, 2, 3, 1]
    header_click(view, 3)
    assert view.model.rows.tolist() == [0, 1, 2, 3]
    assert arrow_of(view, 3) == QStyleOptionHeader.SortIndicator.None_


@pytest.mark.parametrize(
    ("column", "ascending", "descending"),
    [
        (0, [0, 2, 1, 3], [3, 1, 2, 0]),  # names, whatever their case
        (2, [0, 3, 1, 2], [1, 0, 3, 2]),  # labels by name; no label last
        (5, [0, 3, 2, 1], [2, 3, 0, 1]),  # missing last
    ],
    ids=["names", "labels", "missing"],
)
def test_words_and_missing_values_sort_too(shown, small, column, ascending, descending):
    view = shown(small)
    view.model.sort(column, Qt.SortOrder.AscendingOrder)
    assert view.model.rows.tolist() == ascending
    view.model.sort(column, Qt.SortOrder.DescendingOrder)
    assert view.model.rows.tolist() == descending


def test_selected_rows_only_and_all_again(shown, small):
    view = shown(small)
    view.set_selected([True, False, False, True])
    assert view.model.rows.tolist() == [0, 3]
    assert view.caption() == "2 selected of 4 rows"
    header_click(view, 3)
    assert view.model.rows.tolist() == [3, 0]
    for nothing in (None, np.zeros(4, dtype=bool), np.ones(7, dtype=bool)):
        view.set_selected([True, False, False, True])
        view.set_selected(nothing)
        assert view.model.rows.tolist() == [1, 2, 3, 0]
        assert view.caption() == "All 4 rows"


def test_new_scores_keep_order_selection_and_place(shown):
    result = result_of()
    view = shown(result)
    header_click(view, 3)
    order = view.model.rows.tolist()
    view.table.verticalScrollBar().setValue(120)
    view.show_result(replace(result, scores=result.scores * 2))
    assert view.model.rows.tolist() == order
    assert view.table.verticalScrollBar().value() == 120
    assert view.table.horizontalHeader().sortIndicatorSection() == 3
    mask = np.arange(400) < 5
    view.set_selected(mask)
    view.show_result(result)
    assert view.model.rowCount() == 5
    view.show_result(result_of("iris"))
    assert view.model.rowCount() == 150
    assert view.table.horizontalHeader().sortIndicatorSection() == -1


def test_mouse_tells_the_row_of_the_data(shown, small):
    view = shown(small)
    header_click(view, 3)
    rows = []
    view.hovered.connect(rows.append)
    target = view.table.viewport()
    QTest.mouseMove(target, cell_center(view, 0, 1))
    QTest.mouseMove(target, cell_center(view, 0, 2))
    QTest.mouseMove(target, cell_center(view, 3, 2))
    assert rows == [1, 0]
    assert all(type(row) is int for row in rows)


def test_leaving_tells_nobody(shown, small):
    view = shown(small)
    rows = []
    view.hovered.connect(rows.append)
    QTest.mouseMove(view.table.viewport(), cell_center(view, 2, 1))
    QApplication.sendEvent(view.table.viewport(), QEvent(QEvent.Type.Leave))
    assert rows == [2, None]


def test_keyboard_walks_and_activates(shown, small):
    view = shown(small)
    hovered, activated = [], []
    view.table.setCurrentIndex(view.model.index(0, 0))
    view.hovered.connect(hovered.append)
    view.row_activated.connect(activated.append)
    QTest.keyClick(view.table, Qt.Key.Key_Down)
    QTest.keyClick(view.table, Qt.Key.Key_Return)
    assert hovered == [1]
    assert activated == [1]


def test_double_click_activates(shown, small):
    view = shown(small)
    header_click(view, 3)
    activated = []
    view.row_activated.connect(activated.append)
    target, at = view.table.viewport(), cell_center(view, 0, 2)
    QTest.mouseClick(target, LEFT, PLAIN, at)
    QTest.mouseDClick(target, LEFT, PLAIN, at)
    assert activated == [1]


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_hover_from_elsewhere_lights_the_row_and_emits_nothing(shown, small, theme):
    view = shown(small)
    view.set_theme(theme)
    rows = []
    view.hovered.connect(rows.append)
    target = view.table.viewport()

    def background(line) -> QColor:
        rect = view.table.visualRect(view.model.index(line, 5))
        at = rect.bottomRight() - QPoint(2, 2)
        return target.grab().toImage().pixelColor(at)

    before = background(2)
    view.set_hovered(2)
    lit = background(2)
    assert lit != before
    header_click(view, 3)
    assert view.model.rows.tolist() == [1, 2, 3, 0]
    assert background(1) != background(3)  # row 2 is in the second line now
    view.set_hovered(None)
    assert background(1) == background(3)
    view.set_hovered(99)
    assert rows == []


def test_copy_gives_tabs_full_precision_and_no_formulas(shown, small):
    view = shown(small)
    view.table.selectAll()
    QTest.keyClick(view.table, Qt.Key.Key_C, CONTROL)
    lines = QGuiApplication.clipboard().text().split("\n")
    assert len(lines) == 4
    assert lines[0].split("\t") == [
        "'=cmd()",
        "",
        "<b>ape</b>",
        "3.0",
        "1e-09",
        "5.0",
        "0.1",
        "1.0",
    ]
    assert lines[1].split("\t")[4] == repr(np.pi)
    assert lines[2].split("\t")[:3] == ["alpha x", "", "no label"]
    assert lines[2].split("\t")[4] == "-1234567.0"  # a number stays a number


def test_copy_of_scattered_cells_keeps_their_places(shown, small):
    view = shown(small)
    model, selection = view.model, view.table.selectionModel()
    for line, column in ((0, 3), (2, 6)):
        index = model.index(line, column)
        selection.select(index, QItemSelectionModel.SelectionFlag.Select)
    QTest.keyClick(view.table, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "3.0\t\n\t0.3"


def test_copy_of_nothing_leaves_the_clipboard(shown, small):
    view = shown(small)
    QGuiApplication.clipboard().setText("precious")
    QTest.keyClick(view.table, Qt.Key.Key_C, CONTROL)
    assert QGuiApplication.clipboard().text() == "precious"


def test_labels_carry_the_colour_of_their_class(shown, small):
    view = shown(small)
    swatch = view.model.index(0, 2).data(Qt.ItemDataRole.DecorationRole)
    middle = swatch.toImage().pixelColor(swatch.width() // 2, swatch.height() // 2)
    assert middle == QColor(LIGHT.class_colors[1])
    none = view.model.index(2, 2).data(Qt.ItemDataRole.DecorationRole)
    middle = none.toImage().pixelColor(none.width() // 2, none.height() // 2)
    assert middle == QColor(LIGHT.muted)


@pytest.mark.journey
def test_a_hundred_thousand_rows_are_sorted(shown):
    rng = np.random.default_rng(0)
    data = Dataset(
        rng.normal(size=(100_000, 5)),
        row_names=tuple(f"s{i * 7919 % 100_000}" for i in range(100_000)),
    )
    scores = rng.normal(size=(100_000, 10))
    view = shown(replace(result_of(), dataset=data, scores=scores))
    for column in (0, 3, 11):
        view.model.sort(column, Qt.SortOrder.DescendingOrder)
    view.set_selected(np.arange(100_000) % 2 == 0)
    values = scores[view.model.rows, 4]
    assert (np.diff(values) <= 0).all()


def click(view, line, column=0, keys=PLAIN) -> None:
    place = view.table.visualRect(view.model.index(line, column)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, keys, place)


@pytest.fixture
def linked(shown, small):
    """Return a table whose selection comes back from the others, as on the board."""
    view, linking = shown(small), Linking()
    linking.reset(small.dataset.n)
    view.rows_chosen.connect(linking.apply_selection)
    linking.selection_changed.connect(view.set_selected)
    view.linking = linking
    return view


def chosen(view) -> list[int]:
    mask = view.linking.selection
    return [] if mask is None else np.flatnonzero(mask).tolist()


def test_clicks_select_rows_everywhere_and_all_stay_in_the_table(linked):
    header_click(linked, 2)  # zebra and ape trade places
    first, second, third, _ = linked.model.rows.tolist()
    click(linked, 0)
    assert chosen(linked) == [first]
    click(linked, 2, keys=Qt.KeyboardModifier.ShiftModifier)
    assert chosen(linked) == sorted([first, second, third])
    click(linked, 1, keys=CONTROL)
    assert chosen(linked) == sorted([first, third])
    assert linked.model.rowCount() == 4
    assert linked.caption() == "2 of 4 rows selected"


def test_a_drag_selects_the_rows_it_passes(linked):
    cells = linked.table
    start, end = (
        cells.visualRect(linked.model.index(line, 0)).center() for line in (1, 3)
    )
    QTest.mousePress(cells.viewport(), LEFT, PLAIN, start)
    QTest.mouseMove(cells.viewport(), end)
    QTest.mouseRelease(cells.viewport(), LEFT, PLAIN, end)
    assert chosen(linked) == [1, 2, 3]


def test_keys_mark_rows_with_shift_and_space(linked):
    linked.table.setFocus()
    linked.table.setCurrentIndex(linked.model.index(0, 0))
    QTest.keyClick(linked.table, Qt.Key.Key_Down)
    assert chosen(linked) == [], "arrows alone only look around"
    QTest.keyClick(linked.table, Qt.Key.Key_Space)
    assert chosen(linked) == [1]
    QTest.keyClick(linked.table, Qt.Key.Key_Down, Qt.KeyboardModifier.ShiftModifier)
    assert chosen(linked) == [1, 2]


def test_a_click_for_a_name_selects_nothing(linked):
    linked.linking.apply_selection(np.array([True, False, True, False]))
    assert linked.model.rowCount() == 2
    click(linked, 0, NAME)
    assert chosen(linked) == [0, 2]


def test_a_selection_from_elsewhere_is_shown_alone_again(linked):
    click(linked, 0)
    linked.linking.apply_selection(np.array([False, True, True, False]))
    assert linked.model.rows.tolist() == [1, 2]
    assert linked.caption() == "2 selected of 4 rows"
    assert not linked.table.selectionModel().hasSelection()
    linked.linking.clear()
    assert linked.model.rowCount() == 4


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=lambda theme: theme.name)
def test_marked_rows_are_seen(linked, theme):
    linked.set_theme(theme)
    click(linked, 2)
    QTest.mouseMove(linked.table.viewport(), QPoint(700, 200))
    image = linked.table.viewport().grab().toImage()
    ratio = image.devicePixelRatio()

    def background(line):
        rect = linked.table.visualRect(linked.model.index(line, 3))
        return image.pixelColor((rect.topLeft() + QPoint(3, 4)) * ratio)

    assert background(2) != background(0)


def test_long_titles_are_shortened_rather_than_cut(shown, small):
    view = shown(small)
    header = view.table.horizontalHeader()
    long = next(c for c in range(header.count()) if "cannot fit" in title(view, c))
    seen = header.shown_title(long)
    assert "…" in seen
    assert seen.startswith("a very")
    # The style sheet keeps 26 pixels for itself.
    room = header.sectionSize(long) - 26
    assert header.fontMetrics().horizontalAdvance(seen) <= room
    option = QStyleOptionHeaderV2()
    header.initStyleOptionForIndex(option, long)
    assert option.text == seen
    assert header.shown_title(0) == title(view, 0)


def test_words_of_the_file_are_columns_that_sort(shown):
    words = {"site": ["Wien", None, "graz", "<b>Linz</b>"]}
    dataset = Dataset(np.arange(8.0).reshape(4, 2) ** 2, columns=words)
    view = shown(analyse(dataset))
    column = next(c for c in range(9) if title(view, c) == "site")
    assert [text(view, line, column) for line in range(4)] == [
        *("Wien", "", "graz", "<b>Linz</b>")
    ]
    header_click(view, column)
    # A missing word is last, whichever way it is sorted.
    assert [text(view, line, column) for line in range(4)] == [
        *("<b>Linz</b>", "graz", "Wien", "")
    ]


@pytest.fixture(scope="module")
def patients():
    """Sixty rows of 100 genes, with a word and a name for every row."""
    random = np.random.default_rng(0)
    dataset = Dataset(
        random.normal(size=(60, 100)),
        np.arange(60) % 2,
        ("well", "ill"),
        tuple(f"gene_{k:04}" for k in range(100)),
        tuple(f"patient {k}" for k in range(60)),
        {"site": np.resize(["Wien", "Graz", None], 60)},
    )
    return analyse(dataset)


@pytest.fixture
def genes(shown, patients):
    return shown(patients)


def typed(view, text):
    field = view.findChild(QLineEdit, "table_filter")
    field.clear()
    QTest.keyClicks(field, text)


def titles(view):
    return [title(view, column) for column in range(view.model.columnCount())]


@pytest.mark.journey
def test_rows_are_found_by_any_of_their_words(genes):
    typed(genes, "graz")
    assert genes.model.rows.tolist() == list(range(1, 60, 3))
    assert genes.caption() == "20 of 60 rows"
    typed(genes, "PATIENT 17")
    assert genes.model.rows.tolist() == [17]
    genes.set_names({5: "odd one"})
    typed(genes, "odd")
    assert genes.model.rows.tolist() == [5]
    mask = np.zeros(60, dtype=bool)
    mask[:5] = True
    typed(genes, "ill")
    genes.set_selected(mask)
    assert genes.model.rows.tolist() == [1, 3]
    typed(genes, "nobody")
    assert genes.model.rowCount() == 0
    assert genes.caption() == "Nothing is called so"
    QTest.keyClick(genes.findChild(QLineEdit, "table_filter"), Qt.Key.Key_Escape)
    assert genes.model.rowCount() == 5


@pytest.mark.journey
def test_columns_are_found_by_their_title_and_stay_sorted(genes):
    typed(genes, "gene_0042")
    assert titles(genes) == ["row", "name", "gene_0042"]
    assert genes.caption() == "60 of 60 rows, 1 of 114 columns"
    header_click(genes, 2)
    lowest = genes.model.rows.tolist()
    typed(genes, "gene_004")
    assert titles(genes)[2:] == [f"gene_004{k}" for k in range(10)]
    assert genes.model.rows.tolist() == lowest
    typed(genes, "")
    assert len(titles(genes)) == 114
    assert genes.model.rows.tolist() == lowest


def test_a_number_finds_its_row_where_rows_have_no_names(shown):
    view = shown(analyse(Dataset(np.arange(24.0).reshape(12, 2) ** 2)))
    typed(view, "11")
    assert view.model.rows.tolist() == [10]


def test_the_hint_of_the_search_has_room(shown):
    view = shown(result_of("iris"))
    field = view.findChild(QLineEdit, "table_filter")
    words = field.fontMetrics().horizontalAdvance(field.placeholderText())
    assert words < field.width() - field.height()
