"""Combo boxes with a name and items, and labels beside controls."""

from PySide6.QtCore import QSignalBlocker, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from kpca_viewer.ui.controls.search_combo import SearchCombo
from kpca_viewer.ui.controls.wheel import WheelGuard


def named_combo(name: str, title: str, tip: str) -> SearchCombo:
    """Return a combo box that tests and assistive technology can find."""
    combo = SearchCombo()
    combo.setObjectName(name)
    combo.setAccessibleName(title)
    combo.setToolTip(tip)
    combo.setSizeAdjustPolicy(
        QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon
    )
    combo.setMinimumContentsLength(6)
    combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
    WheelGuard(combo)
    return combo


def fill_combo(
    combo: SearchCombo, items: list[tuple[str, object]], value: object
) -> None:
    """Show these items with one of them chosen; emits nothing."""
    with QSignalBlocker(combo):
        combo.set_items(items)
        combo.setCurrentIndex(
            next((i for i, x in enumerate(items) if x[1] == value), -1)
        )


def labelled(text: str, *widgets: QWidget) -> tuple[QLabel, QWidget]:
    """Return a label and a row that holds it and its controls on one line."""
    row = QWidget()
    layout = QHBoxLayout(row)
    layout.setContentsMargins(0, 0, 0, 0)
    layout.setSpacing(8)
    label = QLabel(text)
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setBuddy(widgets[0])
    layout.addWidget(label)
    for index, widget in enumerate(widgets):
        layout.addWidget(widget, 1 if index == 0 else 0)
    return label, row
