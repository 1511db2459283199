"""The page of odd rows, joined to scene and linking."""

from dataclasses import replace
from operator import attrgetter

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.text.describe import components_text
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.outliers.compute import OddList
from kpca_viewer.features.outliers.stages import ODD_LIST, ODD_ROWS, with_dropped
from kpca_viewer.features.outliers.text import (
    ONE_ROW,
    explanation,
    oddness_text,
    summary,
)
from kpca_viewer.features.outliers.view import OddRowsView
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking, Mask
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.scene import Changes

MEASURING = "The rows are measured for this page …"


class OddRowsPage(PageView):
    """Leverage against distance to the model, and the rows to look at first."""

    part = attrgetter("result", "colors", "settings.view", "notes.new_points")
    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: OddRowsView = OddRowsView(linking)
        self._listed: tuple[OddList, tuple[object, ...], OddList] | None = None
        self._linking = linking
        self._changes = changes
        self.scatters: tuple[JoinedScatter, ...] = (self.view.plot,)
        self.view.text_copied.connect(changes.text_copied)
        self.tool: Segmented = Segmented(
            [
                ("shown", "Shown", "By the components that the embedding shows"),
                ("all", "All", "By all components that were computed"),
            ],
            "Components that make rows odd",
        )
        self.tool.setObjectName("odd_by_tool")
        self.tool.value_changed.connect(self._on_tool_changed)
        rows = self.view.list
        rows.row_hovered.connect(linking.set_hovered)
        rows.rows_chosen.connect(self._on_rows_chosen)
        linking.hovered_changed.connect(rows.set_hovered)
        linking.selection_changed.connect(rows.set_selected)
        linking.names_changed.connect(self._on_names_changed)

    def draw(self, result: AnalysisResult) -> None:
        """Draw what was measured; while a slider moves, the list waits."""
        view, odd = self.view, result.all_rows.get(ODD_ROWS)
        self.tool.set_value(self.scene.settings.view.odd_by)
        if odd is None:
            if not self._is_about(result):
                view.plot.show_nothing(MEASURING)
                view.show_list(None, {})
            return
        if result.dataset.n == 1:
            view.plot.show_nothing(ONE_ROW)
            view.show_list(OddList(odd, (), None), {})
            return
        listed = self._list_of(result)
        view.plot.show_odd(self.scene, odd, listed)
        self._show_markers(result)
        if listed is not None:
            if listed is not view.listed:
                view.show_list(listed, self._names_of(result, listed))
                # Dropped points are counted, and may be all that is new.
                self.caption_changed()
            view.set_late(False)
        elif self._is_about(result):
            view.set_late(True)
        else:
            view.show_list(None, {})
        view.list.set_selected(self._linking.selection)

    def draw_nothing(self) -> None:
        self.view.plot.show_nothing("")
        self.view.show_list(None, {})

    def is_late(self) -> bool:
        """Return whether the rows shown are not measured yet."""
        result = self.scene.result
        waits = result is not None and result.get(ODD_ROWS) is None
        return waits and self.view.plot.point_count > 0

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Return how many rows lie beyond the limits, and which limits these are."""
        odd, listed = result.all_rows.get(ODD_ROWS), self._list_of(result)
        odd = odd if listed is None else listed.of
        if odd is None or result.dataset.n == 1:
            return CaptionWords("", more_follows=odd is None)
        words = f"{components_text(odd.components)}: {summary(odd)}"
        about = explanation(odd, listed)
        terms = tip("leverage", "distance_to_model")
        return CaptionWords(words, f"{about}\n{terms}", more_follows=listed is None)

    def _list_of(self, result: AnalysisResult) -> OddList | None:
        """Return the list of a result with dropped points; None while it is made."""
        listed, places = result.get(ODD_LIST), self.scene.notes.new_points
        if listed is None:
            return None
        known = self._listed
        if known is None or known[0] is not listed or known[1] != places:
            known = listed, places, with_dropped(result, listed, places)
            self._listed = known
        return known[2]

    def _is_about(self, result: AnalysisResult) -> bool:
        """Return whether what is listed are rows of this result."""
        listed = self.view.listed
        return listed is not None and listed.of.fitted == result.dataset.n

    def _names_of(self, result: AnalysisResult, listed: OddList) -> dict[int, str]:
        """Return what the rows of a list are called."""
        given, n = self._linking.names, result.dataset.n
        joined = result.all_rows.dataset.n
        names = {}
        for row in (each.row for each in listed.rows):
            new = result.new_rows
            if row < n:
                names[row] = given.get(row) or result.dataset.row_text(row)
            elif new is not None and row < joined:
                names[row] = f"new {new.row_text(row - n)}"
            else:
                names[row] = _dropped_name(row - joined)
        return names

    def _show_markers(self, result: AnalysisResult) -> None:
        """Show points that were dropped into the data where the model puts them."""
        places = self.scene.notes.new_points
        every = with_points(result, places).all_rows
        odd, fitted = every.get(ODD_ROWS), result.all_rows.get(ODD_ROWS)
        before = 0 if fitted is None else len(fitted.oddness)
        if odd is None or len(odd.oddness) == before:
            self.view.plot.set_markers([])
            return
        spe = odd.numbers.spe
        markers = []
        for number, row in enumerate(range(before, len(odd.oddness))):
            across = every.dataset.row_number(row) if spe is None else spe[row]
            place = float(odd.numbers.t2[row]), float(across)
            name = _dropped_name(number)
            about = f"{name}\n{oddness_text(odd, row)}"
            markers.append(Marker(place, name, False, about))
        self.view.plot.set_markers(markers, widen=True)

    def _on_tool_changed(self, key: str) -> None:
        settings = self.scene.settings
        view = replace(settings.view, odd_by=key)  # type: ignore[arg-type]
        self._changes.request(replace(settings, view=view))

    def _on_rows_chosen(self, rows: NDArray[np.int64]) -> None:
        mask: Mask = np.zeros(self._linking.count, dtype=bool)
        # A selection is one of rows of the data.
        mask[rows[rows < len(mask)]] = True
        self._linking.apply_selection(mask)

    def _on_names_changed(self, _names: object) -> None:
        result, listed = self.scene.result, self.view.listed
        if (
            result is not None
            and listed is not None
            and self._list_of(result) is listed
        ):
            self.view.show_list(listed, self._names_of(result, listed))


def _dropped_name(index: int) -> str:
    """Return what a dropped point is called where it lies in the data."""
    return f"new {index + 1}"
