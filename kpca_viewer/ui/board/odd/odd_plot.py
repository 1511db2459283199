"""Leverage against distance to the model, with limits: every row once more."""

from dataclasses import replace

import numpy as np

from kpca_viewer.core.diagnostics import Limit
from kpca_viewer.session.odd_rows.values import OddList, OddRows
from kpca_viewer.session.odd_rows.words import NO_DISTANCE
from kpca_viewer.support.numerals import percent
from kpca_viewer.ui.board.joined_scatter import JoinedScatter
from kpca_viewer.ui.plots.frame import Floats
from kpca_viewer.ui.plots.limit_lines import LimitLine, LimitLinesItem
from kpca_viewer.ui.plots.linking import Linking
from kpca_viewer.ui.scene import Scene

NAMED = 5
"""Rows beyond a limit that have their names beside them."""

FARTHEST = 2.0
"""Times the largest value of the rows, up to which a limit widens the plot."""


class OddPlot(JoinedScatter):
    """The rows by T² and SPE; the oddest have their names beside them."""

    def __init__(self, linking: Linking) -> None:
        self._oddest: tuple[int, ...] = ()
        self._corners: Floats = np.empty((0, 2))
        super().__init__("odd_view", "Leverage and distance to the model", linking)
        self.limits = LimitLinesItem()
        self.area.add_framed(self.limits)

    def show_odd(self, scene: Scene, odd: OddRows, listed: OddList | None) -> None:
        """Show rows where their numbers put them."""
        t2, spe = odd.numbers.t2, odd.numbers.spe
        names = ["Leverage T²", "Distance to the model SPE"]
        if spe is None:
            names[1] = f"Row ({NO_DISTANCE})"
        across = np.arange(1.0, len(t2) + 1) if spe is None else spe
        shuffled = None if listed is None else listed.shuffled
        pairs = [((odd.t2_limit, odd.spe_limit), "dashed")]
        if shuffled is not None:
            pairs.append((shuffled, "dotted"))
        lines = tuple(
            LimitLine("x" if j == 0 else "y", limit.value, _words(limit), stroke)  # type: ignore[arg-type]
            for limits, stroke in pairs
            for j, limit in enumerate(limits)
            if limit is not None
        )
        order = np.argsort(-odd.oddness, kind="stable")[:NAMED]
        self._oddest = tuple(int(row) for row in order if odd.oddness[row] > 1)
        fits_anew = self._take_limits(lines, t2, across)
        self.show_rows(scene, np.column_stack((t2, across)), names, names)
        if fits_anew and not self.zoomed:
            self._fit()
            self._show(self._places())

    def _take_limits(
        self, lines: tuple[LimitLine, ...], t2: Floats, across: Floats
    ) -> bool:
        """Draw other lines; returns whether the plot has to reach elsewhere."""
        self.limits.set_lines(lines)
        most = {"x": t2.max(initial=0.0), "y": across.max(initial=0.0)}
        corners = np.array(
            [
                (line.value, across[0]) if line.axis == "x" else (t2[0], line.value)
                for line in lines
                if line.value <= FARTHEST * most[line.axis]
            ]
        ).reshape(-1, 2)
        changed = not np.array_equal(corners, self._corners)
        self._corners = corners
        return changed

    def show_nothing(self, why: str, axes: tuple[str, str] = ("", "")) -> None:
        """Show an empty plot that says why it is empty."""
        self._oddest, self._corners = (), np.empty((0, 2))
        self.limits.set_lines(())
        super().show_nothing(why, axes)

    def _fit(self) -> None:
        """Choose ranges that show every point and limit."""
        points = self._coordinates
        if len(points) and points.shape[1] == 2:
            points = np.vstack((points, self._corners))
        self.area.fit(points, locked=False)

    def _show_labels(self) -> None:
        """Write the names of the oddest rows beside them, before those of others."""
        super()._show_labels()
        labels = self.area.cloud.labels
        dataset = self._scene.dataset
        if dataset is None or not self.point_count:
            return
        first = dict.fromkeys((*labels.first, *self._oddest))
        known = tuple(row for row in first if row < dataset.n)
        self.area.cloud.set_labels(replace(labels, first=known))


def _words(limit: Limit) -> str:
    """Return what a limit is, in a plot: "95 % of rows", "95 % shuffled"."""
    level = percent(limit.level, 0)
    return f"{level} of rows" if limit.how == "empirical" else f"{level} shuffled"
