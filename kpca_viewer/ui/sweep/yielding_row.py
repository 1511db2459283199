"""YieldingRow: a line of controls; the less important go where room is short."""

from PySide6.QtCore import QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget


class YieldingRow(QWidget):
    """A line that never asks for more room than its essential controls need.

    Parameters
    ----------
    spacing : int
    """

    def __init__(self, spacing: int = 6) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        self._importance: dict[QWidget, int] = {}
        self._wanted: dict[QWidget, bool] = {}

    def add(self, widget: QWidget, importance: int = 0, stretch: int = 0) -> None:
        """Put a control at the end.

        Parameters
        ----------
        widget : QWidget
        importance : int
            0 never goes; of the others, the smallest go last.
        stretch : int
        """
        self._row.addWidget(widget, stretch)
        self._importance[widget] = importance
        self._wanted[widget] = True

    def set_wanted(self, widget: QWidget, wanted: bool) -> None:
        """Show a control if there is room for it, or not at all."""
        if self._wanted[widget] != wanted:
            self._wanted[widget] = wanted
            self._fit()

    def refit(self) -> None:
        """Look again what there is room for: a control has another width."""
        self._fit()

    def is_wanted(self, widget: QWidget) -> bool:
        """Whether a control is shown where there is room."""
        return self._wanted[widget]

    def _needed(self, widgets: list[QWidget]) -> int:
        gaps = self._row.spacing() * max(len(widgets) - 1, 0)
        return gaps + sum(
            max(w.minimumSizeHint().width(), w.minimumWidth()) for w in widgets
        )

    def _fit(self) -> None:
        wanted = [w for w, on in self._wanted.items() if on]
        shown = [w for w in wanted if not self._importance[w]]
        others = [w for w in wanted if self._importance[w]]
        # The most important first; where a wide one has no room, a narrow one may.
        for widget in sorted(others, key=lambda w: self._importance[w]):
            if self._needed([*shown, widget]) <= self.width():
                shown.append(widget)
        for widget in self._wanted:
            if widget.isVisibleTo(self) != (widget in shown):
                widget.setVisible(widget in shown)

    def minimumSizeHint(self) -> QSize:
        """Return room for what is essential."""
        essential = [
            w for w, on in self._wanted.items() if on and not self._importance[w]
        ]
        height = max((w.minimumSizeHint().height() for w in essential), default=0)
        return QSize(self._needed(essential), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        self._fit()
