"""Rows of numbers on a screen."""

import pytest

from kpca_viewer.widgets.controls import NumberRow, number_row
from kpca_viewer.widgets.style import style_sheet
from kpca_viewer.widgets.theme import LIGHT
from tests.ui.controls.rows import Log


@pytest.fixture
def make_row(qtbot, monkeypatch):
    monkeypatch.setattr(number_row, "PAUSE", 60)

    def make(parameter, *, styled=False, **options):
        row = NumberRow(parameter, **options)
        qtbot.addWidget(row)
        if styled:
            row.setStyleSheet(style_sheet(LIGHT))
        row.resize(320, 32)
        row.show()
        qtbot.waitExposed(row)
        return row, Log(row)

    return make
