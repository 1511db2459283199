"""What is exported says which steps were forgotten, and computes the same."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QRectF
from PySide6.QtGui import QImage, QPainter

from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.export.compose import Composition, composed
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.export.model import fitted_model, save_fitted
from kpca_viewer.export.result_tables import coordinates, eigenvalues, kernel_matrix
from kpca_viewer.export.script import as_notebook, as_python
from kpca_viewer.export.table_files import csv_bytes, save_table
from kpca_viewer.export.text import caption
from kpca_viewer.features.sweep.files import measures_table
from kpca_viewer.support.errors import ExportError
from tests.scripts import executed

WRONG = AnalysisSettings(components=3, normalised=False, centers_new=False)


@pytest.fixture(scope="module")
def result():
    data = DataSettings("moons", as_values({"samples": 40}))
    return run(
        AnalysisRequest(SessionSettings(data=data, analysis=WRONG)), StageCache()
    )


@pytest.mark.parametrize("library", ["kpca_viewer", "sklearn"])
def test_the_script_computes_what_the_window_shows(result, library):
    code = as_python(result, library)
    assert "# 1/√μ is forgotten, as in the window." in code
    assert "1/√μ forgotten · new points not centred" in code.split('"""')[1]
    names = executed(code)
    signs = np.sign((names["scores"] * result.scores).sum(axis=0))
    assert names["scores"] * signs == pytest.approx(result.scores, abs=1e-6)
    assert names["shares"][:3] == pytest.approx(result.shares, abs=1e-6)
    assert "1/√μ is forgotten" in as_notebook(result, library)


def test_a_script_of_what_is_right_says_nothing_of_it(result):
    right = replace(result.settings, analysis=AnalysisSettings(components=3))
    code = as_python(run(AnalysisRequest(right), StageCache()))
    assert "forgotten" not in code
    assert "linalg.norm" not in code


def test_the_caption_of_a_picture(result):
    assert " · 1/√μ forgotten · new points not centred · " in caption(result)


def test_a_picture_warns_whatever_was_asked_for(qapp):
    places = []
    spec = ImageSpec(title=False, legend="none", caption=False)
    for warning in ("", "1/√μ forgotten"):
        picture = composed(spec, lambda _, rect: places.append(rect), warning=warning)
        assert isinstance(picture, Composition)
        image = QImage(400, 300, QImage.Format.Format_ARGB32)
        painter = QPainter(image)
        list(picture.paint(painter, QRectF(0, 0, 400, 300)))
        painter.end()
    without, warned = places
    assert without.top() == 0 < warned.top() < 40
    assert warned.bottom() == 300


def test_tables_say_it_where_they_can(result, tmp_path):
    from pyarrow import parquet

    with_new = with_points(result, ((0.5, 0.5),))
    table = coordinates(with_new)
    names = [name for name, _ in table.columns]
    assert names[-3:] == [f"PC{j} (1/√μ forgotten)" for j in (1, 2, 3)]
    assert dict(table.columns)["set"][-1] == "new, not centred"
    assert "PC1 (1/√μ forgotten)" in csv_bytes(table).decode().splitlines()[0]
    note = "1/√μ forgotten · new points not centred"
    for made in (table, eigenvalues(result), kernel_matrix(result)):
        save_table(tmp_path / "table.parquet", made, "parquet")
        metadata = parquet.read_schema(tmp_path / "table.parquet").metadata
        assert metadata[b"note"].decode() == note
        save_table(tmp_path / "table.npz", made, "npz")
        with np.load(tmp_path / "table.npz") as arrays:
            assert str(arrays["note"]) == note
        save_table(tmp_path / "table.xlsx", made, "xlsx")
        assert description(tmp_path / "table.xlsx") == note


def description(path):
    from openpyxl import load_workbook

    return load_workbook(path).properties.description


def test_tables_of_what_is_right_have_no_note(result, tmp_path):
    right = replace(result.settings, analysis=AnalysisSettings())
    table = coordinates(run(AnalysisRequest(right), StageCache()))
    assert table.note == ""
    save_table(tmp_path / "table.xlsx", table, "xlsx")
    assert description(tmp_path / "table.xlsx") is None


def test_the_table_of_a_sweep_says_it(result):
    right = replace(result.settings, analysis=AnalysisSettings(components=3))
    sweep = SweepSettings(parameter="gamma", low=1, high=2, steps=2)
    for settings, told in ((result.settings, "1/√μ forgotten"), (right, "")):
        swept = run_sweep(AnalysisRequest(settings), sweep, StageCache())
        table = measures_table([swept])
        assert table.note == told
        forgotten = dict(table.columns).get("forgotten", ("", ""))
        assert forgotten == (told, told)
        assert ("forgotten" in csv_bytes(table).decode()) is bool(told)


def test_a_model_is_refused(result, tmp_path):
    path = tmp_path / "model.npz"
    with pytest.raises(ExportError, match="1/√μ forgotten and new points not centred"):
        save_fitted(result, path)
    assert not path.exists()
    uncentred = replace(result.settings, analysis=AnalysisSettings(center=False))
    assert fitted_model(run(AnalysisRequest(uncentred), StageCache())).center is False
