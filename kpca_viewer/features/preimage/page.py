"""The page that tells what lies at a place, joined to the scene."""

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import (
    QHBoxLayout,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.view import PartView, PlaceView
from kpca_viewer.features.preimage.walk import WalkView
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.page_view import PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.widgets.theme import LIGHT, Theme

NARROWEST, LOWEST = 240, 60
"""Pixels of width that the page takes at least, and of height that its contents do: no
panel is made larger for it."""

AROUND = 8
"""Pixels around the contents on paper."""


class PreImageView(QWidget):
    """What the page consists of; on paper there is its contents alone."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("preimage_view")
        self.setMinimumWidth(NARROWEST)
        self.theme = LIGHT
        self.front: PartView | None = None

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        if background:
            painter.fillRect(rect, QColor(self.theme.card))
        if self.front is None:
            return
        painter.save()
        # Laid out as large as the widget is for the moment.
        painter.translate(rect.topLeft())
        painter.scale(rect.width() / self.width(), rect.height() / self.height())
        room = QRectF(self.rect()).adjusted(AROUND, AROUND, -AROUND, -AROUND)
        self.front.draw(painter, room, self.theme)
        painter.restore()


class PreImagePage(PageView):
    """Values and pictures of a place in the embedding; the tools of the board fill it.

    ``modes`` tells whether the place or the walk is in front; ``let_go_requested``
    forgets the place that is kept, and returns whether there was one.
    """

    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.place, self.walk = PlaceView(), WalkView()
        self.modes = Segmented(
            [(key, *words) for key, words in text.MODES.items()], text.MODES_NAME
        )
        self.modes.setObjectName("preimage_modes")
        self.modes.value_changed.connect(self._on_mode_changed)
        self._parts: dict[str, PartView] = {
            "place": self.place,
            "walk": self.walk,
        }
        self._controls, self._bodies = QStackedWidget(), QStackedWidget()
        for part in self._parts.values():
            self._controls.addWidget(part.controls)
            self._bodies.addWidget(part)
        # A low window leaves little to every page; what is hidden then comes back.
        self._bodies.setMinimumHeight(LOWEST)
        self._controls.setSizePolicy(
            QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed
        )
        self.view: PreImageView = PreImageView()
        self.view.front = self.place
        line = QHBoxLayout()
        line.setSpacing(10)
        line.addWidget(self.modes)
        line.addWidget(self._controls, 1)
        layout = QVBoxLayout(self.view)
        layout.setContentsMargins(12, 0, 12, 4)
        layout.setSpacing(6)
        layout.addLayout(line)
        layout.addWidget(self._bodies, 1)
        self._changes = changes
        self.let_go_requested: Any = None
        self.place.method.value_chosen.connect(self._on_method_chosen)
        self.place.held.value_chosen.connect(self._on_held_chosen)

    def set_theme(self, theme: Theme) -> None:
        self.view.theme = theme
        self.view.update()
        for part in self._parts.values():
            part.set_theme(theme)

    def draw(self, _result: AnalysisResult) -> None:
        self.place.show_choices(self.scene.settings.view)

    def let_go(self) -> bool:
        return self.let_go_requested is not None and bool(self.let_go_requested())

    def _on_mode_changed(self, key: str) -> None:
        self._controls.setCurrentWidget(self._parts[key].controls)
        self._bodies.setCurrentWidget(self._parts[key])
        self.view.front = self._parts[key]

    def _on_method_chosen(self, method: str) -> None:
        self._change(preimage=method)

    def _on_held_chosen(self, held: str) -> None:
        self._change(held=held)

    def _change(self, **changes: object) -> None:
        settings = self.scene.settings
        view = replace(settings.view, **changes)  # type: ignore[arg-type]
        self._changes.request(replace(settings, view=view))
