"""What there is to export: one value for all pages of the panel."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, QSizeF
from PySide6.QtGui import QColor, QPainter

from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.feature import Plot
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.stage import Stages
from kpca_viewer.engine.sweep.point import SweepResult
from kpca_viewer.engine.text.remarks import strip_words
from kpca_viewer.export.code_data import safe_name
from kpca_viewer.export.compose import PrintedLegend, PrintedLegendEntry, composed
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.export.text import caption
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.picture_sources import Paintable, Worded
from kpca_viewer.widgets.plots.coloring import Coloring
from kpca_viewer.widgets.plots.point_cloud import DENSITY_LIMIT
from kpca_viewer.widgets.plots.sprites import (
    NORMAL,
    SHAPE_COUNT,
    SIZES,
    Palette,
    shape_path,
)
from kpca_viewer.widgets.plots.text import printed_type
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.theme import LIGHT, Theme


@dataclass(frozen=True, eq=False)
class ExportContent:
    """A scene with a result, and what the window knows besides."""

    scene: Scene
    selection: NDArray[Any] | None
    """Shape (n,)."""
    document: Document
    """The session, with the settings of the moment and the file of the data."""
    hidden: Collection[int] = ()
    """Classes that are hidden."""
    stages: Stages = ()
    """What can be computed for the rows of a table."""
    sweep: SweepResult | None = None
    """What the window has swept."""

    @property
    def result(self) -> AnalysisResult:
        assert self.scene.result is not None
        return self.scene.result

    @property
    def selected(self) -> int:
        return 0 if self.selection is None else int(self.selection.sum())

    def title_of(self, plot: Plot) -> str:
        name = " ".join(self.result.dataset.name.split())
        return f"{name}: {plot.of_data}" if plot.of_data else name

    def file_name(self, what: str, ending: str) -> str:
        """Return a name for a file, without a folder."""
        return f"{safe_name(self.result.dataset.name)} {what}.{ending}"


_SWATCH = 4.5
_LEFT = 0.75
"""Of the width, beside a legend."""


def ink_of(spec: ImageSpec, theme: Theme) -> Theme:
    """Return the theme in which a picture is painted: white paper wants dark ink."""
    return LIGHT if spec.background == "white" else theme


def paper_theme(theme: Theme, colors: Coloring) -> Theme:
    """Return a theme in which all classes are told apart, in other shapes if need be.

    Density pictures have no shapes, and shapes that mean something keep their meaning.
    """
    dense = len(colors.codes) > DENSITY_LIMIT and colors.sizes is None
    if not colors.others or colors.shapes is not None or dense:
        return theme
    return replace(theme, shaped=True)


class ComposedPicture:
    """Everything that a picture shows; `paint` is what `save_image` wants."""

    def __init__(
        self,
        plot: Plot,
        source: Paintable,
        spec: ImageSpec,
        content: ExportContent,
    ) -> None:
        self._source, self._family = source, spec.family
        self._theme = content.scene.theme
        ink = ink_of(spec, self._theme)
        legend, colors = PrintedLegend(), content.scene.colors
        has_colors = getattr(source, "has_colors", lambda _width: True)
        if (
            plot.has_legend
            and has_colors(_LEFT * spec.layout[0])
            and colors is not None
        ):
            ink = paper_theme(ink, colors)
            legend = legend_of(colors, ink, content.hidden)
        self._ink = ink
        above = content.title_of(plot)
        below, warning = caption(content.result), strip_words(content.result)
        if isinstance(source, Worded):
            above, below, warning = source.title(), source.caption(), source.warning()
        self._composition = composed(
            spec,
            self._plot,
            title=above,
            caption=below,
            warning=warning,
            legend=legend,
            fitted=getattr(source, "fitted", QSizeF),
            ink=QColor(ink.text),
            muted=QColor(ink.muted),
            paper=QColor(ink.card) if spec.background == "theme" else None,
        )

    def paint(self, painter: QPainter, rect: QRectF) -> Iterator[None]:
        """Paint the picture into a rectangle of layout units, in portions.

        Between two of them the source has the theme of the window.
        """
        set_theme = getattr(self._source, "set_theme", _ignore)
        portions = self._composition.paint(painter, rect)
        while True:
            set_theme(self._ink)
            try:
                with printed_type(self._family):
                    next(portions)
            except StopIteration:
                return
            finally:
                if self._ink is not self._theme:
                    set_theme(self._theme)
            yield

    def _plot(self, painter: QPainter, rect: QRectF) -> Iterator[None] | None:
        return self._source.render_to(painter, rect, background=False)


def _ignore(_theme: Theme) -> None:
    """Paint as ever: the source has no colours of its own."""


def legend_of(
    colors: Coloring, theme: Theme, hidden: Collection[int] = ()
) -> PrintedLegend:
    shapes = tuple(
        PrintedLegendEntry(name, QColor(theme.muted), shape_path(code, _SWATCH))
        for code, name in enumerate(colors.drawn_shape_names[:SHAPE_COUNT])
        if name
    ) + _ends_of_sizes(colors, theme)
    if colors.kind == "single":
        return PrintedLegend(shapes)
    forms = len(colors.shape_names)
    palette = Palette.of(colors.kind, len(colors.names), theme, forms, colors.others)
    if colors.kind == "continuous":
        return PrintedLegend(
            shapes,
            colors=tuple(
                QColor(*map(int, rgb))
                for rgb in palette.colors[: -palette.each : palette.each * 5]
            ),
            title=colors.title,
            low=colors.ends[0],
            high=colors.ends[1],
        )
    entries = []
    codes = [*sorted(colors.drawn), *([-1] if (colors.codes < 0).any() else [])]
    for code in codes:
        if code in hidden:
            continue
        column = int(palette.columns(np.array([code]))[0])
        color = QColor(*map(int, palette.colors[column]))
        color.setAlphaF(NORMAL.body)
        shape = shape_path(int(palette.shapes[column]), _SWATCH)
        name = colors.names[code] if code >= 0 else "no label"
        entries.append(PrintedLegendEntry(name, color, shape))
    return PrintedLegend((*entries, *shapes))


def _ends_of_sizes(colors: Coloring, theme: Theme) -> tuple[PrintedLegendEntry, ...]:
    sizes = colors.sizes
    if sizes is None:
        return ()
    usual = _SWATCH / float(SIZES.scales[-1])
    return tuple(
        PrintedLegendEntry(
            f"{sizes.title} = {ungrouped(number)}",
            QColor(theme.muted),
            shape_path(0, usual * float(scale)),
        )
        for number, scale in zip(
            (sizes.low, sizes.high), SIZES.scales[[0, -1]], strict=True
        )
    )
