"""The page of linear PCA."""

from operator import attrgetter

import numpy as np

from kpca_viewer.engine.comparison import LinearPCA
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import (
    NOTHING_DRAWN,
    components_text,
    new_rows_words,
    quality_line,
    quality_tip,
)
from kpca_viewer.engine.text.remarks import about_equal_linear
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes


class LinearPage(PageView):
    """The same rows by linear PCA, and the verdict on the kernel."""

    part = attrgetter("linear", "all_rows", "colors", "settings.view")

    def __init__(self, linking: Linking, _changes: Changes) -> None:
        self.view: JoinedScatter = JoinedScatter("pca_view", "Linear PCA", linking)
        self.scatters: tuple[JoinedScatter, ...] = (self.view,)
        self._drawn: LinearPCA | None = None

    def draw(self, result: AnalysisResult) -> None:
        """Draw linear PCA on as many components as the embedding shows, two of them."""
        linear = result.linear
        if linear is None:
            self.view.show_nothing("A given matrix has no linear PCA")
            return
        view = self.scene.settings.view
        plane = linear.plane_beside(view)
        everything = result.all_rows.linear or linear
        coordinates, picked = self.view.columns_of(everything.scores, plane, 2)
        names = [
            f"PC {j + 1} ({percent(linear.shares[j])})" if j >= 0 else "–"
            for j in picked
        ]
        self.view.set_aspect_locked(not view.fills)
        before, self._drawn = self._drawn, linear
        zoomed = self.view.view_range() if self.view.zoomed else None
        self.view.show_rows(self.scene, coordinates, picked, names)
        if zoomed is not None and before is not None and before.shares is linear.shares:
            # The same components, some the other way round: so is what is looked at.
            signs = np.sign((before.directions * linear.directions).sum(axis=0))
            ranges = [
                (low, high) if j < 0 or signs[j] >= 0 else (-high, -low)
                for (low, high), j in zip(zoomed, picked, strict=True)
            ]
            self.view.set_view_range(ranges[0], ranges[1])

    def draw_nothing(self) -> None:
        self.view.show_nothing(NOTHING_DRAWN)

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return shares and scores; the verdict stands above the stage."""
        linear, comparison = result.linear, result.comparison
        quality = None if comparison is None else comparison.linear
        about, more_follows = quality_tip(quality), comparison is None
        if linear is None:
            return CaptionWords("", about, more_follows)
        view = self.scene.settings.view
        if nothing := about_equal_linear(linear):
            return CaptionWords(nothing, about, more_follows)
        axes = linear.axes_beside(view)
        share = float(linear.shares[axes].sum())
        line = quality_line(share, quality)
        if len(axes) > 2:
            # Only two of them can be seen here; the numbers are of all.
            line = f"{components_text(axes)}: {line}"
        if result.new_accuracy is not None:
            line += f" · {new_rows_words(result.new_accuracy, 'linear')}"
        return CaptionWords(line, about, more_follows)
