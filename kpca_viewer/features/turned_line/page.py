"""The page with a line to turn, joined to the scene."""

from operator import attrgetter

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.features.turned_line import text
from kpca_viewer.features.turned_line.compute import PlaneRows, is_plane, plane_rows
from kpca_viewer.features.turned_line.view import TurnedLineView
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes


class TurnedLinePage(PageView):
    """A line through the mean of plane data; `ViewSettings.line_angle` is its angle."""

    part = attrgetter("dataset", "linear", "settings.view.line_angle")

    def __init__(self, _linking: Linking, changes: Changes) -> None:
        self.view: TurnedLineView = TurnedLineView()
        self._changes = changes
        self._known: tuple[object, PlaneRows, float] | None = None
        self.view.turned.connect(self._on_turned)

    def draw(self, result: AnalysisResult) -> None:
        if not is_plane(result):
            self.view.show_why_not(text.NOT_A_PLANE)
            return
        rows, _ = self._rows(result)
        self.view.show_line(rows, self.scene.settings.view.line_angle)
        self.view.setAccessibleDescription(self.caption(result).text)

    def draw_nothing(self) -> None:
        self.view.show_why_not("")

    def caption(self, result: AnalysisResult) -> CaptionWords:
        if not is_plane(result):
            return CaptionWords()
        rows, best = self._rows(result)
        return CaptionWords(
            text.caption(rows, self.scene.settings.view.line_angle, best)
        )

    def _rows(self, result: AnalysisResult) -> tuple[PlaneRows, float]:
        """Return the rows and the best accuracy of any direction, found once."""
        if self._known is None or self._known[0] != (result.dataset, result.linear):
            rows = plane_rows(result)
            self._known = (result.dataset, result.linear), rows, rows.best()
        return self._known[1:]

    def _on_turned(self, angle: float, held: bool) -> None:
        settings = self.scene.settings.with_view(line_angle=angle)
        self._changes.request(settings, "turned line")
        if not held:
            self._changes.gesture_ended.emit()
