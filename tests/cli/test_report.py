"""A report without a screen: the same options as a picture, one line an error."""

import argparse
import os
from xml.etree import ElementTree

# Before the first import of Qt: tests never open a window on somebody's screen.
os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["PYQTGRAPH_QT_LIB"] = "PySide6"

import numpy as np
import pytest
from PySide6.QtCore import QSettings
from PySide6.QtWidgets import QApplication

from kpca_viewer.cli import report
from kpca_viewer.engine.document.files import save
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.resources import asset
from tests.export.report import pdf_text

SMALL = ("--data", "blobs", "--samples", "40", "--gamma", "3", "--components", "3")


@pytest.fixture
def run(tmp_path, monkeypatch, capsys, qapp):
    """Run the command in an empty folder; returns exit code, stdout and stderr."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    QSettings.setPath(
        QSettings.Format.IniFormat, QSettings.Scope.UserScope, str(tmp_path / "home")
    )

    def run(*words):
        parser = argparse.ArgumentParser(prog="kpca-viewer")
        report.add_parser(parser.add_subparsers())
        options = parser.parse_args(["report", *map(str, words)])
        code = options.run(options)
        done = capsys.readouterr()
        return code, done.out, done.err

    yield run
    assert not [w for w in QApplication.topLevelWidgets() if w.isVisible()]


def test_a_file_becomes_a_page(run, tmp_path):
    wine = asset("data", "wine.csv")
    code, out, err = run(wine, "--out", "wine.html")
    assert (code, err) == (0, "")
    assert out.endswith("Saved wine.html\n")
    page = (tmp_path / "wine.html").read_text("utf-8")
    assert page.startswith("<!DOCTYPE html>")
    root = ElementTree.fromstring(page)
    assert root.find("head/title").text == "Kernel PCA of wine"
    assert "file wine.csv" in page
    assert "proline" in page
    assert len(list(root.iter("img"))) == 4


def test_generated_data_become_a_pdf(run, tmp_path):
    code, _, err = run(*SMALL, "--out", "a.pdf")
    assert (code, err) == (0, "")
    content = (tmp_path / "a.pdf").read_bytes()
    assert pdf_text.pages(content) >= 3
    text = pdf_text.text(content)
    assert "γ=3" in text
    assert "samples40" in text
    assert "seed0" in text


def test_a_session_says_itself_what_is_told(run, tmp_path):
    settings = SessionSettings(data=DataSettings("moons").with_value("samples", 30))
    save(Document(settings), "s.kpca")
    code, _, err = run("s.kpca", "--out", "a.html")
    assert (code, err) == (0, "")
    assert "30 rows of “Moons”" in (tmp_path / "a.html").read_text("utf-8")
    assert run("s.kpca", "--gamma", "3", "--out", "b.html")[0] == 2


def test_a_given_matrix_has_no_columns(run, tmp_path):
    points = np.random.default_rng(0).normal(size=(12, 2))
    distances = np.linalg.norm(points[:, None] - points, axis=2)
    np.savetxt("d.csv", distances, delimiter=",")
    code, _, _ = run("d.csv", "--matrix", "distances", "--out", "a.html")
    assert code == 0
    page = (tmp_path / "a.html").read_text("utf-8")
    assert "which has no columns that could move a component" in page
    root = ElementTree.fromstring(page)
    assert len(list(root.iter("img"))) == 2
    # The embedding to zoom holds scores and classes, and no name of a row.
    (frame,) = root.iter("iframe")
    inside = frame.get("srcdoc")
    assert "default-src 'none'" in inside
    assert '"names": null' in inside


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ((*SMALL, "--out", "a.docx"), "does not end in .html or .pdf"),
        (("nothing.csv", "--out", "a.html"), "nothing.csv"),
        (("--data", "drawn", "--out", "a.html"), "Points are drawn in the window"),
        ((*SMALL, "--out", "no/a.html"), "folder of “a.html” does not exist"),
        ((*SMALL, "--color", "no", "--out", "a.html"), "There is no column “no”"),
    ],
)
def test_what_is_wrong_is_one_line(run, tmp_path, words, sentence):
    code, out, err = run(*words)
    assert (code, out) == (2, "")
    assert sentence in err
    assert err.count("\n") == 1
    assert not list(tmp_path.glob("*.html"))


def test_a_session_without_points_is_one_line(run, tmp_path):
    empty = SessionSettings(data=DataSettings.of_source("drawn"))
    save(Document(empty), "s.kpca")
    code, out, err = run("s.kpca", "--out", "a.html")
    assert (code, out) == (2, "")
    assert err.count("\n") == 1
    assert not (tmp_path / "a.html").exists()


def test_a_report_names_no_folder(run, tmp_path):
    data = tmp_path / "private" / "wine.csv"
    data.parent.mkdir()
    data.write_bytes(asset("data", "wine.csv").read_bytes())
    code, _, error = run(data, "--out", "report.html")
    assert code == 0, error
    text = (tmp_path / "report.html").read_text("utf-8")
    assert "wine.csv" in text
    assert "private" not in text
