"""Rows of numbers on a screen."""

import pytest

from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.style import style_sheet
from kpca_viewer.widgets.theme import LIGHT
from tests.ui.controls.rows import Log


@pytest.fixture
def make_row(qtbot):
    def make(parameter, **options):
        row = NumberRow(parameter, **options)
        qtbot.addWidget(row)
        row.setStyleSheet(style_sheet(LIGHT))
        row.resize(320, 32)
        row.show()
        qtbot.waitExposed(row)
        return row, Log(row)

    return make
