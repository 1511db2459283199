"""Names from files are plain text: nothing in the window takes them for markup."""

import numpy as np
from PySide6.QtCore import QAbstractItemModel, QAbstractListModel, QModelIndex
from PySide6.QtGui import QAction, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractItemView, QApplication, QComboBox, QLabel

from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.import_sheet.sheet import ImportSheet
from kpca_viewer.features.registry import pages

EVIL = '<img src="file:///etc/evil.png">'
TIP = Qt.ItemDataRole.ToolTipRole


def tips_of(model: QAbstractItemModel):
    """Yield the tooltips of the first items and of all headers."""
    rows = range(min(model.rowCount(QModelIndex()), 50))
    # A list has one column, and does not say so.
    flat = isinstance(model, QAbstractListModel)
    for column in range(1 if flat else model.columnCount(QModelIndex())):
        yield model.headerData(column, Qt.Orientation.Horizontal, TIP)
        for row in rows:
            yield model.index(row, column).data(TIP)
    for row in rows:
        yield model.headerData(row, Qt.Orientation.Vertical, TIP)


def taken_for_markup() -> list[str]:
    """Return every name that some part of the program would draw as markup."""
    found = []
    for widget in QApplication.allWidgets():
        texts = [widget.toolTip(), *(a.toolTip() for a in widget.actions())]
        texts += [action.toolTip() for action in widget.findChildren(QAction)]
        if (
            isinstance(widget, QLabel)
            and widget.textFormat() != Qt.TextFormat.PlainText
        ):
            texts.append(widget.text())
        if isinstance(widget, QComboBox | QAbstractItemView) and widget.model():
            texts += [text for text in tips_of(widget.model()) if text]
        found += [
            f"{type(widget).__name__} {widget.objectName()}: {text}"
            for text in texts
            if "<img" in text and Qt.mightBeRichText(text)
        ]
    return found


def hostile_file(folder):
    """Write a table in which every name would load a picture, if it could."""
    path = folder / "<img src=evil.png> <b>x.csv"
    random = np.random.default_rng(0)
    quoted = EVIL.replace('"', '""')
    head = [f'"{name} {quoted}"' for name in ("one", "two", "three", "class", "who")]
    rows = [
        (
            *random.normal(size=3).round(3),
            f'"{"ab"[i % 2]} {quoted}"',
            f'"{i} {quoted}"',
        )
        for i in range(40)
    ]
    lines = [",".join(map(str, row)) for row in rows]
    path.write_text("\n".join([",".join(head), *lines]))
    return path


def test_no_name_is_taken_for_markup(start, tmp_path, qtbot):
    program = start()
    program.viewer.controllers["import_sheet"].open_path(hostile_file(tmp_path))
    program.until(lambda: not program.viewer.controllers["import_sheet"].runner.busy)
    sheet = program.window.findChildren(ImportSheet)[-1]
    assert taken_for_markup() == []
    QTest.keyClick(sheet, Qt.Key.Key_Return)
    program.until(lambda: program.result.dataset.n == 40)
    program.settle()
    dataset = program.result.dataset
    assert EVIL in dataset.feature_names[0]
    assert EVIL in dataset.label_names[0]
    window, actions = program.window, program.window.actions_table
    program.board.linking.apply_selection(np.arange(40) < 9, "replace")
    for page in pages():
        actions[f"page_{page}"].trigger()
        program.settle()
        assert taken_for_markup() == []
    # Kept pictures have the names of their data; so have strip, gallery and export.
    actions["pin"].trigger()
    program.press(Qt.Key.Key_4)
    program.settle()
    actions["pin"].trigger()
    sweeping = program.viewer.controllers["sweep"]
    sweeping.sweeps.start(SweepSettings(low=0.5, high=2, steps=3))
    program.until(lambda: program.strip.state() == "done")
    actions["page_gallery"].trigger()
    # The name of the file is that of the data in steps of the history, too.
    actions["undo"].trigger()
    program.settle()
    assert taken_for_markup() == []
    actions["redo"].trigger()
    program.settle()
    for action in ("new_point", "both_sides", "export", "export_numbers", "help"):
        actions[action].trigger()
        program.settle()
    window.resize(820, 560)
    QApplication.processEvents()
    assert taken_for_markup() == []
