"""Numbers in the table: whole, or with fewer digits, and zero where they are zero."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QStyleOptionViewItem

from kpca_viewer.features.table.model import NAME
from kpca_viewer.widgets.style import apply_theme
from kpca_viewer.widgets.theme import LIGHT
from tests.ui.board.tables import shown_table, text, title
from tests.ui.plots.results import result_of


@pytest.fixture
def shown(qtbot):
    return partial(shown_table, qtbot, width=900)


def with_scores(result, scores):
    return replace(result, scores=np.array(scores))


def written(view, line, column) -> str:
    """Return what is painted into a cell."""
    index, option = view.model.index(line, column), QStyleOptionViewItem()
    cells = view.table.itemDelegate()
    cells.initStyleOption(option, index)
    option.rect = view.table.visualRect(index)
    cells.initStyleOption(option, index)
    # The style sheet keeps 26 pixels for itself.
    room = option.rect.width() - 26
    end = Qt.TextElideMode.ElideRight
    return option.fontMetrics.elidedText(option.text, end, room)


def test_rounding_of_scores_is_shown_as_zero_but_kept_in_the_data(shown, small):
    scores = [[0.5, 1.0], [-9.98e-16, 1e-11], [0.25, 1e-13], [-0.75, 0.0]]
    view = shown(with_scores(small, scores))
    assert [text(view, line, 6) for line in range(4)] == ["0.5", "0", "0.25", "−0.75"]
    assert [text(view, line, 7) for line in range(4)] == ["1", "1·10⁻¹¹", "0", "0"]
    assert text(view, 0, 4) == "1·10⁻⁹", "the data are not scores"
    assert view.model.copied(np.array([1]), [6]) == [["-9.98e-16"]]
    tiny = shown(with_scores(small, [[3e-16, 1.0]] * 4))
    assert text(tiny, 0, 6) == "3·10⁻¹⁶", "small beside nothing"


def test_columns_are_fitted_again_when_the_type_grows(shown, small, qapp):
    view = shown(with_scores(small, [[-1.23456e-7, 1.0]] * 4))
    header = view.table.horizontalHeader()
    apply_theme(qapp, LIGHT)
    before = header.sectionSize(6)
    try:
        apply_theme(qapp, LIGHT, 1.5)
        assert header.sectionSize(6) > 1.2 * before
        for column in (3, 5, 6, 7):
            assert written(view, 0, column) == text(view, 0, column)
            assert header.shown_title(column) == title(view, column)
        assert header.shown_title(NAME) == "name"
    finally:
        apply_theme(qapp, LIGHT)
    assert header.sectionSize(6) == before


def test_longer_numbers_of_a_new_result_have_room(shown, small):
    view = shown(small)
    header = view.table.horizontalHeader()
    header.resizeSection(7, 60)
    view.show_result(with_scores(small, [[-1.23456e-107, -1.23456e-107]] * 4))
    assert written(view, 0, 6) == "−1.2346·10⁻¹⁰⁷"
    assert header.sectionSize(7) == 60, "chosen by hand"


def test_a_long_number_far_below_has_room(shown):
    result = result_of()
    scores = result.scores.copy()
    scores[390, 0] = -1.23456e-9
    view = shown(replace(result, scores=scores))
    column = view.model.columnCount() - scores.shape[1]
    view.table.scrollToBottom()
    assert written(view, 390, column) == "−1.2346·10⁻⁹"


def test_a_number_in_a_narrow_column_keeps_its_exponent(shown, small):
    view = shown(with_scores(small, [[-9.98134e-7, 1.0]] * 4))
    header = view.table.horizontalHeader()
    seen = set()
    for width in range(header.sectionSize(6), 30, -1):
        header.resizeSection(6, width)
        seen.add(written(view, 0, 6))
    assert "−1·10⁻⁶" in seen
    assert all(t == "…" or t.endswith(("·10⁻⁷", "·10⁻⁶")) for t in seen)
