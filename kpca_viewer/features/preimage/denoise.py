"""Rows from the first components, beside the data."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from PySide6.QtCore import QObject, QRectF, QSize, Qt, Signal, Slot
from PySide6.QtGui import QColor, QImage, QPainter, QPaintEvent
from PySide6.QtWidgets import (
    QPushButton,
    QSizePolicy,
    QStackedWidget,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_pictures import row_pictures
from kpca_viewer.features.preimage import text
from kpca_viewer.features.preimage.compute import Denoised, DenoiseRequest
from kpca_viewer.features.preimage.view import control_line, draw_words
from kpca_viewer.widgets.controls import NumberRow, type_factor
from kpca_viewer.widgets.controls.labels import plain_label
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.painted import as_large_as
from kpca_viewer.widgets.plots.pixels import fitted, row_image
from kpca_viewer.widgets.theme import Theme, theme_of

if TYPE_CHECKING:
    from kpca_viewer.features.preimage.probe import PreImageTools

MOST = 10
"""Pairs that are shown."""


class PicturePairs(QWidget):
    """Two lines of pictures, with the names of the lines before them."""

    def __init__(self, name: str, titles: tuple[str, str]) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(" and ".join(titles))
        self._titles = titles
        self.pairs: Sequence[tuple[QImage, QImage]] = ()
        policy = QSizePolicy.Policy.Expanding
        self.setSizePolicy(policy, policy)

    def show_pairs(self, pairs: Sequence[tuple[QImage, QImage]]) -> None:
        self.pairs = pairs
        self.update()

    def minimumSizeHint(self) -> QSize:
        return QSize(160, 72)

    def paintEvent(self, _event: QPaintEvent) -> None:
        with QPainter(self) as painter:
            self.draw(painter, QRectF(self.rect()), theme_of(self.palette()))

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        if not self.pairs:
            return
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, False)
        metrics = painter.fontMetrics()
        aside = max(map(metrics.horizontalAdvance, self._titles)) + 8
        width = (rect.width() - aside) / len(self.pairs)
        height = rect.height() / 2
        for line, title in enumerate(self._titles):
            top = rect.top() + line * height
            painter.setPen(QColor(theme.muted))
            where = QRectF(rect.left(), top, aside, height)
            painter.drawText(where, Qt.AlignmentFlag.AlignVCenter, title)
            for index, pair in enumerate(self.pairs):
                left = rect.left() + aside + index * width
                room = QRectF(left, top, width, height)
                picture = fitted(pair[line], room.adjusted(2, 2, -2, -2))
                painter.drawImage(picture, pair[line])
                painter.setPen(QColor(theme.border))
                painter.drawRect(picture)


COMPONENTS = Parameter(
    "denoised_from",
    "k",
    "",
    1,
    10,
    4,
    "integer",
    help=text.COMPONENTS_TIP,
)

FIELD = 52
"""Pixels of a field for the number of components."""


class DenoiseView(QWidget):
    """The number of components above the rows from them. Setters emit nothing."""

    components_edited = Signal(object)
    """Another number of components, while a gesture lasts and at its end."""
    components_committed = Signal()
    refused = Signal(str)
    """Why what was typed is not taken."""
    data_requested = Signal()
    """All rows are wanted as a new data set."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("denoise_view")
        self.row = NumberRow(COMPONENTS)
        assert self.row.field is not None
        # Two digits do; the slider gets the room.
        self.row.field.setMaximumWidth(round(FIELD * type_factor(self)))
        self.row.value_edited.connect(self.components_edited)
        self.row.value_committed.connect(self._on_committed)
        self.row.refused.connect(self.refused)
        self.adopt = QPushButton(text.ADOPT)
        self.adopt.setObjectName("denoise_adopt_button")
        self.adopt.setProperty("role", "link")
        self.adopt.setAccessibleName(text.ADOPT_NAME)
        self.adopt.setToolTip(text.ADOPT_TIP)
        self.adopt.clicked.connect(self.data_requested)
        # On a line above all parts of the page.
        self.controls = control_line(self.row, self.adopt)
        self.scatter = JoinedScatter("denoised_scatter", text.DENOISED_ROWS, linking)
        self.pictures = PicturePairs("denoised_pictures", text.DENOISED_PAIRS)
        self.words = plain_label("denoise_words", "caption")
        self._nothing = QWidget()
        self._stack = QStackedWidget()
        for body in (self._nothing, self.scatter, self.pictures):
            self._stack.addWidget(body)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.setSpacing(4)
        layout.addWidget(self._stack, 1)
        layout.addWidget(self.words)
        self.say("")

    def show_components(self, chosen: int, most: int) -> None:
        self.row.set_limits(1, most, text.MOST_COMPONENTS.format(count=most))
        self.row.set_value(min(chosen, most))

    def say(self, words: str) -> None:
        self._stack.setCurrentWidget(self._nothing)
        self.words.setText(words)
        self.controls.setEnabled(False)

    def show_found(self, body: QWidget, words: str) -> None:
        """Bring the scatter or the pictures to the front, with words below."""
        self._stack.setCurrentWidget(body)
        self.words.setText(words)
        self.controls.setEnabled(True)

    def draw(self, painter: QPainter, rect: QRectF, theme: Theme) -> None:
        left = draw_words(painter, rect, self.words.text(), theme.muted)
        body = self._stack.currentWidget()
        if body is self.scatter:
            with as_large_as(self.scatter, left.size().toSize()):
                self.scatter.render_to(painter, left, background=False)
        elif body is self.pictures:
            self.pictures.draw(painter, left, theme)

    @property
    def found_in_front(self) -> bool:
        """Whether rows are shown, and not words alone."""
        return self._stack.currentWidget() is not self._nothing

    def _on_committed(self, _value: object) -> None:
        self.components_committed.emit()


class DenoiseTools(QObject):
    """Shows rows from the first components beside the data."""

    requested = Signal(object)
    """A `DenoiseRequest`."""

    def __init__(self, tools: "PreImageTools") -> None:
        super().__init__(tools)
        self._tools, self._page, self._view = tools, tools.page, tools.page.denoise
        self._wanted: tuple[object, ...] = ()
        tools.changed.connect(self._look)
        self._page.modes.value_changed.connect(self._on_mode_changed)
        self._view.data_requested.connect(self._on_data_requested)

    @property
    def on(self) -> bool:
        return self._page.modes.value() == "denoise"

    def show_found(self, found: Denoised) -> None:
        """Show rows that were denoised, as pictures or on the axes of the data."""
        result = self._tools.scene.result
        if result is None or not self._tools.fits(found.request.finder):
            return
        pictures = row_pictures(result.dataset, self._tools.scene.settings.view)
        if pictures is None:
            self._show_scatter(result, found)
            self._view.show_found(self._view.scatter, text.denoised_words(found))
            return
        step = max(1, len(found.rows) // MOST)
        pairs = [
            (
                row_image(pictures.shades(result.dataset.points[found.rows[i]])),
                row_image(pictures.shades(found.points[i])),
            )
            for i in range(0, len(found.rows), step)
        ]
        self._view.pictures.show_pairs(pairs[:MOST])
        self._view.show_found(self._view.pictures, text.denoised_words(found))

    def _show_scatter(self, result: AnalysisResult, found: Denoised) -> None:
        dataset, scene = result.dataset, self._tools.scene
        axes = scene.settings.view.data_axes or dataset.telling_axes
        picked = [j if j < dataset.d else -1 for j in axes[:2]]
        # Rows that were not looked at are nowhere.
        places = np.full((result.all_rows.dataset.n, 2), np.nan)
        for position, j in enumerate(picked):
            places[found.rows, position] = found.points[:, j] if j >= 0 else 0.0
        names = [dataset.feature_names[j] if j >= 0 else "" for j in picked]
        scatter = self._view.scatter
        scatter.set_aspect_locked(dataset.d == 2)
        scatter.show_rows(scene, places, picked, names)

    @Slot()
    def _look(self) -> None:
        """Request the rows, where they are looked at and not there."""
        tools, scene = self._tools, self._tools.scene
        result, finder = scene.result, tools.finder
        if not self.on or not tools.needed or result is None:
            self._wanted = ()
            return
        why = tools.why_nothing()
        if why or finder is None:
            self._wanted = ()
            self._view.say(why)
            return
        view, most = scene.settings.view, result.scores.shape[1]
        self._view.show_components(view.denoised_from, most)
        k = min(view.denoised_from, most)
        wanted = finder, k, view.data_axes, view.image_size, scene.colors
        if wanted != self._wanted:
            self._wanted = wanted
            if not self._view.found_in_front:
                self._view.say(text.REBUILDING)
            self.requested.emit(DenoiseRequest(finder, k))

    @Slot(object)
    def _on_mode_changed(self, _mode: str) -> None:
        self._look()

    @Slot()
    def _on_data_requested(self) -> None:
        finder, k = self._tools.finder, int(self._view.row.value())
        if finder is not None:
            self.requested.emit(DenoiseRequest(finder, k, whole=True))
