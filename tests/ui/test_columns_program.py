"""Columns and arrows in the real program: history, session, worker, small windows."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QToolButton

from kpca_viewer.cli import main as cli
from kpca_viewer.data.generators import generate
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.features.columns.stages import COLUMNS, PAGE
from kpca_viewer.widgets.picture_sources import board_sources

pytestmark = pytest.mark.qt_log_ignore("grabbing the keyboard", extend=True)

IRIS = SessionSettings(DataSettings("iris"), KernelSettings("linear"))
WHOLE = generate("iris")
ROWS = slice(None, None, 6)
FEW = replace(IRIS, data=DataSettings("few"))
"""Few rows are compared with noise in no time."""


@pytest.fixture
def program(start):
    few = replace(WHOLE, points=WHOLE.points[ROWS], labels=WHOLE.labels[ROWS])
    return start(FEW, opened={"few": replace(few, name="few", row_names=None)})


def turn_to_columns(program):
    program.action(f"page_{PAGE}").trigger()
    program.settle()
    return program.window.board.compare.views["columns"].view


def click_line(view, line):
    at = view.bars.line_box(line).center().toPoint()
    QTest.mouseClick(view.bars, Qt.MouseButton.LeftButton, pos=at)


def take(program, name, text):
    combo = program.find(QComboBox, name)
    combo.setCurrentIndex(combo.findText(text))
    combo.activated.emit(combo.currentIndex())
    program.settle()


def test_the_page_is_computed_when_somebody_turns_to_it(program):
    assert program.result.get(COLUMNS) is None
    view = turn_to_columns(program)
    assert program.result.get(COLUMNS).is_complete
    assert len(view.bars.bars) == 4
    assert program.viewer.presenter.scene.stale is None
    program.action("page_pca").trigger()
    program.choose("kernel_combo", "RBF (Gaussian)")
    program.settle()
    assert program.result.get(COLUMNS) is None
    turn_to_columns(program)
    assert program.result.get(COLUMNS).measured.result.kernel.family.name == "rbf"


def test_another_request_ends_what_only_the_page_shows(start):
    program = start(SessionSettings(DataSettings.of_source("wine")))
    program.action(f"page_{PAGE}").trigger()
    program.until(lambda: program.result.get(COLUMNS) is not None)
    assert not program.result.get(COLUMNS).is_complete
    program.action("page_pca").trigger()
    program.choose("kernel_combo", "Linear")
    program.settle()
    assert program.result.kernel.family.name == "linear"
    assert program.result.get(COLUMNS) is None


def test_a_page_that_is_not_in_front_is_exported_once_it_is_measured(program):
    source = board_sources(program.window.board)[PAGE]
    image = QImage(400, 300, QImage.Format.Format_RGB32)
    for _ in range(2):
        painter = QPainter(image)
        source.render_to(painter, QRectF(0, 0, 400, 300))
        painter.end()
        program.settle()
    assert program.window.board.compare.pages.value() == "pca"
    assert len(program.window.board.compare.views["columns"].view.bars.bars) == 4


def test_choices_are_steps_of_the_history(program):
    view = turn_to_columns(program)
    store = program.viewer.store
    take(program, "columns_component_combo", "PC 2")
    assert store.undo_text == "columns of the picture → PC 2"
    click_line(view, 0)
    program.settle()
    assert store.undo_text.startswith("colour by class → feature")
    take(program, "columns_units_combo", "per own unit")
    assert store.undo_text == "a column grows by one SD → one of its units"
    assert program.result.get(COLUMNS).measured.units == "original"
    program.click(view.what.button("groups"))
    assert store.undo_text == "page Columns influence → groups"
    take(program, "columns_groups_combo", "setosa and rest")
    assert store.undo_text == "groups selection and rest → class 1 and rest"
    for _ in range(5):
        program.action("undo").trigger()
        program.settle()
    assert program.settings == FEW
    assert view.what.value() == "influence"
    assert view.component.currentText().startswith("Picture")


def test_escape_gives_the_colours_of_the_classes_back(program):
    view = turn_to_columns(program)
    for line in (0, 2, 1):
        click_line(view, line)
        program.settle()
    assert program.settings.view.color_by.startswith("feature:")
    program.action("escape").trigger()
    program.settle()
    assert program.settings.view == FEW.view


def test_arrows_are_chosen_in_the_sidebar_and_undone(program):
    program.choose("arrows_combo", "Mean of all rows")
    program.settle()
    shown = program.window.board.arrows.shown
    assert set(shown.names) <= set(program.result.dataset.feature_names)
    assert program.viewer.store.undo_text == "arrows off → of the mean"
    program.choose("arrows_combo", "Everywhere, one column")
    program.settle()
    view = turn_to_columns(program)
    click_line(view, 3)
    program.settle()
    name = view.bars.bars[3].name
    assert name in program.window.board.arrows.shown.words
    for _ in range(3):
        program.action("undo").trigger()
        program.settle()
    assert program.window.board.arrows.shown is None


def test_a_drag_has_no_arrows_and_its_end_has(start):
    program = start(SessionSettings(DataSettings("iris")))
    program.choose("arrows_combo", "Mean of all rows")
    program.settle()
    before = program.window.board.arrows.shown
    program.drag_slider("gamma_slider", 0.8)
    program.settle()
    after = program.window.board.arrows.shown
    assert program.result.at_rest
    assert not np.allclose(before.ends, after.ends)


def test_pointing_at_a_row_shows_where_it_would_go(program):
    program.choose("arrows_combo", "At the row pointed at")
    program.settle()
    board = program.window.board
    program.hover(board.embedding.view, 12)
    row = board.linking.hovered
    np.testing.assert_allclose(
        board.arrows.shown.starts[0], program.result.scores[row, :2], atol=1e-6
    )


def test_a_session_brings_page_column_and_arrows_back(start, tmp_path):
    program = start(IRIS)
    view = turn_to_columns(program)
    take(program, "columns_component_combo", "PC 1")
    click_line(view, 1)
    program.choose("arrows_combo", "Everywhere, one column")
    program.settle()
    settings = program.settings
    path = tmp_path / "columns.kpca"
    save(program.viewer.sessions.document(), path)
    other = start()
    other.viewer.controllers["import_sheet"].open_path(path)
    other.until(lambda: other.settings == settings)
    other.settle()
    other.until(lambda: other.result.get(COLUMNS) is not None)
    other.settle()
    assert other.window.board.compare.pages.value() == PAGE
    assert (
        other.window.board.arrows.shown.words == program.window.board.arrows.shown.words
    )
    again = other.window.board.compare.views["columns"].view
    assert [b.value for b in again.bars.bars] == [b.value for b in view.bars.bars]


@pytest.mark.parametrize("presents", [False, True])
def test_all_pages_have_a_button_in_a_small_window(program, presents):
    turn_to_columns(program)
    program.window.resize(1280, 720)
    if presents:
        program.present()
    program.settle()
    pages = program.window.board.compare.pages
    program.until(lambda: pages.width() > 0)
    header = pages.parentWidget()

    def whole() -> bool:
        """Whether no text of a button that is shown is cut."""
        shown = [b for b in pages.findChildren(QToolButton) if b.isVisible()]
        return all(b.width() >= b.sizeHint().width() for b in shown)

    program.until(whole)
    assert pages.geometry().right() <= header.width()


@pytest.mark.journey
def test_the_command_line_draws_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = "render --data iris --kernel linear --what columns --out a.svg"
    assert cli.main(words.split()) == 0
    drawn = (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert "petal length (cm)" in drawn
    assert "influence per SD" in drawn
