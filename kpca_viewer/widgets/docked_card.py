"""A card in a corner of a plot, where it covers least of what is selected."""

import numpy as np
from PySide6.QtCore import QEvent, QObject, QRectF, QSizeF, QTimer
from PySide6.QtWidgets import QFrame

from kpca_viewer.widgets.plots.overlay import corner_boxes
from kpca_viewer.widgets.plots.scatter_view import ScatterView

LARGEST = 0.5
"""Share of the width and of the height of the plot that a card has at most."""


class FittingCard(QFrame):
    """A card that says less where there is little room."""

    def fit_height(self, most: int | None) -> None:
        """Be at most so many pixels high; None lets it say everything."""
        raise NotImplementedError


class DockedCard(QObject):
    """Puts a card over a plot as long as it is its child.

    It stays in its corner until another one covers fewer selected points.
    """

    def __init__(self, card: FittingCard, view: ScatterView) -> None:
        super().__init__(view)
        self.card, self._view = card, view
        self._corner = 0
        # The plot inside has its new size when all events of the change are over.
        self._later = QTimer(self, singleShot=True, interval=0)
        self._later.timeout.connect(self.place)
        card.installEventFilter(self)
        view.installEventFilter(self)

    def place(self) -> None:
        """Put the card where it covers as little as can be."""
        card, area = self.card, self._view.area
        if card.parent() is not self._view or card.isHidden():
            area.overlay.set_taken(QRectF())
            return
        frame = area.frame
        card.fit_height(round(LARGEST * frame.height))
        size = card.sizeHint()
        width = max(min(size.width(), LARGEST * frame.width), card.minimumWidth())
        boxes = corner_boxes(QSizeF(width, size.height()), frame)
        covered = [self._covered(box) for box in boxes]
        if covered[self._corner] > min(covered):
            self._corner = covered.index(min(covered))
        box = boxes[self._corner]
        card.setGeometry(box.toAlignedRect())
        card.raise_()
        area.overlay.set_taken(box)

    def _covered(self, box: QRectF) -> tuple[int, int]:
        """Return how many selected points a box covers, and how many at all."""
        x, y = self._view.pixels().T
        inside = (box.left() <= x) & (x <= box.right())
        inside &= (box.top() <= y) & (y <= box.bottom())
        selected = self._view.area.cloud.selected
        chosen = inside if selected is None else inside & selected
        return int(np.count_nonzero(chosen)), int(np.count_nonzero(inside))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        kinds = QEvent.Type
        moves = (kinds.Resize,) if watched is self._view else (kinds.LayoutRequest,)
        if event.type() in (*moves, kinds.ShowToParent, kinds.HideToParent):
            self._later.start()
        return super().eventFilter(watched, event)
