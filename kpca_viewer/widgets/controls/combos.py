"""Combo boxes with a name and items, and labels beside controls."""

from PySide6.QtCore import QSignalBlocker, QSize, Qt
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QLabel, QSizePolicy, QWidget

from kpca_viewer.widgets.controls.search_combo import SearchCombo
from kpca_viewer.widgets.controls.wheel import WheelGuard

ARROW = 44
"""Pixels of a combo box beside its text."""

FRAME = 28
"""Pixels of an open list beside its lines: a frame, and perhaps a scroll bar."""


class FittingCombo(QComboBox):
    """As wide as its widest line where there is room, else as the chosen one."""

    def __init__(self) -> None:
        super().__init__()
        self.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToContents)
        self.currentTextChanged.connect(self.updateGeometry)

    def setCurrentIndex(self, index: int) -> None:
        """Choose a line; its width counts even where signals are blocked."""
        super().setCurrentIndex(index)
        self.updateGeometry()

    def minimumSizeHint(self) -> QSize:
        """Return room for the line that is chosen."""
        hint = super().minimumSizeHint()
        return QSize(min(text_room(self), hint.width()), hint.height())

    def showPopup(self) -> None:
        """Open the list as wide as its widest line, however narrow the box is."""
        self.view().setMinimumWidth(self.view().sizeHintForColumn(0) + FRAME)
        super().showPopup()


def text_room(combo: QComboBox) -> int:
    """Return the width at which a combo box shows its text in full."""
    return combo.fontMetrics().horizontalAdvance(combo.currentText()) + ARROW


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
    # All sources at once: what lies below the end of a list is not looked for.
    combo.setMaxVisibleItems(20)
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
