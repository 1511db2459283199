"""The page of the report: a file on its way, its paragraph, and a way to stop it."""

import html
from dataclasses import replace
from xml.etree import ElementTree

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QPlainTextEdit, QPushButton

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row
from kpca_viewer.engine.choice_note import ChoiceNote
from kpca_viewer.features.report.methods import methods_paragraph
from kpca_viewer.features.report.subject import Subject
from kpca_viewer.widgets.theme import DARK
from tests.export.report import pdf_text
from tests.ui.plots.results import result_of, worked_example


def images(page):
    return [image.get("src") for image in ElementTree.fromstring(page).iter("img")]


def test_a_page_has_the_pictures_of_the_board(desk):
    it = desk(result_of("moons", samples=60))
    it.panel.show_page("report", "html")
    page = it.save("a").read_text("utf-8")
    assert it.suggested[-1].endswith("report.html")
    assert len(images(page)) == 4
    kinds = [src.partition(";")[0].partition("/")[2] for src in images(page)]
    # Isolines are pixels: SVG does not clip what lies between them.
    assert kinds == ["svg+xml", "png", "svg+xml", "svg+xml"]


def test_pictures_are_light_whatever_the_window_is(desk):
    result = result_of("moons", samples=60)
    light, dark = desk(result), desk(result, theme=DARK)
    pages = []
    for it, name in ((light, "a"), (dark, "b")):
        it.panel.show_page("report", "html")
        pages.append(it.save(name).read_text("utf-8"))
    assert images(pages[0]) == images(pages[1])


def test_many_rows_are_pixels(desk):
    it = desk(result_of("circles", samples=501))
    it.panel.show_page("report", "html")
    kinds = [src.partition(";")[0] for src in images(it.save("a").read_text("utf-8"))]
    assert kinds == ["data:image/png"] * 3 + ["data:image/svg+xml"]


def test_a_page_to_share_has_the_columns_that_are_checked(desk):
    it = desk(result_of("moons", samples=60))
    it.panel.show_page("report", "page")
    listed = it.panel.report.columns
    assert not listed.isHidden()
    assert [listed.item(i).text() for i in range(listed.count())] == [
        "classes",
        "x1",
        "x2",
    ]
    listed.item(2).setCheckState(Qt.CheckState.Checked)
    said = it.panel.report.inside.text()
    assert said == (
        "In the page: the scores of 60 rows, classes, “x2”. Not in it: 1 column."
    )
    page = it.save("a").read_text("utf-8")
    assert it.suggested[-1].endswith(".html")
    assert '"name": "x2"' in page
    assert '"name": "x1"' not in page
    assert html.escape(it.panel.report.methods()) in page
    it.panel.show_page("report", "html")
    assert listed.isHidden()


def test_a_pdf_of_a_given_matrix(desk):
    it = desk(worked_example())
    it.panel.show_page("report", "pdf")
    content = it.save("a.pdf").read_bytes()
    assert pdf_text.pages(content) >= 2
    assert "LinearPCA:" not in pdf_text.text(content)


def test_the_paragraph_is_shown_and_copied(sheet):
    it = sheet()
    it.panel.show_page("report")
    content = it.panel.content
    said = methods_paragraph(Subject(content.result, content.result.settings.view))
    assert it.child(QPlainTextEdit, "export_methods_text").toPlainText() == said
    assert it.copy().text() == said
    assert "methods paragraph" in it.panel.message_bar.text()
    assert QGuiApplication.clipboard().text() == said


def test_the_paragraph_follows_the_window(sheet):
    it, other = sheet(), sheet(result_of("circles", gamma=7.0))
    it.panel.show_page("report")
    it.panel.set_content(other.panel.content)
    text = it.child(QPlainTextEdit, "export_methods_text").toPlainText()
    assert "γ = 7 " in text


@pytest.mark.parametrize("ending", ["html", "pdf"])
def test_cancelled_work_leaves_nothing_behind(desk, qtbot, ending):
    it = desk(result_of("moons", samples=60))
    it.panel.show_page("report", ending)
    it.answer = "a"
    it.child(QPushButton, "export_save_button").click()
    assert it.panel.saving
    it.child(QPushButton, "cancel_button").click()
    qtbot.waitUntil(lambda: not it.panel.saving)
    told = it.panel.message_bar
    assert told.text() == f"a.{ending} was not written: it was cancelled."
    assert told.severity() == "info"
    assert not list(it.folder.iterdir())
    assert not it.panel.report.progress.is_shown()


def test_another_picture_meanwhile_is_the_one_that_is_told(desk, sheet):
    it = desk(result_of("circles", samples=60, gamma=2.0))
    other = sheet(result_of("circles", samples=60, gamma=7.0)).panel.content
    it.panel.show_page("report", "html")
    it.answer = "a"
    with it.qtbot.waitSignal(it.panel.saved):
        it.child(QPushButton, "export_save_button").click()
        it.board.show_scene(other.scene)
        it.panel.set_content(other)
    page = (it.folder / "a.html").read_text("utf-8")
    assert "γ = 7 " in page
    assert "γ = 2 " not in page


def test_the_evidence_of_the_session_is_the_reason(sheet):
    it = sheet(result_of("circles", gamma=4.0))
    content = it.panel.content
    line = Line("rbf", scanned="gamma")
    choice = Choice("classes", (Row(line, 4.0, 3, 0.975, 0.012),), n=400)
    settings = content.scene.settings
    for data, taken, told in (
        (settings.data, 0, "97.5 ± 1.2 % balanced accuracy held out"),
        (settings.data, None, "γ was set by hand"),
        (settings.data.with_seed(5), 0, "γ was set by hand"),
    ):
        note = replace(ChoiceNote.of(choice, data), taken=taken)
        notes = replace(content.scene.notes, choice=note)
        scene = content.scene.changed(notes=notes)
        it.panel.show_page("report")
        it.panel.set_content(replace(content, scene=scene))
        text = it.child(QPlainTextEdit, "export_methods_text").toPlainText()
        assert told in text
