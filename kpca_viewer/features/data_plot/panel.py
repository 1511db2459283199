"""The raw data, with isolines of a component and new points."""

from functools import partial
from operator import attrgetter

import numpy as np
from PySide6.QtCore import QTimer, Slot
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QComboBox, QHBoxLayout, QWidget

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.grid import GridScores
from kpca_viewer.engine.kernel_function import function_row, on_plane
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import traded
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.engine.text.remarks import about_few
from kpca_viewer.features.data_plot import text
from kpca_viewer.features.data_plot.class_pictures import ClassPictures
from kpca_viewer.features.data_plot.compute import (
    class_means,
    correlations,
    following_columns,
)
from kpca_viewer.support.numerals import readable
from kpca_viewer.widgets.contributions import PlotContribution, PlotMode
from kpca_viewer.widgets.controls import SearchCombo
from kpca_viewer.widgets.controls.behaviour import DIM, plain_tip
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.plots.coloring import Coloring
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.text import type_scale
from kpca_viewer.widgets.plots.underlay import (
    contours,
    fill_bands,
    fill_image,
    image_rect,
    nice_levels,
    scale_image,
)
from kpca_viewer.widgets.scatter_panel import THREE, ScatterPanel
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.theme import LIGHT, Theme

LINES_MS = 50
"""How long after a picture of the same rows its isolines are drawn, at most, in
milliseconds: behind the picture, and once for pictures that follow each other, but
before the points have glided to their places."""

LOW = 260
"""Pixels in height of a panel in which mean pictures leave no room for a plot."""

ALIKE = 5.0
"""Features that reach so much further than others can share their unit still."""


class DataPanel(ScatterPanel):
    """Any two or three features; isolines where there are just two.

    Parameters
    ----------
    contributions : PlotContribution
        Of other features: modes in which the rows are drawn, bars and buttons.
    """

    part = attrgetter("dataset", "all_rows", "colors", "settings.view", "lifted")

    def __init__(
        self, linking: Linking, changes: Changes, *contributions: PlotContribution
    ) -> None:
        bars = [added.bar for added in contributions if added.bar is not None]
        self._axes_bar = QWidget()
        self.means = ClassPictures()
        self._pictured: tuple[object, ...] = ()
        self._has_plot = True
        super().__init__(
            "Data", "data_view", linking, changes, self.means, self._axes_bar, *bars
        )
        self.setObjectName("data_panel")
        self._modes = {
            added.mode.tool.key: added.mode
            for added in contributions
            if added.mode is not None
        }
        self.set_about(tip("isolines", "lift"))
        self._theme = LIGHT
        self._isolines: tuple[object, ...] = ()
        self._lines_turn = QTimer(self, singleShot=True, interval=LINES_MS)
        self._lines_turn.timeout.connect(self._draw_isolines)
        self._lines_of: Dataset | None = None
        self._gesture_words, self._empty_words = "", text.NO_POINTS
        self._words, self._few = ("", "", ""), ""
        for added in contributions:
            if added.button is not None:
                # Where there is no room for it, its key and its menu entry are left.
                self.add_tool(added.button, 1)
        self._axes: list[SearchCombo] = []
        self._followed: tuple[int, int, int] | None = None
        self._followed_of: tuple[object, object, object] = (None, None, None)
        line = QHBoxLayout(self._axes_bar)
        line.setContentsMargins(8, 0, 8, 2)
        line.setSpacing(4)
        self._axes_bar.hide()
        for position, axis in enumerate("xyz"):
            combo = named_combo(
                f"data_{axis}_combo",
                text.AXIS.format(axis=axis),
                text.AXIS_TIP.format(axis=axis),
            )
            combo.setProperty("position", position)
            combo.currentIndexChanged.connect(self._on_axis_changed)
            combo.setMinimumContentsLength(2)
            self._axes.append(combo)
            line.addWidget(combo, 1)
        self.add_dimension_tools("data", *(mode.tool for mode in self._modes.values()))
        self.set_title_optional()
        for added in contributions:
            added.attach(self)

    def set_theme(self, theme: Theme) -> None:
        """Take the colours of a theme; the fill between isolines has some too."""
        super().set_theme(theme)
        self._theme = theme
        if self.scene.result is not None:
            # The type may be larger now, as in front of a class; and the result may be
            # one that is not drawn yet, of other columns.
            self._show_tools(self.scene.result)
            if self._mode() is None:
                self._show_isolines(self.scene.result)

    def show_scene(self, scene: Scene) -> None:
        """Draw a scene; other scores change what is said of the columns."""
        super().show_scene(scene)
        # What they request starts from the newest settings.
        for mode in self._modes.values():
            mode.show_controls(scene)
        if scene.result is None:
            return
        before = self._followed
        self._data_axes(scene.result)
        if self._followed != before:
            self.refresh()
        elif self._mode() is None:
            self._await_isolines(scene.result)

    def is_settled(self) -> bool:
        """Return whether the isolines are those of the last result."""
        return not self._lines_turn.isActive()

    def settle(self) -> None:
        """Draw now the isolines that would come soon."""
        if not self.is_settled():
            self._draw_isolines()

    @Slot()
    def _draw_isolines(self) -> None:
        self._lines_turn.stop()
        result = self.scene.result
        # The newest may be of rows that this panel does not show yet.
        if result is not None and result.dataset is self._lines_of:
            self._show_isolines(result)

    def _await_isolines(self, result: AnalysisResult) -> None:
        """Draw isolines after the picture, where there are some that change."""
        drawn = self._isolines[0] if self._isolines else None
        if not self.isVisible() or drawn is None or result.grid in (None, drawn):
            self._show_isolines(result)
        elif self.is_settled():
            self._lines_of = result.dataset
            self._lines_turn.start()

    def draw(self, result: AnalysisResult) -> None:
        """Draw the rows of the result."""
        dataset = result.dataset
        self.set_title(dataset.name)
        self._show_means(dataset)
        self._fit()
        three = self._show_tools(result)
        if dataset.kind != "points":
            self.view.show_nothing(text.NO_RAW_POINTS[dataset.kind])
            self._show_isolines(result)
            return
        mode = self._mode()
        if mode is not None:
            self._isolines = ()
            self._lines_turn.stop()
            words = mode.draw(self.scene)
            self.set_caption(words.text, tip=words.tip, more_follows=words.more_follows)
            return
        self._leave_modes()
        axes = self._data_axes(result)
        count = 3 if three else 2
        points = result.all_rows.dataset.points
        coordinates, picked = self.view.columns_of(points, axes, count)
        names = [dataset.feature_names[j] if j >= 0 else "" for j in picked]
        # Rings look like rings; features of different kinds share no unit.
        shown = dataset.extents[[j for j in picked if j >= 0]]
        alike = shown.size > 0 and bool(shown.max() <= ALIKE * shown.min())
        if not self.view.range_held:
            self.view.set_aspect_locked(alike and (dataset.d == 2 or three))
        self.view.show_rows(self.scene, coordinates, picked, names)
        self._show_isolines(result)

    def _show_means(self, dataset: Dataset) -> None:
        view = self.scene.settings.view
        pictured = dataset, view.image_size
        if pictured != self._pictured:
            self._pictured = pictured
            self.means.show_means(class_means(dataset, view))

    def _fit(self) -> None:
        """Leave a low panel to the mean pictures: columns of pixels say less."""
        low = self.height() < LOW * type_scale()
        has_plot = not (low and self.means.means and self._mode() is None)
        if has_plot != self._has_plot:
            self._has_plot = has_plot
            self.means.set_filling(not has_plot)
            self.view.setVisible(has_plot)
            self._say(*self._words)

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show as much as there is room for."""
        super().resizeEvent(event)
        before, result = self._has_plot, self.scene.result
        self._fit()
        if self._has_plot != before and result is not None:
            self._show_tools(result)

    def draw_nothing(self) -> None:
        """Show a plane into which points can be drawn."""
        self._leave_modes()
        for mode in self._modes.values():
            mode.show_controls(self.scene)
        self.set_title(self.scene.title)
        self._axes_bar.hide()
        self.means.show_means(())
        self._pictured = ()
        self._fit()
        for tool in (self.dimensions, self.turn):
            self.set_tool_wanted(tool, False)
        self._isolines, self._few = (), ""
        self._lines_turn.stop()
        self.view.area.underlay.set_isolines([])
        self.view.area.underlay.set_image(None)
        self._say("")
        self.view.set_aspect_locked(True)
        drawn = self.scene.settings.data.drawn
        names = ("x1", "x2") if drawn is None else drawn.features[:2]
        self.view.show_nothing(self._empty_words, (names[0], names[-1]))

    def _mode(self) -> PlotMode | None:
        modes = self._modes.values()
        return next((mode for mode in modes if mode.is_on(self.scene)), None)

    def _leave_modes(self) -> None:
        for mode in self._modes.values():
            mode.leave()

    def change_dimensions(self, three: bool) -> None:
        self.change_view(data_3d=three, lift="")

    def _show_tools(self, result: AnalysisResult) -> bool:
        """Offer what these data have; returns whether they are shown in space."""
        dataset, view = result.dataset, self.scene.settings.view
        three = view.data_3d and dataset.d > 2
        many = dataset.kind == "points" and dataset.d > 2
        features: list[tuple[str, object]] = [
            (name, j) for j, name in enumerate(dataset.feature_names)
        ]
        axes = self._data_axes(result)
        self._axes_bar.setVisible(many and self._has_plot)
        # Its lists name the columns where the plot has no room for it.
        self.view.area.set_names_optional(many)
        for position, combo in enumerate(self._axes):
            if many:
                fill_combo(combo, features, axes[position])
            combo.setVisible(position < 2 or three)
        self.show_dimensions(three, dataset.kind == "points" and self._has_plot)
        self._show_modes(result, many)
        return three

    def _data_axes(self, result: AnalysisResult) -> tuple[int, int, int]:
        """Return the columns on the axes: chosen, or those that follow the picture.

        Of the same data, once the picture is at rest: they would jump about while γ is
        dragged.
        """
        before = self._followed_of
        of = result.dataset.points, result.decomposition, result.settings.view.axes
        same = before[0] is of[0]
        if same and result.at_rest:
            same = before[1] is of[1] and before[2] == of[2]
        if not same:
            self._followed_of, self._followed = of, following_columns(result)
        chosen = self.scene.settings.view.data_axes
        return chosen or self._followed or result.dataset.telling_axes

    def _about_axes(self, result: AnalysisResult) -> str:
        """Say how the columns go with the picture, where they were not chosen."""
        axes = self._followed
        if axes is None or self.scene.settings.view.data_axes is not None:
            return ""
        r = correlations(result, axes[:2])
        components = result.settings.view.axes
        return text.FOLLOWS.format(
            first=components[0] + 1,
            second=components[1] + 1,
            r=f"{r[0, 0]:.2f}".replace("-", "−"),
            s=f"{r[1, 1]:.2f}".replace("-", "−"),
        )

    def _show_modes(self, result: AnalysisResult, many: bool) -> None:
        """Offer three axes and other modes, or the reason where there are none."""
        offers = [("3d", THREE, "" if many else text.NO_THIRD_FEATURE)]
        offers += [
            (key, mode.tool.tip, mode.why_not(result))
            for key, mode in self._modes.items()
        ]
        for key, about, why_not in offers:
            self.dimensions.set_option_enabled(key, not why_not)
            self.dimensions.button(key).setToolTip(plain_tip(why_not or about))
        for key, mode in self._modes.items():
            if mode.is_on(self.scene):
                self.dimensions.set_value(key)
                self.set_tool_wanted(self.turn, True)

    def _on_dimensions_changed(self, key: str) -> None:
        if key in self._modes:
            self._modes[key].request()
        else:
            super()._on_dimensions_changed(key)

    def _show_isolines(self, result: AnalysisResult) -> None:
        self._lines_turn.stop()
        grid, view = result.grid, self.scene.settings.view
        component = view.axes[0]
        few = self._few = about_few(result)
        words = few or self._about_axes(result)
        row = function_row(result, view.color_by)
        colors = None if row is None else self.scene.colors
        wanted = (
            *(grid, component, view.isolines, view.data_axes, self._theme, words),
            *(row, colors),
        )
        if wanted == self._isolines:
            return
        self._isolines = wanted
        plane = view.data_axes in (None, (0, 1, 2))
        if row is not None and colors is not None and plane:
            found = on_plane(result, row)
            if found is not None:
                self._show_function(result, row, found, colors)
                return
        if (
            grid is None
            or not view.isolines
            or not plane
            or component >= grid.scores.shape[2]
        ):
            self.view.area.underlay.set_isolines([])
            self.view.area.underlay.set_image(None)
            self._say(few or self._about_axes(result))
            return
        values, seen = grid.scores[:, :, component], grid.near_data(component)
        # Levels of what is seen: polynomials are far steeper outside.
        levels = nice_levels(seen)
        lines = contours(values, grid.x, grid.y, levels, curved=True)
        self.view.area.underlay.set_isolines(lines)
        largest = float(np.abs(np.nan_to_num(seen)).max(initial=0.0))
        field = np.clip(values, -largest, largest)
        self.view.area.underlay.set_image(
            fill_image(field, self._theme),
            image_rect(grid.x, grid.y),
            partial(fill_bands, field, grid.x, grid.y, self._theme),
        )
        drawn = any(polylines for _, polylines in lines)
        about = text.ISOLINES.format(number=component + 1) if drawn else ""
        zero = any(level == 0 and polylines for level, polylines in lines)
        extra = text.ZERO_LINE if zero and not few else ""
        self._say(f"{few} {about}".strip(), text.DROP_POINT, extra)

    def _show_function(
        self, result: AnalysisResult, row: int, found: GridScores, colors: Coloring
    ) -> None:
        """Draw k(xᵢ, ·) of a row in the colours that the points have."""
        values = found.scores[:, :, 0]
        levels = nice_levels(found.near_data(0))
        self.view.area.underlay.set_isolines(
            contours(values, found.x, found.y, levels, curved=True)
        )
        self.view.area.underlay.set_image(
            scale_image(values, colors.low, colors.high), image_rect(found.x, found.y)
        )
        words = text.FUNCTION.format(
            row=result.dataset.row_text(row),
            low=readable(colors.low, 3),
            high=readable(colors.high, 3),
        )
        self._say(words, text.POINT_AT_ROW)

    def set_gesture_words(self, words: str, empty: str) -> None:
        if (words, empty) != (self._gesture_words, self._empty_words):
            self._gesture_words, self._empty_words = words, empty
            self._say(*self._words)
            if self.scene.is_empty:
                self.view.set_empty_text(empty)

    def _say(self, words: str, usual: str = "", extra: str = "") -> None:
        """Say something, and a little more where no tool says what it does."""
        self._words, draws = (words, usual, extra), bool(self._gesture_words)
        if not self._has_plot:
            self.set_caption("", gesture=text.MEANS_ALONE)
            return
        if extra and not draws:
            words = f"{words} {extra}"
        gesture = self._gesture_words or usual
        # Few points say already what to do. A line that came and went with every point
        # would move the paper under the hand.
        if draws and self._few:
            gesture = ""
        self.set_caption(words, gesture=gesture, more_follows=draws)

    def show_age(self) -> None:
        """Dim what does not answer the settings; the rows know no kernel."""
        super().show_age()
        behind = self.has_caption_behind()
        self.view.area.underlay.setOpacity(1 - DIM if behind else 1.0)

    def is_behind(self) -> bool:
        return self.scene.plays_other_data

    def has_caption_behind(self) -> bool:
        """Return whether a film plays: the isolines are of the kernel that is set."""
        return self.scene.played is not None

    def _on_axis_changed(self, index: int) -> None:
        combo = self.sender()
        result = self.scene.result
        if isinstance(combo, QComboBox) and index >= 0 and result is not None:
            axes = self._data_axes(result)
            position, feature = combo.property("position"), combo.itemData(index)
            self.change_view(data_axes=traded(axes, position, feature))
