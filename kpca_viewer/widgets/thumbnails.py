"""Small pictures of embeddings: sprites on the screen, real shapes on paper."""

from dataclasses import dataclass, replace

import numpy as np
from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QBrush, QColor, QImage, QPainter, QPixmap

from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.support.arrays import Array
from kpca_viewer.widgets.plots.cloud_drawing import (
    DrawnPoints,
    draw_shapes,
    draw_sprites,
)
from kpca_viewer.widgets.plots.coloring import Coloring, codes_with_rows
from kpca_viewer.widgets.plots.frame import (
    Frame,
    equal_ranges,
    fitted_range,
    fitted_ranges,
)
from kpca_viewer.widgets.plots.pixels import is_vector
from kpca_viewer.widgets.plots.sprites import (
    FADED,
    NORMAL,
    SELECTED,
    STATES,
    ColorKind,
    Palette,
    SpriteAtlas,
)
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.theme import LIGHT, Theme

FEWEST = 400
"""Points that a thumbnail shows at least, if there are so many."""


def dot_size(width: float, height: float, count: int) -> float:
    """Return a diameter that fills a picture of this size without drowning it."""
    ink = 0.22 * width * height / max(count, 1)
    return float(np.clip(ink**0.5, 2.2, 7.0))


@dataclass(frozen=True, eq=False)
class Shades:
    """What the colours of rows mean, for every picture of a sweep, and its scale."""

    kind: ColorKind = "single"
    codes: Array | None = None
    """Shape (n,). Of all rows of the data."""
    names: tuple[str, ...] = ()
    """Of the classes."""
    others: tuple[int, ...] = ()
    """Codes of the classes that share a grey."""
    subject: tuple[object, ...] | None = None
    """Which data the rows are of, where that matters."""
    fills: bool = False
    """Whether pictures fill their room; else a unit is equally long both ways."""

    @classmethod
    def of(cls, colors: Coloring | None, *, fills: bool = False) -> "Shades":
        """Take the colours that all plots have."""
        if colors is None:
            return cls(fills=fills)
        others = tuple(colors.others)
        return cls(colors.kind, colors.codes, colors.names, others, fills=fills)

    @classmethod
    def of_scene(cls, scene: Scene) -> "Shades":
        """Take the colours of the data in a scene; new rows are in no sweep."""
        shades = cls.of(scene.colors, fills=scene.settings.view.fills)
        if shades.codes is None or scene.dataset is None:
            return shades
        return replace(shades, codes=shades.codes[: scene.dataset.n])

    @property
    def drawn(self) -> set[int]:
        return set() if self.codes is None else codes_with_rows(self.codes)

    def is_like(self, other: "Shades") -> bool:
        return (
            (self.kind, self.names, self.subject, self.fills)
            == (other.kind, other.names, other.subject, other.fills)
        ) and (
            self.codes is other.codes
            or (
                self.codes is not None
                and other.codes is not None
                and np.array_equal(self.codes, other.codes, equal_nan=True)
            )
        )

    def of_point(self, point: SweepPoint) -> tuple[ColorKind, Array]:
        if self.codes is not None and len(self.codes) == point.n:
            return self.kind, self.codes[point.rows]
        # Other rows than those in the window: their classes are all that is known.
        if point.labels is not None:
            return "class", point.labels
        return "single", np.zeros(len(point.rows), dtype=np.int64)


class Thumbnails:
    """Draws pictures of a sweep, all with the same sprites."""

    def __init__(self, theme: Theme = LIGHT, shades: Shades | None = None) -> None:
        self._theme = theme
        self._shades = shades or Shades()
        self._palettes: dict[tuple[ColorKind, int], Palette] = {}
        self._atlases: dict[tuple[object, ...], SpriteAtlas] = {}

    def image(
        self,
        point: SweepPoint,
        size: QSize,
        ratio: float = 1.0,
        *,
        selected: Array | None = None,
        background: str = "",
    ) -> QImage:
        """Return a picture of a size in logical pixels, ``ratio`` device pixels each.

        Rows that are ``selected`` (n,) stand out; without a background it is
        transparent.
        """
        pixels = size * ratio
        image = QImage(pixels, QImage.Format.Format_ARGB32_Premultiplied)
        image.fill(QColor(background) if background else 0)
        with QPainter(image) as painter:
            area = QRectF(0, 0, pixels.width(), pixels.height())
            points = self._drawn(point, area, ratio, selected)
            if points is not None:
                draw_sprites(painter, points, self._atlas(points))
        image.setDevicePixelRatio(ratio)
        return image

    def draw(self, painter: QPainter, rect: QRectF, point: SweepPoint) -> None:
        if is_vector(painter):
            points = self._drawn(point, rect, 1.0, None)
            if points is not None:
                draw_shapes(painter, points)
            return
        size = QSize(int(rect.width()), int(rect.height()))
        if size.width() > 2 and size.height() > 2:
            transform = painter.deviceTransform()
            ratio = float(np.hypot(transform.m11(), transform.m12()))
            painter.drawImage(rect.topLeft(), self.image(point, size, ratio))

    def frame(self, point: SweepPoint, area: QRectF) -> Frame:
        margin = 4.0 + 0.02 * min(area.width(), area.height())
        width = max(area.width() - 2 * margin, 1.0)
        height = max(area.height() - 2 * margin, 1.0)
        if self._shades.fills:
            x, y = (fitted_range(point.thumbnail[:, j], 0.02) for j in (0, 1))
        else:
            wanted = fitted_ranges(point.thumbnail, 0.02)
            x, y = equal_ranges(*wanted, width, height)
        return Frame(area.left() + margin, area.top() + margin, width, height, x, y)

    def _drawn(
        self, point: SweepPoint, area: QRectF, ratio: float, selected: Array | None
    ) -> DrawnPoints | None:
        if not len(point.thumbnail):
            return None
        kind, codes = self._shades.of_point(point)
        palette = self._palette(kind, codes)
        size = dot_size(area.width() / ratio, area.height() / ratio, len(codes)) * ratio
        # More dots than a small picture can hold only cost time.
        step = max(1, len(codes) // max(FEWEST, int(area.width() * area.height() / 8)))
        chosen = np.arange(0, len(codes), step)
        frame = self.frame(point, area)
        pixels = frame.to_pixels(point.thumbnail[chosen].astype(np.float64))
        states = np.full(len(chosen), STATES.index(NORMAL))
        if selected is not None and len(selected) == point.n:
            mask = selected[point.rows[chosen]]
            states = np.where(mask, STATES.index(SELECTED), STATES.index(FADED))
            order = np.argsort(mask, kind="stable")
            chosen, pixels, states = chosen[order], pixels[order], states[order]
        finite = np.isfinite(pixels).all(axis=1)
        return DrawnPoints(
            pixels=pixels[finite],
            columns=palette.columns(codes[chosen])[finite],
            states=states[finite],
            levels=None,
            palette=palette,
            size=size,
            # Tiny points have no edge, it would eat them.
            rim=0.6 * ratio if size >= 4.5 * ratio else 0.0,
        )

    def _palette(self, kind: ColorKind, codes: Array) -> Palette:
        # All classes of the data, not only those in a sample: colours are shared.
        known = codes
        if self._shades.codes is not None and self._shades.kind == kind:
            known = self._shades.codes
        count = int(np.nanmax(known, initial=0)) + 1 if kind == "class" else 1
        key = (kind, count)
        if key not in self._palettes:
            others = self._shades.others if self._shades.kind == kind else ()
            self._palettes[key] = Palette.of(kind, count, self._theme, 0, others)
        return self._palettes[key]

    def _atlas(self, points: DrawnPoints) -> SpriteAtlas:
        # Half pixels are as exact as sprites are; a finer size would fill memory.
        size = round(2 * points.size) / 2
        key = (id(points.palette), size, points.rim)
        if key not in self._atlases:
            self._atlases[key] = SpriteAtlas(points.palette, size, points.rim)
        return self._atlases[key]


def draw_failure(
    painter: QPainter, rect: QRectF, theme: Theme, *, applies: bool = True
) -> None:
    """Mark a value without a picture: a cross, or hatching where none can be."""
    painter.save()
    if not applies:
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QBrush(QColor(theme.outline), Qt.BrushStyle.BDiagPattern))
        painter.drawRoundedRect(rect.adjusted(2, 2, -2, -2), 4, 4)
        painter.restore()
        return
    painter.setPen(QColor(theme.error))
    center = rect.center()
    for dx, dy in ((1, 1), (1, -1)):
        painter.drawLine(
            QPointF(center.x() - 5 * dx, center.y() - 5 * dy),
            QPointF(center.x() + 5 * dx, center.y() + 5 * dy),
        )
    painter.restore()


class PictureStore:
    """Draws the points of a sweep and keeps the last picture of each."""

    def __init__(self) -> None:
        self.thumbnails = Thumbnails()
        self._theme = LIGHT
        self._shades = Shades()
        self._selected: Array | None = None
        self._known: dict[int, tuple[SweepPoint, QSize, QPixmap]] = {}

    def set_theme(self, theme: Theme) -> None:
        self._theme = theme
        self._renew()

    def set_shades(self, shades: Shades) -> None:
        """Take the colours of the rows; the same change nothing."""
        if not shades.is_like(self._shades):
            self._shades = shades
            self._renew()

    def set_selected(self, mask: Array | None) -> None:
        self._selected = mask
        self.forget()

    def forget(self) -> None:
        self._known.clear()

    def draw(self, painter: QPainter, rect: QRectF, point: SweepPoint) -> None:
        size = QSize(int(rect.width()), int(rect.height()))
        ratio = painter.device().devicePixelRatioF()
        painter.drawPixmap(rect.topLeft(), self._pixmap(point, size, ratio))

    def _pixmap(self, point: SweepPoint, size: QSize, ratio: float) -> QPixmap:
        known = self._known.get(point.index)
        pixels = size * ratio
        # A point of another orientation is another object.
        if known is not None and known[0] is point and known[1] == pixels:
            return known[2]
        image = self.thumbnails.image(point, size, ratio, selected=self._selected)
        pixmap = QPixmap.fromImage(image)
        self._known[point.index] = (point, pixels, pixmap)
        return pixmap

    def _renew(self) -> None:
        self.thumbnails = Thumbnails(self._theme, self._shades)
        self.forget()
