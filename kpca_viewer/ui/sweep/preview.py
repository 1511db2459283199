"""Preview: a value of a sweep in the embedding for a moment, without computing it."""

from dataclasses import replace

from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.session.sweep.point import SweepPoint
from kpca_viewer.ui.board.embedding_panel import EmbeddingPanel
from kpca_viewer.ui.plots.coloring import coloring
from kpca_viewer.ui.words.describe import percent

CLICK = "Taking it computes all digits."


class Preview:
    """Lends the embedding to a sweep and gives it back.

    Parameters
    ----------
    panel : EmbeddingPanel
    """

    def __init__(self, panel: EmbeddingPanel) -> None:
        self._panel = panel
        self._result: AnalysisResult | None = None
        self._settings = SessionSettings()
        self._shown = False

    @property
    def active(self) -> bool:
        """Whether the embedding shows a preview."""
        return self._shown

    def set_context(self, result: AnalysisResult, settings: SessionSettings) -> None:
        """Take note of the real picture; whoever calls this has just shown it."""
        self._result, self._settings = result, settings
        self._shown = False
        self._panel.set_note("")
        self._panel.view.area.show_markers(True)

    def show(self, point: SweepPoint, text: str, *, animate: bool) -> bool:
        """Show a point; returns False where that is not possible."""
        result = self._result
        if result is None or point.film is None or point.n != result.dataset.n:
            return False
        view = self._settings.view
        count = len(view.shown_axes)
        if point.settings.view.axes[:count] != view.shown_axes:
            return False
        coordinates = point.film[:, :count]
        names = [
            f"PC {axis + 1} ({percent(float(point.shares[axis]))})"
            if axis < len(point.shares)
            else "–"
            for axis in view.shown_axes
        ]
        if not self._shown:
            # New points stand where the kernel that is set has put them.
            self._panel.view.area.show_markers(False)
        moves = animate and view.motion
        if result.joined is None:
            self._panel.view.set_points(coordinates, names, animate=moves)
        else:
            # A film knows nothing of new rows.
            colors = coloring(replace(result, joined=None), view)
            self._panel.view.show_film(coordinates, names, colors, animate=moves)
        self._panel.set_note(text)
        self._panel.set_caption(f"Preview of {text}, to three digits.", tip=CLICK)
        self._shown = True
        return True

    def clear(self) -> None:
        """Give the embedding back to the real picture."""
        if not self._shown or self._result is None:
            return
        self._shown = False
        self._panel.set_note("")
        self._panel.view.area.show_markers(True)
        colors = coloring(self._result, self._settings.view)
        self._panel.show_result(self._result, self._settings, colors, animate=True)
