"""Numbers and code for other tools."""

import csv
import json
from dataclasses import replace
from itertools import product

import numpy as np
import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import (
    QLabel,
    QPlainTextEdit,
    QPushButton,
    QTableWidget,
)

from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.export.script import as_python
from kpca_viewer.features.outliers.compute import measure_rows
from kpca_viewer.widgets.controls import Segmented, Switch
from tests.ui.plots.results import result_of


class TestNumbers:
    def test_coordinates_as_csv(self, sheet):
        it = sheet(selected=5)
        it.panel.show_page("numbers")
        it.child(Switch, "export_features_switch").click()
        path = it.save("a")
        assert path.name == "a.csv"
        rows = list(csv.DictReader(path.read_text().splitlines()))
        scores = it.panel.content.result.scores
        assert [float(row["PC2"]) for row in rows] == scores[:, 1].tolist()
        assert [row["selected"] for row in rows[:6]] == ["1"] * 5 + ["0"]
        assert "x1" in rows[0]

    def test_how_odd_every_row_is_comes_along_where_it_is_wanted(self, sheet):
        it = sheet()
        it.panel.show_page("numbers")
        assert "spe" not in it.save("a").read_text().splitlines()[0]
        it.child(Switch, "export_odd_rows_switch").click()
        rows = list(csv.DictReader(it.save("b").read_text().splitlines()))
        told = measure_rows(it.panel.content.result).numbers
        for key in ("cos2", "t2", "spe"):
            assert [float(row[key]) for row in rows] == getattr(told, key).tolist()
        table = it.child(QTableWidget, "export_table_preview")
        assert table.columnCount() > 0

    def test_the_selection_alone_if_there_is_one(self, sheet):
        it = sheet(selected=5)
        it.panel.show_page("numbers")
        button = it.child(Segmented, "export_rows").button("selected")
        assert button.text() == "Selection (5)"
        button.click()
        assert "5 rows" in it.child(QLabel, "export_table_note").text()
        assert len(it.save("a.csv").read_text().splitlines()) == 6

        it = sheet()
        it.panel.show_page("numbers")
        assert not it.child(Segmented, "export_rows").button("selected").isEnabled()

    @pytest.mark.journey
    def test_every_table_in_every_format(self, sheet):
        it = sheet(result_of("iris"))
        for what, kind in product(
            ("coordinates", "eigenvalues", "matrix"), ("csv", "xlsx", "parquet", "npz")
        ):
            it.panel.show_page("numbers", what)
            it.press("export_table_format", kind)
            assert it.save(f"{what}.{kind}").stat().st_size > 200

    def test_models_are_files_and_tables_can_be_copied(self, sheet):
        it = sheet()
        it.panel.show_page("numbers", "model")
        path = it.save("model")
        assert path.name == "model.npz"
        result = it.panel.content.result
        found = KernelPCA.load(path).transform(result.dataset.points[:5])
        assert found == pytest.approx(result.scores[:5], abs=1e-3)
        assert not it.child(QPushButton, "export_copy_button").isEnabled()

        it.panel.show_page("numbers", "eigenvalues")
        it.child(QPushButton, "export_copy_button").click()
        lines = QGuiApplication.clipboard().text().splitlines()
        assert lines[0].split("\t")[:2] == ["component", "eigenvalue"]
        assert len(lines) == 11

    def test_what_is_too_large_is_said(self, sheet, monkeypatch):
        from kpca_viewer.export import result_tables as tables

        monkeypatch.setattr(tables, "LARGEST_MATRIX", 100)
        monkeypatch.setattr(
            "kpca_viewer.features.export_panel.numbers_page.LARGEST_MATRIX", 100
        )
        it = sheet()
        it.panel.show_page("numbers", "matrix")
        assert "select fewer rows" in it.child(QLabel, "export_table_note").text()
        monkeypatch.setattr(
            "kpca_viewer.features.export_panel.numbers_page.MOST_COPIED", 10
        )
        it.panel.numbers.choose("eigenvalues")
        it.child(QPushButton, "export_copy_button").click()
        assert "too many for the clipboard" in it.panel.message_bar.text()

    def test_the_first_rows_are_shown_as_plain_text(self, sheet):
        names = tuple(f"<b>{i}</b>\n=1" for i in range(20))
        points = np.random.default_rng(0).normal(size=(20, 2))
        it = sheet(analyse(Dataset(points, row_names=names, name="n")))
        it.panel.show_page("numbers")
        table = it.child(QTableWidget, "export_table_preview")
        assert table.rowCount() == 12
        assert table.item(0, 0).text() == "<b>0</b> =1"

    def test_the_window_answers_while_a_file_is_written(self, sheet, monkeypatch):
        it = sheet()
        it.panel.show_page("numbers")
        seen = []
        it.panel.saved.connect(lambda _path: seen.append(it.panel.saving))
        it.answer = "a.csv"
        with it.qtbot.waitSignal(it.panel.saved):
            it.panel.save()
            assert it.panel.saving
            assert not it.child(QPushButton, "export_save_button").isEnabled()
        assert seen == [False]
        assert it.child(QPushButton, "export_save_button").isEnabled()


class TestCode:
    def test_code_is_shown_copied_saved_and_follows_the_view(self, sheet):
        it = sheet()
        for library in ("kpca_viewer", "sklearn"):
            it.panel.show_page("code", library)
            wanted = as_python(it.panel.content.result, library)
            text = it.child(QPlainTextEdit, "export_code_text")
            assert text.toPlainText() == wanted
            assert text.isReadOnly()
            it.child(QPushButton, "export_copy_button").click()
            assert QGuiApplication.clipboard().text() == wanted
            assert it.save(library).read_text(encoding="utf-8") == wanted
            assert (it.folder / f"{library}.py").exists()

        it.panel.show_page("code", "notebook")
        assert json.loads(it.save("a.ipynb").read_text())["nbformat"] == 4

        it.panel.show_page("code")
        settings = replace(
            it.panel.content.document.settings, view=ViewSettings(axes=(3, 2, 1))
        )
        document = Document(settings=settings)
        it.panel.set_content(replace(it.panel.content, document=document))
        assert "scores[rows, 3], scores[rows, 2]" in it.panel.code.code()
