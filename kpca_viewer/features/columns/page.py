"""The page Columns, joined to scene and linking."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from typing import Any

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import ViewSettings
from kpca_viewer.engine.text.glossary import tip
from kpca_viewer.features.columns.compute import RankedColumns
from kpca_viewer.features.columns.content import (
    UNITS,
    GroupContrast,
    column_rows,
    compare_groups,
    contrast_bars,
    influence_bars,
)
from kpca_viewer.features.columns.stages import COLUMNS
from kpca_viewer.features.columns.text import (
    caveats,
    compared_words,
    in_short,
    influence_table,
    what_moves,
)
from kpca_viewer.features.columns.view import Choice, ColumnsView
from kpca_viewer.support.progress import ShouldStop
from kpca_viewer.widgets.page_view import Aside, CaptionWords, PageView
from kpca_viewer.widgets.plots.linking import Linking, Mask
from kpca_viewer.widgets.scene import Changes

SMALL = 40_000
"""Cells of a table whose columns are compared at once, within a few milliseconds."""

MOST_CLASSES = 20
"""Classes of which every pair can be chosen; of more, each against the rest."""

NOT_YET = "The influence of the columns is not measured yet."
COMPARING = "The groups are being compared."


class ColumnsPage(PageView):
    """Which columns move a component, or tell two groups of rows apart."""

    is_of_kernel = True

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: ColumnsView = ColumnsView()
        self._linking = linking
        self._changes = changes
        self.aside: Aside = Aside(self.view)
        self._ranked: RankedColumns | None = None
        self._contrast: GroupContrast | str | None = None
        self._asked: tuple[object, ...] | None = None
        view = self.view
        view.text_copied.connect(changes.text_copied)
        view.what_chosen.connect(self._on_what_chosen)
        view.component_chosen.connect(self._on_component_chosen)
        view.units_chosen.connect(self._on_units_chosen)
        view.groups_chosen.connect(self._on_groups_chosen)
        view.bars.line_chosen.connect(self._on_line_chosen)
        view.colors_back.clicked.connect(self._on_colors_requested)
        view.plot.row_hovered.connect(linking.set_hovered)
        self.aside.answered.connect(self._on_compared)
        linking.hovered_changed.connect(view.plot.set_hovered)
        linking.selection_changed.connect(self._on_selection_changed)

    # What is shown

    def draw(self, result: AnalysisResult) -> None:
        """Draw what was found; while a slider moves, what was before."""
        settings = self.scene.settings.view
        self.view.show_what(settings.columns)
        self.view.colors_back.setVisible(self._colors_column)
        self.view.component.show_choices(
            component_choices(result, settings), settings.columns_of
        )
        units: list[Choice] = [(words[0], key) for key, words in UNITS.items()]
        self.view.units.show_choices(units, settings.column_units)
        self.view.groups.show_choices(
            list(group_choices(result.dataset)), settings.compared
        )
        if settings.columns == "groups":
            self._draw_groups(result)
        else:
            self._draw_influence(result)

    def _draw_influence(self, result: AnalysisResult) -> None:
        self._asked = None
        self.aside.forget()
        found = result.get(COLUMNS)
        if found is None:
            before = self._ranked
            if before is None or not _has_columns(result, before):
                self._ranked = None
                self.view.say(NOT_YET)
            return
        if found.measured is None:
            self._ranked = None
            self.view.say(found.refusal)
            return
        ranked = self._ranked = found.ranked(self.scene.settings.view)
        places = [c.column for c in ranked.columns]
        self._show_list(result, places, ranked.components[0])
        self.view.show_bars(
            influence_bars(ranked),
            partial(influence_table, ranked),
            self._chosen_among(places),
        )

    def _draw_groups(self, result: AnalysisResult) -> None:
        self._ranked = None
        selection, classes = self._linking.selection, self.scene.settings.view.compared
        classes = known_classes(result.dataset, classes)
        mask = selection if classes is None else None
        asked = (result.dataset, classes, None if mask is None else mask.tobytes())
        if asked != self._asked:
            self._asked, self._contrast = asked, None
            dataset = result.dataset
            group, other = _groups(dataset, mask, classes)

            def compare(should_stop: ShouldStop) -> GroupContrast:
                return compare_groups(dataset, group, other, should_stop)

            small = dataset.n * dataset.d <= SMALL
            if not small:
                self.view.say(COMPARING)
            self.aside.ask(compare, small=small)
        else:
            self._show_groups(result)

    def _show_groups(self, result: AnalysisResult) -> None:
        found = self._contrast
        if isinstance(found, str):
            self.view.say(found)
        elif found is not None:
            classes = known_classes(result.dataset, self.scene.settings.view.compared)
            names = group_names(result.dataset, classes)
            places = [c.column for c in found.columns]
            axes = self.scene.settings.view.judged_axes(result.scores.shape[1])
            self._show_list(result, places, axes[0])
            self.view.show_bars(
                contrast_bars(found, names),
                found.as_table,
                self._chosen_among(places),
            )

    def _show_list(
        self, result: AnalysisResult, places: list[int], component: int
    ) -> None:
        """Show the chosen column beside a component; the first where none is."""
        chosen = self._chosen_among(places)
        column = places[0 if chosen is None else chosen]
        rows = column_rows(result, column, component, self.scene.colors)
        self.view.show_column(rows)

    def _chosen_among(self, places: list[int]) -> int | None:
        column = self.scene.settings.view.column
        return places.index(column) if column in places else None

    def draw_nothing(self) -> None:
        """Forget what was drawn."""
        self._ranked = self._contrast = self._asked = None
        self.aside.forget()
        self.view.say(NOT_YET)

    def is_late(self) -> bool:
        """Return whether other numbers than those shown are on their way."""
        result = self.scene.result
        if result is None or self.scene.settings.view.columns == "groups":
            return False
        return result.get(COLUMNS) is None and self._ranked is not None

    def caption(self, result: AnalysisResult) -> CaptionWords:
        """Say which columns it is, and what has to be known to read the numbers."""
        if self.scene.settings.view.columns == "groups":
            found, words = self._contrast, ""
            if isinstance(found, GroupContrast):
                classes = known_classes(
                    result.dataset, self.scene.settings.view.compared
                )
                first = group_names(result.dataset, classes)[0]
                words = found.about(
                    "the selection" if classes is None else f"“{first}”"
                )
            return CaptionWords(words, tip("effect_size"), more_follows=found is None)
        columns = result.get(COLUMNS)
        if columns is None or self._ranked is None:
            words = "" if result.at_rest else "It follows as soon as the slider rests."
            return CaptionWords(words, more_follows=columns is None)
        ranked = self._ranked
        said = (what_moves(ranked).text, in_short(ranked, columns.is_complete))
        parts = (*caveats(ranked), compared_words(ranked, columns.is_complete))
        return CaptionWords(
            " ".join(filter(None, said)),
            "\n".join(filter(None, (*parts, tip("influence", "noise_band")))),
            more_follows=not columns.is_complete,
        )

    # What is requested

    def _on_what_chosen(self, what: str) -> None:
        self._change(columns=what)

    def _on_component_chosen(self, component: int | None) -> None:
        self._change(columns_of=component)

    def _on_units_chosen(self, units: str) -> None:
        self._change(column_units=units)

    def _on_groups_chosen(self, classes: tuple[int, int] | None) -> None:
        self._change(compared=classes)

    def _on_line_chosen(self, line: int) -> None:
        """Colour all plots by a column; the same one again lets it go."""
        found = self._ranked or self._contrast
        if found is None or isinstance(found, str):
            return
        column = found.columns[line].column
        view = self.scene.settings.view
        if view.column == column and self._colors_column:
            self._on_colors_requested()
        else:
            self._change(color_by=f"feature:{column}", column=column)

    def _on_colors_requested(self) -> None:
        """Colour by class again, as before any column was chosen."""
        self._change(color_by=ViewSettings().color_by, column=None)

    @property
    def _colors_column(self) -> bool:
        """Whether points have the colours of the column that was chosen."""
        view = self.scene.settings.view
        return view.column is not None and view.color_by == f"feature:{view.column}"

    def let_go(self) -> bool:
        """Colour by class again; returns whether points were coloured by a column."""
        colored = self._colors_column
        if colored:
            self._on_colors_requested()
        return colored

    def _change(self, **changes: Any) -> None:
        settings = self.scene.settings
        view = replace(settings.view, **changes)
        self._changes.request(replace(settings, view=view))

    def _on_selection_changed(self, _mask: Mask | None) -> None:
        result = self.scene.result
        if result is None or self.scene.settings.view.columns != "groups":
            return
        if self.view.isVisible():
            self._draw_groups(result)
            self.caption_changed()
        else:
            # Drawn when the page is in front.
            self._shown_part = None

    def _on_compared(self, answer: GroupContrast | Exception) -> None:
        result = self.scene.result
        if result is None or self._asked is None:
            return
        self._contrast = str(answer) if isinstance(answer, Exception) else answer
        self._show_groups(result)
        self.caption_changed()


def component_choices(result: AnalysisResult, view: ViewSettings) -> list[Choice]:
    """Return what columns can be ranked for."""
    count = result.scores.shape[1]
    shown = ", ".join(str(axis + 1) for axis in view.judged_axes(count))
    return [
        (f"Picture (PC {shown})", None),
        *((f"PC {j + 1}", j) for j in range(count)),
    ]


def group_choices(dataset: Dataset) -> Iterator[Choice]:
    """Yield which groups can be compared."""
    yield "Selection and rest", None
    if dataset.labels is None:
        return
    names = dataset.label_names
    count = len(names)
    if count > 2:
        for code, name in enumerate(names):
            yield f"{name} and rest", (code, -1)
    if count <= MOST_CLASSES:
        for a in range(count):
            for b in range(a + 1, count):
                yield f"{names[a]} and {names[b]}", (a, b)


def known_classes(
    dataset: Dataset, classes: tuple[int, int] | None
) -> tuple[int, int] | None:
    """Return the classes that are compared, if the data have them; else None."""
    if classes is None or dataset.labels is None:
        return None
    return classes if max(classes) < len(dataset.label_names) else None


def group_names(dataset: Dataset, classes: tuple[int, int] | None) -> tuple[str, str]:
    """Return what the two groups are called."""
    if classes is None:
        return "selection", "rest"
    first, second = (
        "rest" if code < 0 else dataset.label_names[code] for code in classes
    )
    return first, second


def _groups(
    dataset: Dataset, mask: Mask | None, classes: tuple[int, int] | None
) -> tuple[Mask, Mask | None]:
    """Return which rows are in the first group, and in the second; None for others."""
    if classes is None:
        return np.zeros(dataset.n, dtype=bool) if mask is None else mask, None
    assert dataset.labels is not None
    first, second = (dataset.labels == code for code in classes)
    return first, None if classes[1] < 0 else second


def _has_columns(result: AnalysisResult, ranked: RankedColumns) -> bool:
    names = result.dataset.feature_names
    return sorted(c.name for c in ranked.columns) == sorted(names)
