"""A list of bars with a scroll bar, which is there where it is needed."""

from PySide6.QtCore import QSignalBlocker, Qt, Slot
from PySide6.QtWidgets import QHBoxLayout, QScrollBar, QWidget

from kpca_viewer.widgets.plots.bars.bar_list_view import BarListView


class ScrolledBars(QWidget):
    """Keeps the scroll bar and the lines in step."""

    def __init__(self, view: BarListView) -> None:
        super().__init__()
        self.view = view
        self.bar = QScrollBar(Qt.Orientation.Vertical)
        self.bar.setObjectName(f"{view.objectName()}_scroll")
        self.bar.setAccessibleName(f"{view.accessibleName()}, scroll bar")
        self.bar.setToolTip("Brings other lines into view")
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(0)
        layout.addWidget(view, 1)
        layout.addWidget(self.bar)
        view.scrolled.connect(self._on_scrolled)
        self.bar.valueChanged.connect(view.scroll_to)
        self._on_scrolled()

    @Slot()
    def _on_scrolled(self) -> None:
        last = self.view.last_first()
        with QSignalBlocker(self.bar):
            self.bar.setRange(0, last)
            self.bar.setPageStep(self.view.fitting())
            self.bar.setValue(self.view.first)
        self.bar.setVisible(last > 0)
