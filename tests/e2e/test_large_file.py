"""The analyst with a large file: asked first, read with progress, shown as density."""

from pathlib import Path

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget

from kpca_viewer.features.import_sheet.file_work import HUGE
from kpca_viewer.widgets.plots.point_cloud import DENSITY_LIMIT
from tests.e2e.files import accept, drop, read, sheet, sheets

ROWS = 640_000


@pytest.fixture
def array(tmp_path) -> Path:
    path = tmp_path / "large.npy"
    block = np.random.default_rng(0).normal(size=(ROWS // 10, 10))
    np.save(path, np.tile(block, (10, 1)))
    assert path.stat().st_size > HUGE
    return path


@pytest.fixture
def text(tmp_path) -> Path:
    path = tmp_path / "large.csv"
    lines = "".join(f"{i / 7:.6f},{i % 13:.6f},{i % 5:.6f}\n" for i in range(20_000))
    with open(path, "w", encoding="utf-8") as file:
        file.write("a,b,c\n")
        for _ in range(HUGE // len(lines) + 1):
            file.write(lines)
    return path


def words(page: QWidget, name: str) -> str:
    label = page.findChild(QLabel, name)
    return label.text() if label.isVisible() else ""


def test_the_first_rows_are_shown_and_a_sample_is_drawn_while_reading(start, array):
    program = start()
    drop(program, array)
    page = sheet(program)
    assert page.content.table.n == 1000, "all of it was read before anybody was asked"
    assert "640,000 rows × 10 columns" in words(page, "import_size")
    assert words(page, "import_forecast").startswith("640,000 rows × 10: low rank")
    assert not page.findChild(QWidget, "import_seed_field").isVisible()
    field = page.findChild(QWidget, "import_rows_field")
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, "3000")
    QTest.keyClick(field, Qt.Key.Key_Tab)
    assert words(page, "import_summary").startswith("3,000 rows, 10 features")
    assert words(page, "import_forecast") == "", "so few rows need no forecast"
    assert page.findChild(QWidget, "import_seed_field").isVisible()
    accept(program)
    assert program.result.dataset.n == 3000
    assert program.settings.data.source == f"{array} · 3,000 rows by seed 0"
    # Reading it again would draw the same rows.
    file = program.viewer.sessions.document().data.file
    assert (file.reading.sample, file.reading.seed) == (3000, 0)
    assert file.content_hash


def test_reading_is_cancelled_and_everything_stays(start, text):
    program = start()
    before = program.settings
    drop(program, text)
    page = sheet(program)
    assert words(page, "import_size").startswith("about ")
    assert page.findChild(QPushButton, "import_accept").text() == "Read and open"
    QTest.keyClick(page, Qt.Key.Key_Return)
    stages = []
    program.viewer.controllers["import_sheet"].runner.progressed.connect(
        lambda *told: stages.append(told)
    )
    program.until(lambda: any(stage == "reading" for stage, _ in stages))
    program.until(lambda: program.window.progress.is_shown())
    program.click(program.find(QPushButton, "cancel_button"))
    assert not program.viewer.controllers["import_sheet"].runner.busy
    assert not program.window.progress.is_shown()
    assert not sheets(program)
    assert program.settings == before
    assert program.result.dataset.name == "Circles"


def test_what_cannot_fit_is_said_with_a_button_for_fewer_rows(start, array):
    program = start()
    # An indefinite kernel has no low rank: all pairs of rows would be needed.
    program.press(Qt.Key.Key_7)
    program.settle()
    drop(program, array)
    page = sheet(program)
    assert "take a sample of" in words(page, "import_forecast")
    button = page.findChild(QPushButton, "take_sample_button")
    assert button.isVisible()
    program.click(button)
    assert not button.isVisible()
    sample = page.request().options.sample
    assert 1000 <= sample < ROWS
    assert f"{sample:,} rows" in words(page, "import_summary")
    page.reject()
    read(program)


def test_many_rows_are_a_density_picture_with_a_bound_and_single_points_inside(
    start, tmp_path
):
    rows = DENSITY_LIMIT + 5000
    path = tmp_path / "many.npy"
    np.save(path, np.random.default_rng(0).normal(size=(rows, 2)))
    program = start()
    drop(program, path)
    accept(program)
    view = program.board.embedding.view
    program.until(lambda: view.caption() == f"density of {rows:,} points")
    assert "low rank" in program.window.status_text()
    chip = program.find(QLabel, "certificate_chip")
    assert "eigenvalues exact to" in chip.accessibleName()
    view.zoom(40.0, QPointF(program.pixel(view, *program.embedding[7])))
    program.until(lambda: view.caption() == "")
    at = program.pixel(view, *program.embedding[7])
    program.until(lambda: view.area.row_at(QPointF(at)) is not None)
    target = view.canvas.viewport()
    # Twice: a mouse that never moved does not hover.
    QTest.mouseMove(target, at + QPoint(40, 40))
    QTest.mouseMove(target, at)
    program.until(lambda: program.board.linking.hovered is not None)


def test_a_session_of_many_rows_says_what_it_will_take(start, tmp_path):
    path = tmp_path / "many.npy"
    np.save(path, np.random.default_rng(0).normal(size=(21_000, 2)))
    program = start()
    drop(program, path)
    accept(program)
    from kpca_viewer.engine.document.files import save

    save(program.viewer.sessions.document(), tmp_path / "many.kpca")
    program.choose("source_combo", "Moons")
    program.settle()
    with program.qtbot.waitSignal(program.viewer.workbench.session_read):
        program.viewer.controllers["import_sheet"].open_path(tmp_path / "many.kpca")
    assert program.message().startswith("21,000 rows × 2: low rank, about")
    program.settle()
    assert program.message() == "", "the forecast stays after its result"
    assert program.result.dataset.n == 21_000
