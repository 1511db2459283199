"""The plot of odd rows and the list beside it."""

from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPainter
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from kpca_viewer.features.outliers.outlier_list import OddListTable
from kpca_viewer.features.outliers.plot import OddPlot
from kpca_viewer.features.outliers.text import as_table
from kpca_viewer.features.outliers.values import OddList
from kpca_viewer.widgets.controls import ElidedLabel, IconButton
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.theme import Theme

TITLE = "Look at these first"
WAITING = "The oddest rows are looked for …"


class OddRowsView(QWidget):
    """Shows both; on paper there is the plot alone."""

    text_copied = Signal(str)
    """What is on the clipboard now, in words."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("odd_rows_view")
        self.setAccessibleName("Odd rows")
        self.plot = OddPlot(linking)
        self.list = OddListTable()
        self._listed: OddList | None = None
        self._names: dict[int, str] = {}
        self._title = ElidedLabel()
        self._title.setObjectName("odd_list_title")
        self._title.setProperty("role", "caption")
        self.copy_button = IconButton("copy", "Copy this list as a table", 16)
        self.copy_button.setObjectName("odd_copy_button")
        self.copy_button.clicked.connect(self.copy)
        self.list.copy_requested.connect(self.copy)
        line = QHBoxLayout()
        line.setContentsMargins(8, 2, 4, 2)
        line.addWidget(self._title, 1)
        line.addWidget(self.copy_button)
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self.list, 1)
        self._parts = QSplitter(Qt.Orientation.Horizontal)
        self._parts.setChildrenCollapsible(False)
        self._parts.setHandleWidth(8)
        for part in (self.plot, beside):
            part.setMinimumWidth(120)
            self._parts.addWidget(part)
        self._parts.setSizes([500, 500])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._parts)
        self.show_list(None, {})

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)
        self.list.set_theme(theme)

    @property
    def listed(self) -> OddList | None:
        return self._listed

    def show_list(self, listed: OddList | None, names: dict[int, str]) -> None:
        """Show another list, of rows with these names; None says that it comes."""
        self._listed, self._names = listed, names
        about = "" if listed is None else listed.why_no_columns
        title = f"{TITLE}; no columns to name" if about else TITLE
        self._title.set_text(WAITING if listed is None else title)
        self._title.setToolTip(plain_tip(about))
        self.list.show_list(listed, names)
        self.set_late(listed is None)

    def set_late(self, late: bool) -> None:
        """Grey out a list of numbers that are gone."""
        self.list.setEnabled(not late)
        self.copy_button.setEnabled(not late)

    @Slot()
    def copy(self) -> None:
        """Put the list onto the clipboard as a table."""
        if self._listed is not None:
            text = as_table(self._listed, self._names)
            QGuiApplication.clipboard().setText(text)
            self.text_copied.emit("the list of odd rows")

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        self.plot.render_to(painter, rect, background=background)
