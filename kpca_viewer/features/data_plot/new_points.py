"""Points that the person drops into the plane and drags through it."""

from dataclasses import replace
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QObject, Qt, Signal

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.text.describe import no_value_words, scores_text
from kpca_viewer.features.data_plot import text
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import data_value
from kpca_viewer.widgets.contributions import Plots
from kpca_viewer.widgets.joined_scatter import JoinedScatter, columns
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.scene import ShowsScene

FAR = 1e-3
"""Below this kernel value with every point, a new point is far from all data."""

MOST = 50


class NewPoints(ShowsScene, QObject):
    """Shows every new point in the data and its projections beside the rows."""

    requested = Signal(object, object)
    """Where the person wants the points, and the gesture, as the cards of the sidebar
    do."""
    part = attrgetter("result", "settings.view", "notes.new_points")

    def __init__(self, plots: Plots, linear: JoinedScatter) -> None:
        data = plots["data"].view
        super().__init__(data)
        self._data = data
        self._embedding = plots["embedding"].view
        self._linear = linear
        self._markers = plots["data"].markers.add()
        data.background_clicked.connect(self._on_background_clicked)
        self._markers.dragged.connect(self._on_marker_dragged)
        self._markers.removed.connect(self._on_marker_removed)
        data.nudged.connect(self._on_nudged)
        data.deleted.connect(self._on_deleted)

    @property
    def positions(self) -> tuple[Place, ...]:
        """Where the points are, in the units of the data."""
        return self.scene.notes.new_points

    def drop(self) -> None:
        """Put a new point into the middle of the data plot, moved by the keys."""
        self.put()
        self._data.canvas.setFocus(Qt.FocusReason.ShortcutFocusReason)

    def put(self) -> None:
        self._on_background_clicked(self._data.middle())

    def clear(self) -> None:
        self.requested.emit((), None)

    def refresh(self) -> None:
        """Project the points through the model of the scene."""
        result, view = self.scene.result, self.scene.settings.view
        if result is None:
            return
        if not self.positions or not self._possible():
            self._markers.show(())
            for plot in (self._embedding, self._linear):
                plot.set_markers([])
            return
        X = np.array(self.positions)
        far = result.nearness(X) < FAR
        taken, projected = result.takes(X), result.projected(X)
        scores, _ = columns(projected, view.axes, 3 if view.embedding_3d else 2)
        about = [
            f"{_about(result.dataset, place)}\n"
            + (scores_text(found, view.shown_axes) if known else _no_score(result))
            for place, found, known in zip(X, projected, taken, strict=True)
        ]
        in_data = _markers(X, far, about)
        for index in np.flatnonzero(~taken).tolist():
            in_data[index] = replace(in_data[index], label=text.NO_SCORE, warn=True)
        self._markers.show(in_data)
        # A projection may fall where no row is: the plots make room for it.
        found = _markers(scores, far, about)
        self._embedding.set_markers(
            [marker for marker, known in zip(found, taken, strict=True) if known],
            widen=True,
        )
        linear = result.project_linearly(X)
        if linear is not None and result.linear is not None:
            beside = result.linear.plane_beside(view)
            plane, _ = columns(linear, beside, 2)
            placed = zip(_markers(plane, far, about), plane, strict=True)
            self._linear.set_markers(
                [marker for marker, at in placed if np.isfinite(at).all()], widen=True
            )

    def _possible(self) -> bool:
        result = self.scene.result
        plane = self.scene.settings.view.data_axes in (None, (0, 1, 2))
        return (
            result is not None
            and result.kernel is not None
            and result.dataset.d == 2
            and plane
        )

    def _on_background_clicked(self, position: Place) -> None:
        if self._possible() and len(self.positions) < MOST:
            self.requested.emit((*self.positions, position), None)

    def _on_marker_dragged(self, index: int, position: Place) -> None:
        before, after = self.positions[:index], self.positions[index + 1 :]
        # One drag is one step of the history.
        self.requested.emit((*before, position, *after), f"new point {index}")

    def _on_nudged(self, shift: Place) -> None:
        # While points are drawn, keys are for points of the data.
        if self.positions and not self._data.canvas.has_pointer_tool:
            (x, y), (dx, dy) = self.positions[-1], shift
            self._on_marker_dragged(len(self.positions) - 1, (x + dx, y + dy))

    def _on_deleted(self) -> None:
        if self.positions and not self._data.canvas.has_pointer_tool:
            self._on_marker_removed(len(self.positions) - 1)

    def _on_marker_removed(self, index: int) -> None:
        before, after = self.positions[:index], self.positions[index + 1 :]
        self.requested.emit((*before, *after), None)


def _markers(places: Array, far: Array, about: list[str]) -> list[Marker]:
    """Return markers at places (m, 2 or 3), warned about where they are far (m,)."""
    return [
        Marker(
            tuple(map(float, place)),
            text.FAR_FROM_DATA if warn else text.NEW.format(number=number),
            bool(warn),
            f"{text.NEW.format(number=number)}\n{values}",
        )
        for number, (place, warn, values) in enumerate(
            zip(places, far, about, strict=True), start=1
        )
    ]


def _no_score(result: AnalysisResult) -> str:
    return text.WHY_NO_SCORE.format(why=no_value_words(result))


def _about(dataset: Dataset, place: Array) -> str:
    return "\n".join(
        f"{name} = {data_value(float(value))}"
        for name, value in zip(dataset.feature_names, place, strict=True)
    )
