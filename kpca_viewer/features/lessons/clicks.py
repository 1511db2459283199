"""Clicks in plots that answer a question."""

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from PySide6.QtCore import QObject, QPointF, Qt, Slot

from kpca_viewer.features.lessons import text
from kpca_viewer.features.lessons.answers import ClickAnswer
from kpca_viewer.widgets.plots.markers import Marker

if TYPE_CHECKING:
    from kpca_viewer.window.main_window import MainWindow

MOST_ROWS = 20
"""Rows that can be clicked together."""


class Clicks(QObject):
    """Notes what is clicked: a point, a bar, a frame of a film, or a place."""

    def __init__(
        self,
        window: "MainWindow",
        wanted: Callable[[str], ClickAnswer | None],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._wanted, self._view = wanted, window.board.embedding.view
        board = window.board
        board.linking.selection_changed.connect(self._on_selection_changed)
        board.spectrum.view.component_clicked.connect(self._on_component_clicked)
        window.sweep_strip.film.adopted.connect(self._on_frame_clicked)
        self._view.canvas.clicked.connect(self._on_embedding_clicked)

    @Slot(object)
    def _on_selection_changed(self, mask: Any) -> None:
        answer = self._wanted("row")
        rows = [] if mask is None else (np.flatnonzero(mask) + 1).tolist()
        if answer is not None and 0 < len(rows) <= MOST_ROWS:
            many = "rows" if len(rows) > 1 else "row"
            answer.take(f"{many} {' '.join(map(str, rows))}")

    @Slot(object)
    def _on_component_clicked(self, component: int) -> None:
        if (answer := self._wanted("component")) is not None:
            answer.take(f"component {component + 1}")

    @Slot(object)
    def _on_frame_clicked(self, point: Any) -> None:
        if (answer := self._wanted("frame")) is not None:
            answer.take(f"frame {point.index + 1}")

    @Slot(object, object, object)
    def _on_embedding_clicked(
        self, position: QPointF, button: Qt.MouseButton, _keys: object
    ) -> None:
        answer, view = self._wanted("place"), self._view
        frame = view.area.frame
        inside = view.is_flat and frame.contains(position.x(), position.y())
        if answer is None or button != Qt.MouseButton.LeftButton or not inside:
            return
        pixel = np.array([[position.x(), position.y()]])
        x, y = map(float, frame.to_data(pixel)[0])
        answer.take(f"{x!r}, {y!r}")
        answer.label.setText(text.clicked(text.place_words(x, y)))
        view.set_probes([Marker((x, y))])
