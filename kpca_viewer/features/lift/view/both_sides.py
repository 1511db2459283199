"""Both sides of the kernel: the two points in the data plot, and their window."""

from dataclasses import replace
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QObject
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.notes import Place
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import Pair
from kpca_viewer.engine.text.describe import row_name
from kpca_viewer.features.lift.both_sides import BothSides
from kpca_viewer.features.lift.maps import variables_of
from kpca_viewer.features.lift.pair import first_pair, first_rows
from kpca_viewer.features.lift.view.both_sides_window import BothSidesWindow
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.scene import Changes, Scene, ShowsScene

MATRIX = "A given matrix has no kernel to compute by hand; open points."


class BothSidesTool(ShowsScene, QObject):
    """Opens the window, and lets it follow points, kernel and selection.

    In a plane the two points are places that can be dragged and typed; the window is
    there as long as they are. Elsewhere they are two rows.

    Parameters
    ----------
    owner : QWidget
        Nothing opens before it is seen.
    beside : QWidget
        What the window must not cover.

    Attributes
    ----------
    window : BothSidesWindow or None
        None until it was wanted.
    """

    part = attrgetter("result", "settings.view.pair")

    def __init__(
        self, owner: QWidget, beside: QWidget, linking: Linking, changes: Changes
    ) -> None:
        super().__init__(owner)
        self._owner = owner
        self._beside = beside
        self._linking = linking
        self._changes = changes
        self._of_rows = False
        self.window: BothSidesWindow | None = None
        linking.selection_changed.connect(self._on_selection_changed)

    def open(self) -> None:
        """Compute both sides of two points."""
        result = self.scene.result
        if result is None:
            return
        if _is_plane(result):
            if self.scene.settings.view.pair is None:
                self._change(first_pair(result.dataset))
        else:
            self._of_rows = True
            self.refresh()
        if self.window is not None and self.window.isVisible():
            self.window.raise_()
            self.window.activateWindow()

    def move(self, which: int, place: Place, gesture: str | None = None) -> None:
        """Ask for one of the two points elsewhere."""
        pair = self.scene.settings.view.pair
        if pair is not None:
            x, y = (float(value) for value in place)
            self._change(
                ((x, y), pair[1]) if which == 0 else (pair[0], (x, y)), gesture
            )

    def refresh(self) -> None:
        """Compute again, if anybody looks; of an empty plane nothing is shown."""
        result = self.scene.result
        if result is None:
            self._hide()
            return
        pair = self.scene.settings.view.pair
        plane = _is_plane(result)
        self._of_rows &= not plane
        wanted = pair is not None if plane else self._of_rows
        if wanted and self._owner.isVisible():
            self._show(result, pair if plane else None)
        else:
            self._hide()

    def _hide(self) -> None:
        if self.window is not None and self.window.isVisible():
            self.window.hide()

    def _show(self, result: AnalysisResult, pair: Pair | None) -> None:
        window = self.window or self._made()
        dataset, kernel = result.dataset, result.kernel
        if kernel is None:
            window.show_points(None, (), "")
            window.show_why_not(MATRIX)
        else:
            rows = first_rows(dataset, self._linking.selection)
            places = dataset.points[list(rows)] if pair is None else np.array(pair)
            seen = result.scaler.apply(places)
            names = [f"x{j + 1}" for j in range(dataset.d)]
            if pair is not None:
                names = list(variables_of(dataset))
            words = _where(result, rows, seen, pair)
            window.show_points(pair, dataset.feature_names[:2], words)
            try:
                window.show_sides(BothSides.of(kernel, *seen), names)
            except KpcaError as error:
                window.show_why_not(str(error))
        if not window.isVisible():
            # The plot whose points are dragged stays in sight.
            window.stand_beside(self._beside)
            window.show()

    def _made(self) -> BothSidesWindow:
        window = self.window = BothSidesWindow(self._owner.window())
        window.moved.connect(self.move)
        window.refused.connect(self._changes.refused)
        window.closed.connect(self._on_closed)
        # What was typed or dragged is undone from either window.
        for key in ("undo", "redo"):
            action = self._owner.window().findChild(QAction, f"{key}_action")
            if action is not None:
                window.addAction(action)
        return window

    def _change(self, pair: Pair | None, gesture: str | None = None) -> None:
        settings = self.scene.settings
        view = replace(settings.view, pair=pair)
        self._changes.request(replace(settings, view=view), gesture)

    def _on_closed(self) -> None:
        self._of_rows = False
        if self.scene.settings.view.pair is not None:
            self._change(None)

    def _on_selection_changed(self) -> None:
        if self._of_rows:
            self.refresh()


def pair_markers(scene: Scene) -> list[Marker]:
    """Return the two points as the data plot shows them; none where nobody asks."""
    pair, result = scene.settings.view.pair, scene.result
    if pair is None or result is None or not _is_plane(result):
        return []
    if scene.settings.view.data_axes not in (None, (0, 1, 2)):
        return []
    names = result.dataset.feature_names
    return [
        Marker(
            place,
            point,
            about="\n".join(
                [
                    f"{point} of both sides",
                    *(
                        f"{name} = {readable(value)}"
                        for name, value in zip(names, place, strict=True)
                    ),
                ]
            ),
        )
        for point, place in zip("ab", pair, strict=True)
    ]


def _is_plane(result: AnalysisResult) -> bool:
    return result.kernel is not None and result.dataset.d == 2


def _where(
    result: AnalysisResult, rows: tuple[int, int], seen: np.ndarray, pair: Pair | None
) -> str:
    """Say what the points are, where fields do not."""
    if pair is None:
        first, second = (row_name(result, row) for row in rows)
        return f"a is {first}, b is {second}; select two rows to compare those."
    if result.settings.data.scaling == "none":
        return ""
    a, b = (f"({readable(x)}, {readable(y)})" for x, y in seen.tolist())
    return f"Scaled, as the kernel sees them: a = {a}, b = {b}."
