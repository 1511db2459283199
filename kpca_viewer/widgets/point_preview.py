"""PointPreview: a computed point in the embedding for a moment."""

from dataclasses import replace

from kpca_viewer.engine.sweep.point import SweepPoint
from kpca_viewer.support.numerals import percent
from kpca_viewer.widgets.plots.coloring import coloring
from kpca_viewer.widgets.scatter_panel import ScatterPanel

CLICK = "Taking it computes all digits."


class PointPreview:
    """Shows a point of a sweep in the embedding, then the result again."""

    def __init__(self, panel: ScatterPanel) -> None:
        self._panel = panel

    def show(
        self, point: SweepPoint, text: str, *, animate: bool, own_axes: bool = False
    ) -> bool:
        """Show a point on its own axes or those of the view; False where that fails."""
        result, view = self._panel.scene.result, self._panel.scene.settings.view
        if result is None or point.film is None or point.n != result.dataset.n:
            return False
        count = len(view.shown_axes)
        axes = point.settings.view.axes[:count]
        if axes != view.shown_axes and not own_axes:
            return False
        coordinates = point.film[:, :count]
        names = [
            f"PC {axis + 1} ({percent(float(point.shares[axis]))})"
            if axis < len(point.shares)
            else "–"
            for axis in axes
        ]
        if not self._panel.shows_preview:
            # New points stand where the kernel that is set has put them.
            self._panel.view.area.show_markers(False)
        moves = animate and view.motion
        if result.joined is None or self._panel.shows_preview:
            self._panel.view.set_points(coordinates, names, animate=moves)
        else:
            # A film knows nothing of new rows.
            colors = coloring(replace(result, joined=None), view)
            self._panel.view.show_film(coordinates, names, colors, animate=moves)
        self._panel.set_note(text)
        self._panel.set_caption(f"Preview of {text}, to three digits.", tip=CLICK)
        self._panel.shows_preview = True
        return True

    def clear(self) -> None:
        if self._panel.shows_preview:
            self._panel.refresh()
