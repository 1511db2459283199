"""Packing and writing happen beside the window."""

import os
import threading

import pytest
import shiboken6
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QPushButton

from kpca_viewer.engine.runner import Task
from kpca_viewer.export import image as images
from kpca_viewer.features.export_panel import preview


def tasks():
    """Return the tasks whose end has not been told yet."""
    return [w for w in shiboken6.getAllValidWrappers() if isinstance(w, Task)]


@pytest.fixture
def gate(monkeypatch):
    """Hold the packing of pictures until it is let go; tell who does it."""
    opened, packed_by = threading.Event(), []

    def packing(pack):
        def wait_and_pack(image):
            packed_by.append(threading.current_thread())
            opened.wait()
            return pack(image)

        return wait_and_pack

    for module in (images, preview):
        monkeypatch.setattr(module, "png_bytes", packing(module.png_bytes))
    opened.packed_by = packed_by
    yield opened
    opened.set()


@pytest.mark.journey
def test_a_picture_is_packed_and_written_by_another_thread(sheet, gate, monkeypatch):
    written_by = []
    replace = os.replace

    def noted(*args):
        written_by.append(threading.current_thread())
        return replace(*args)

    monkeypatch.setattr(os, "replace", noted)
    it = sheet()
    it.answer = "a.png"
    it.panel.save()
    assert it.panel.saving
    assert it.panel.message_bar.text() == "Saving a.png…"
    assert not (it.folder / "a.png").exists()
    with it.qtbot.waitSignal(it.panel.saved):
        gate.set()
    assert not it.panel.saving
    assert not QImage(str(it.folder / "a.png")).isNull()
    for ending in ("svg", "pdf"):
        it.press("export_format", ending)
        it.save(f"a.{ending}")
    it.panel.show_page("code", "sklearn")
    it.save("a.py")
    by = [*gate.packed_by, *written_by]
    assert len(by) == 5
    assert threading.main_thread() not in by


def test_a_copied_picture_comes_packed(sheet, gate):
    QGuiApplication.clipboard().clear()
    it = sheet()
    it.child(QPushButton, "export_copy_button").click()
    assert it.panel.message_bar.text() == "Copying the picture…"
    assert QGuiApplication.clipboard().image().isNull()
    with it.qtbot.waitSignal(it.panel.copied):
        gate.set()
    content = QGuiApplication.clipboard().mimeData()
    packed = QImage.fromData(content.data("image/png"), "png")
    assert (packed.width(), packed.height()) == it.panel.image.spec().pixels
    assert packed.convertToFormat(content.imageData().format()) == content.imageData()
    assert threading.main_thread() not in gate.packed_by


@pytest.mark.journey
def test_what_is_copied_last_is_on_the_clipboard(sheet, gate):
    it = sheet()
    copied = []
    it.panel.copied.connect(copied.append)
    it.child(QPushButton, "export_copy_button").click()
    it.panel.show_page("code", "sklearn")
    it.child(QPushButton, "export_copy_button").click()
    text = QGuiApplication.clipboard().text()
    it.panel.show_page("image")
    it.preset("slide")
    gate.set()
    it.qtbot.waitUntil(lambda: bool(gate.packed_by) and not tasks())
    assert QGuiApplication.clipboard().text() == text
    assert copied == ["script"]
    assert it.copy().image().width() == 1920
    assert copied == ["script", "picture"]


def test_a_picture_that_cannot_be_packed_is_told(sheet, monkeypatch):
    def fail(_image):
        raise images.ExportError("Not packed.")

    for module in (images, preview):
        monkeypatch.setattr(module, "png_bytes", fail)
    it = sheet()
    bar = it.panel.message_bar
    it.child(QPushButton, "export_copy_button").click()
    it.qtbot.waitUntil(lambda: bar.text() == "Not packed.")
    old = it.folder / "a.png"
    old.write_bytes(b"old")
    it.answer = "a.png"
    it.panel.save()
    it.qtbot.waitUntil(lambda: not it.panel.saving)
    assert bar.text() == "Not packed."
    assert old.read_bytes() == b"old"


def test_save_keeps_the_focus(sheet):
    it = sheet()
    it.panel.show()
    button = it.child(QPushButton, "export_save_button")
    button.setFocus()
    it.answer = "a.png"
    with it.qtbot.waitSignal(it.panel.saved):
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert it.panel.focusWidget() is not button
    assert it.panel.focusWidget() is button
