"""Rows of numbers on a screen."""

import pytest

from kpca_viewer.ui.controls import NumberRow
from kpca_viewer.ui.look.theme import LIGHT
from kpca_viewer.ui.window.style import style_sheet
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
