"""ShrinkingRow: a line of controls; the less important go where room is short."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QSize
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget


class ShrinkingRow(QWidget):
    """A line that never asks for more room than its essential controls need."""

    def __init__(self, spacing: int = 6) -> None:
        super().__init__()
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(spacing)
        self._importance: dict[QWidget, int] = {}
        self._wanted: dict[QWidget, bool] = {}
        self._room: dict[QWidget, Callable[[], int]] = {}

    def add(
        self,
        widget: QWidget,
        importance: int = 0,
        stretch: int = 0,
        room: Callable[[], int] | None = None,
    ) -> None:
        """Put a control at the end.

        Importance 0 never goes; of the others, the smallest go last. ``room`` gives the
        pixels below which it is of no use; its smallest size if not said.
        """
        self._row.addWidget(widget, stretch)
        self._importance[widget] = importance
        self._wanted[widget] = True
        if room is not None:
            self._room[widget] = room

    def remove(self, widget: QWidget) -> None:
        """Forget a control, which gets another place."""
        self._row.removeWidget(widget)
        for known in (self._importance, self._wanted, self._room):
            known.pop(widget, None)
        self.refit()

    def add_gap(self) -> None:
        """Let what follows stand at the right end, whatever stands before it."""
        self._row.addStretch(1)

    def set_wanted(self, widget: QWidget, wanted: bool) -> None:
        if self._wanted[widget] != wanted:
            self._wanted[widget] = wanted
            self.refit()

    def set_importance(self, widget: QWidget, importance: int) -> None:
        """Let a control stay longer, or go sooner; see `add`."""
        if self._importance[widget] != importance:
            self._importance[widget] = importance
            self.refit()

    def _needed(self, widgets: Sequence[QWidget]) -> int:
        margins = self._row.contentsMargins()
        gaps = self._row.spacing() * max(len(widgets) - 1, 0)
        edges = margins.left() + margins.right()
        return edges + gaps + sum(self._least(widget) for widget in widgets)

    def _least(self, widget: QWidget) -> int:
        if widget in self._room:
            return self._room[widget]()
        return max(widget.minimumSizeHint().width(), widget.minimumWidth())

    def _fitting(self) -> list[QWidget]:
        wanted = [w for w, on in self._wanted.items() if on]
        shown = [w for w in wanted if not self._importance[w]]
        others = [w for w in wanted if self._importance[w]]
        taken = self._needed(shown)
        # The most important first; where a wide one has no room, a narrow one may.
        for widget in sorted(others, key=lambda w: self._importance[w]):
            more = self._least(widget) + self._row.spacing() * bool(shown)
            if taken + more <= self.width():
                shown.append(widget)
                taken += more
        return shown

    def refit(self) -> None:
        """Look again what there is room for: a control may have another width."""
        shown = self._fitting()
        for widget, room in self._room.items():
            # The layout would rather cut a text than give a neighbour less.
            widget.setMinimumWidth(room())
        for widget in self._wanted:
            if widget.isVisibleTo(self) != (widget in shown):
                widget.setVisible(widget in shown)

    def minimumSizeHint(self) -> QSize:
        essential = [
            w for w, on in self._wanted.items() if on and not self._importance[w]
        ]
        height = max((w.minimumSizeHint().height() for w in essential), default=0)
        return QSize(self._needed(essential), height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self.refit()

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.LayoutRequest:
            self.refit()
        return super().event(event)
