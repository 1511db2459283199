"""Leverage against distance to the model, and the list of odd rows beside it."""

from dataclasses import replace
from typing import Literal

import numpy as np
from PySide6.QtCore import QRectF, Qt, Signal, Slot
from PySide6.QtGui import QGuiApplication, QPainter, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSplitter, QVBoxLayout, QWidget

from kpca_viewer.core.methods.outliers import Limit
from kpca_viewer.data.dataset import row_numbers
from kpca_viewer.engine.text.describe import components_text, describe_row
from kpca_viewer.features.outliers.compute import OddList, OddRows
from kpca_viewer.features.outliers.outlier_list import OddListTable
from kpca_viewer.features.outliers.stages import ODD_ROWS
from kpca_viewer.features.outliers.text import as_table, oddness_text
from kpca_viewer.widgets.controls import ElidedLabel, IconButton
from kpca_viewer.widgets.controls.behaviour import plain_tip
from kpca_viewer.widgets.joined_scatter import JoinedScatter
from kpca_viewer.widgets.plots.frame import Floats, with_markers
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.overlay import LimitLine, LimitLinesItem
from kpca_viewer.widgets.plots.row_labels import RowLabels
from kpca_viewer.widgets.scene import Scene
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
