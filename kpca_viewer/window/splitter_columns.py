"""SplitterColumns: splitters above each other that stay in line until one is moved."""

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Slot
from PySide6.QtWidgets import QSplitter, QWidget

_NEAR = 0.01
"""Shares of the width that differ by less are the same."""


class SplitterColumns(QObject):
    """Gives the left parts of splitters one width.

    A panel that needs more than its share, such as for three names of axes, would else
    move the handle of its own row only.

    Parameters
    ----------
    splitters : sequence of QSplitter
        Of two parts each, equally wide.
    share : float
        Of the width, for the left parts.
    """

    def __init__(self, splitters: Sequence[QSplitter], share: float) -> None:
        super().__init__(splitters[0])
        self._splitters = tuple(splitters)
        self._share = share
        self._moved = False
        for splitter in splitters:
            splitter.splitterMoved.connect(self._on_moved)
            splitter.installEventFilter(self)

    def reset(self) -> None:
        """Reset the parts to their share, also where the person has moved them."""
        self._moved = False
        self._align()

    def look(self) -> None:
        """Find out whether restored sizes were chosen by the person."""
        shares = [s.sizes()[0] / max(sum(s.sizes()), 1) for s in self._splitters]
        self._moved = any(abs(share - self._share) > _NEAR for share in shares)

    def _align(self) -> None:
        if self._moved or any(
            part.isHidden() for s in self._splitters for part in (s, *_parts(s))
        ):
            # One plot fills the board, or its splitter was moved.
            return
        first = self._splitters[0]
        room = first.width() - first.handleWidth()
        left, right = (
            max(_parts(s)[end].minimumSizeHint().width() for s in self._splitters)
            for end in (0, 1)
        )
        wide = max(min(round(self._share * room), room - right), left)
        for splitter in self._splitters:
            if splitter.sizes() != [wide, room - wide]:
                splitter.setSizes([wide, room - wide])

    @Slot()
    def _on_moved(self) -> None:
        self._moved = True

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Look again when there is another width, or a part needs another."""
        if event.type() in (QEvent.Type.Resize, QEvent.Type.LayoutRequest):
            self._align()
        return super().eventFilter(watched, event)


def _parts(splitter: QSplitter) -> list[QWidget]:
    parts = (splitter.widget(index) for index in range(splitter.count()))
    return [part for part in parts if part is not None]
