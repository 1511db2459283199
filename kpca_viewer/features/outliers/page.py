"""The page of odd rows: leverage against distance to the model, and a list."""

from dataclasses import replace
from operator import attrgetter
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from kpca_viewer.core.methods.outliers import Limit
from kpca_viewer.data.dataset import row_numbers
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.text.describe import components_text, describe_row
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.outliers.compute import LISTED, OddList, OddRows
from kpca_viewer.features.outliers.outlier_list import OddListTable
from kpca_viewer.features.outliers.stages import ODD_LIST, ODD_ROWS, with_dropped
from kpca_viewer.features.outliers.text import (
    ONE_ROW,
    as_table,
    explanation,
    oddness_text,
    summary,
)
from kpca_viewer.support.numerals import counted
from kpca_viewer.widgets.controls import ElidedLabel, IconButton, Segmented
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.page_view import CaptionWords, PageView
from kpca_viewer.widgets.plots.frame import Floats, with_markers
from kpca_viewer.widgets.plots.linking import Linking, Mask
from kpca_viewer.widgets.plots.markers import Marker
from kpca_viewer.widgets.plots.overlay import LimitLine, LimitLinesItem
from kpca_viewer.widgets.plots.row_labels import RowLabels
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.theme import Theme

NAMED = 5
"""Rows beyond a limit that have their names beside them."""

_AROUND, _LOWEST = 70, 60
"""Pixels of the height that axes take, and that are there at least."""

_OVER = 1.6
"""Heights of the key above the points, which have names beside them."""

FARTHEST = 2.0
"""Times the largest value of the rows, up to which a limit widens the plot."""


class OddPlot(JoinedScatter):
    """The rows by T² and SPE; the oddest have their names beside them."""

    # It is small, and a picture would cover it.
    shows_pictures = False

    def __init__(self, linking: Linking) -> None:
        self._oddest: tuple[int, ...] = ()
        self._corners: Floats = np.empty((0, 2))
        super().__init__("odd_view", "Leverage and distance to the model", linking)
        self.limits = LimitLinesItem()
        self.area.add_framed(self.limits)

    def show_odd(self, scene: Scene, odd: OddRows, listed: OddList | None) -> None:
        """Show rows where their numbers put them."""
        t2, spe = odd.numbers.t2, odd.numbers.spe
        about = components_text(odd.components)
        names = [f"Leverage T² ({about})", "Distance SPE"]
        if spe is None:
            names[1] = "Row"
        across = spe
        if across is None:
            assert scene.all_rows is not None
            across = row_numbers(scene.all_rows).astype(np.float64)
        limits = [(odd.t2_limit, odd.spe_limit)]
        if listed is not None and listed.shuffled is not None:
            limits.append(listed.shuffled)
        lines = tuple(
            line
            for t2_limit, spe_limit in limits
            for line in (
                _line("x", t2_limit),
                *([] if spe_limit is None else [_line("y", spe_limit)]),
            )
        )
        # Some of very many rows, without sorting all of them.
        last = min(NAMED, odd.fitted) - 1
        first = np.argpartition(-odd.oddness[: odd.fitted], last)[: last + 1]
        self._oddest = tuple(int(row) for row in first if odd.oddness[row] > 1)
        fits_anew = self._take_limits(lines, t2, across)
        self.show_rows(scene, np.column_stack((t2, across)), names, names)
        if fits_anew:
            self._fit_again()

    def _fit_again(self) -> None:
        if self.point_count and not self.zoomed:
            self._fit()
            self._show(self._places())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_again()

    def _take_limits(
        self, lines: tuple[LimitLine, ...], t2: Floats, across: Floats
    ) -> bool:
        """Draw other lines; returns whether the plot has to show another range."""
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
        points = with_markers(self._coordinates, self._beside)
        if len(self._coordinates):
            points = np.vstack((points, self._corners))
            low, high = points[:, 1].min(), points[:, 1].max()
            # The key stands above all points.
            room = (
                _OVER * self.limits.key_height() / max(self.height() - _AROUND, _LOWEST)
            )
            top = high + min(room, 0.5) * (high - low)
            points = np.vstack((points, (points[0, 0], top)))
        self.area.fit(points, locked=False)

    def labelled(self, labels: RowLabels) -> RowLabels:
        """Return labels that name the oddest rows before others, below the key."""
        dataset = self._scene.dataset
        total = 0 if dataset is None else dataset.n
        first = dict.fromkeys((*labels.first, *self._oddest))
        return replace(
            labels,
            first=tuple(row for row in first if row < total),
            top=self.limits.key_height(),
        )

    def describe(self, row: int) -> str:
        """Return the name of a row and where it is: the plot is small."""
        result = self._scene.result
        odd = None if result is None else result.all_rows.get(ODD_ROWS)
        if result is None or odd is None:
            return ""
        head = describe_row(result, row, self._linking.names).partition("\n")[0]
        return f"{head}\n{oddness_text(odd, row, ('t2', 'spe'))}"


def _line(axis: Literal["x", "y"], limit: Limit) -> LimitLine:
    if limit.how == "empirical":
        words = f"{limit.below:,} of {limit.rows:,} rows"
        return LimitLine(axis, limit.value, words, "rows", "dashed")
    words = f"{limit.below:,} of {limit.rows:,} shuffled"
    return LimitLine(axis, limit.value, words, "shuffled", "dotted")


TITLE = "Look at these first"
WAITING = "The oddest rows are looked for …"


class OddRowsView(QWidget):
    """Shows both; on paper there is the plot alone."""

    text_copied = Signal(str)
    """What is on the clipboard now, in words."""

    def __init__(self, linking: Linking) -> None:
        super().__init__()
        self.setObjectName("odd_rows_view")
        self.setAccessibleName("Odd rows")
        self.plot = OddPlot(linking)
        self.list = OddListTable()
        self._listed: OddList | None = None
        self._names: dict[int, str] = {}
        self._title = ElidedLabel()
        self._title.setObjectName("odd_list_title")
        self._title.setProperty("role", "caption")
        self.copy_button = IconButton("copy", "Copy this list as a table", 16)
        self.copy_button.setObjectName("odd_copy_button")
        self.copy_button.clicked.connect(self.copy)
        self.list.copy_requested.connect(self.copy)
        line = QHBoxLayout()
        line.setContentsMargins(8, 2, 4, 2)
        line.addWidget(self._title, 1)
        line.addWidget(self.copy_button)
        beside = QWidget()
        column = QVBoxLayout(beside)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addLayout(line)
        column.addWidget(self.list, 1)
        self._parts = QSplitter(Qt.Orientation.Horizontal)
        self._parts.setChildrenCollapsible(False)
        self._parts.setHandleWidth(8)
        for part in (self.plot, beside):
            part.setMinimumWidth(120)
            self._parts.addWidget(part)
        self._parts.setSizes([500, 500])
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        layout.addWidget(self._parts)
        self.show_list(None, {})

    def set_theme(self, theme: Theme) -> None:
        self.plot.set_theme(theme)
        self.list.set_theme(theme)

    @property
    def listed(self) -> OddList | None:
        return self._listed

    def show_list(self, listed: OddList | None, names: dict[int, str]) -> None:
        """Show another list, of rows with these names; None says that it comes."""
        self._listed, self._names = listed, names
        about = "" if listed is None else listed.why_no_columns
        title = f"{TITLE}; no columns to name" if about else TITLE
        beyond = 0 if listed is None else int((listed.of.oddness > 1).sum())
        if beyond > LISTED:
            title += f"; {LISTED} of {counted(beyond)}"
        self._title.set_text(WAITING if listed is None else title)
        self._title.setToolTip(plain_tip(about))
        self.list.show_list(listed, names)
        self.set_late(listed is None)

    def set_late(self, late: bool) -> None:
        """Grey out a list of numbers that are gone."""
        self.list.setEnabled(not late)
        self.copy_button.setEnabled(not late)

    @Slot()
    def copy(self) -> None:
        """Put the list onto the clipboard as a table."""
        if self._listed is not None:
            text = as_table(self._listed, self._names)
            QGuiApplication.clipboard().setText(text)
            self.text_copied.emit("the list of odd rows")

    def render_to(
        self, painter: QPainter, rect: QRectF, *, background: bool = True
    ) -> None:
        self.plot.render_to(painter, rect, background=background)


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
