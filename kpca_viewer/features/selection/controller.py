"""What is done with selected rows: a name, a class, or out of the analysis."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, QPoint, Qt, Slot
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QInputDialog, QPushButton

from kpca_viewer.data.dataset import Dataset, places_in
from kpca_viewer.data.table import Table
from kpca_viewer.engine.notes import LONGEST_NAME, kernel_in_use, renumbered, rows_of
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.groups import Made, RowGroup, column_name
from kpca_viewer.engine.rows.row_set import Excluded, Mask, RowSet
from kpca_viewer.features.selection.card import SelectionCard
from kpca_viewer.features.selection.compute import (
    SelectionSummary,
    find_groups,
    found_name,
    is_found,
    summarise,
)
from kpca_viewer.features.selection.text import NO_GROUPS, too_few_left, too_many_rows
from kpca_viewer.widgets.page_view import Aside
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.workbench import Workbench

NEEDED = ("name_group", "new_class", "exclude_rows", "only_rows", "export_selection")
"""Actions that need a selection."""

MOST_BY_DENSITY = 20_000
"""Rows up to which density takes seconds; its time grows with their square."""

SMALL = 50_000
"""Cells of data up to which the card is filled at once."""


class Selecting(QObject):
    """Opens the menu of the selection; what it says is one step of the history."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, store = workbench.window, workbench.store
        self._window = window
        self._presenter = workbench.presenter
        self._store = store
        self._linking = window.board.linking
        self._menus = window.actions_table.plot_menus(window)
        window.sidebar.all_rows_requested.connect(self.take_back)
        window.board.menu_requested.connect(self._on_menu_requested)
        self._linking.selection_changed.connect(self._show_possible)
        self.card = SelectionCard({key: window.actions_table[key] for key in NEEDED})
        window.board.embedding.add_selection_card(self.card)
        self._aside = Aside(self)
        self._aside.answered.connect(self._on_summarised)
        self._linking.selection_changed.connect(self._summarise)
        self._summarised: Dataset | None = None
        window.board.shown.connect(self._on_shown)
        self._groups = Aside(self)
        self._groups.answered.connect(self._on_grouped)
        self._grouped: AnalysisResult | None = None
        store.changed.connect(self._show_possible)
        self._show_possible()

    @Slot(object)
    def _summarise(self, mask: Mask | None) -> None:
        """Say on the card what tells the selected rows from the others."""
        result = self._presenter.result
        if mask is None or result is None or len(mask) != result.dataset.n:
            self._aside.forget()
            self.card.show_summary(None)
            return
        dataset, selected = result.dataset, mask.copy()
        self._summarised = dataset
        small = dataset.points.size <= SMALL and not dataset.columns
        if not small:
            # What was said of other rows must not stay meanwhile.
            self.card.show_summary(SelectionSummary(int(mask.sum()), dataset.n))
        self._aside.ask(lambda _stop: summarise(dataset, selected), small=small)

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        """Follow names and classes that the same rows have got."""
        selection = self._linking.selection
        if selection is not None and scene.dataset is not self._summarised:
            self._summarise(selection)

    @Slot(object)
    def _on_summarised(self, found: object) -> None:
        if isinstance(found, SelectionSummary) and self._linking.selection is not None:
            self.card.show_summary(found)

    @Slot()
    def find_groups(self) -> None:
        """Look for groups by density in the kept components."""
        result = self._presenter.result
        if result is not None and result.dataset.n > MOST_BY_DENSITY:
            self._presenter.messages.show(too_many_rows(MOST_BY_DENSITY))
        else:
            self._group(None)

    @Slot()
    def ask_for_count(self) -> None:
        """Ask into how many groups all rows are to be divided."""
        result = self._presenter.result
        if result is None:
            return
        most = min(20, result.dataset.n)
        dialog = QInputDialog(self._window)
        dialog.setObjectName("groups_dialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setInputMode(QInputDialog.InputMode.IntInput)
        dialog.setIntRange(2, most)
        dialog.setIntValue(min(3, most))
        dialog.setWindowTitle("Split into groups")
        dialog.setLabelText("How many groups?")
        dialog.intValueSelected.connect(self._group)
        dialog.open()

    def _group(self, count: int | None) -> None:
        result = self._presenter.result
        if result is not None and self._is_shown():
            scores = np.array(result.scores)
            self._grouped = result
            self._groups.ask(lambda _stop: find_groups(scores, count), small=False)

    @Slot(object)
    def _on_grouped(self, found: object) -> None:
        """Make a column of the groups, in one step of the history."""
        result, settings = self._presenter.result, self._store.settings
        grouped = self._grouped
        if not isinstance(found, np.ndarray) or result is None or grouped is None:
            return
        # A page that was computed meanwhile changes nothing that was looked at.
        if not np.array_equal(result.scores, grouped.scores):
            return
        if found.max(initial=-1) < 1:
            self._presenter.messages.show(NO_GROUPS)
            return
        whole = result.before_exclusion or result.dataset
        places = places_in(whole, result.dataset)
        groups = [g for g in settings.data.groups if not is_found(g)]
        for code in range(int(found.max()) + 1):
            there = np.zeros(whole.n, dtype=bool)
            there[places[found == code]] = True
            rows = RowSet.of(there, whole, self._stamp())
            groups.append(RowGroup("group", found_name(code), rows))
        color = f"column:{column_name(whole, 'group')}"
        data = replace(settings.data, groups=tuple(groups))
        view = replace(settings.view, color_by=color)
        self._store.update(replace(settings, data=data, view=view))

    def close(self) -> None:
        self._aside.close()
        self._groups.close()

    @Slot()
    def select_all(self) -> None:
        self._select(np.ones_like)

    @Slot()
    def invert(self) -> None:
        self._select(np.logical_not)

    def _select(self, change: Callable[[Mask], Mask]) -> None:
        result = self._presenter.result
        if result is not None:
            mask = self._linking.selection
            if mask is None:
                mask = np.zeros(result.dataset.n, dtype=bool)
            self._linking.apply_selection(change(mask), "replace")

    @Slot()
    def ask_for_group(self) -> None:
        """Ask what the selected rows are called together."""
        self._ask("Name as group", "group")

    @Slot()
    def ask_for_class(self) -> None:
        self._ask("New class", "class")

    def name(self, column: Made, name: str, selection: Mask) -> None:
        """Put rows (n,) under a name; an empty one takes them out of theirs."""
        result, settings = self._presenter.result, self._store.settings
        if result is None or len(selection) != result.dataset.n or not self._is_shown():
            return
        whole = result.before_exclusion or result.dataset
        there = np.zeros(whole.n, dtype=bool)
        there[places_in(whole, result.dataset)[selection]] = True
        text = " ".join(name.split())[:LONGEST_NAME]
        rows = RowSet.of(there, whole, self._stamp())
        groups = (*settings.data.groups, RowGroup(column, text, rows))
        # A name is seen at once.
        color = f"column:{column_name(whole, column)}"
        view = replace(settings.view, color_by=color) if text else settings.view
        data = replace(settings.data, groups=groups)
        self._store.update(replace(settings, data=data, view=view))

    def _ask(self, title: str, column: Made) -> None:
        selection = self._selection()
        if selection is None:
            return
        count = int(selection.sum())
        rows = "one row" if count == 1 else f"{count:,} rows"
        dialog = QInputDialog(self._window)
        dialog.setObjectName("name_dialog")
        dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        dialog.setWindowTitle(title)
        back = "out of their group" if column == "group" else "back to their label"
        dialog.setLabelText(f"Name of the {column} of {rows} (empty: {back})")
        dialog.textValueSelected.connect(
            lambda text: self.name(column, text, selection)
        )
        dialog.open()
        for button in dialog.findChildren(QPushButton):
            # No other button of the window has a picture of the desktop's theme.
            button.setIcon(QIcon())

    @Slot()
    def exclude(self) -> None:
        """Leave the selected rows out."""
        excluded = self._store.settings.data.excluded
        selection = self._selection()
        if selection is not None:
            # Of some rows that are kept, fewer are kept; new ones are still not.
            only = excluded is not None and excluded.only
            self._leave(~selection, only=only)

    @Slot()
    def keep_only(self) -> None:
        """Leave all other rows out."""
        selection = self._selection()
        if selection is not None:
            self._leave(selection, only=True)

    @Slot()
    def take_back(self) -> None:
        """Analyse all rows again."""
        settings, result = self._store.settings, self._presenter.result
        data = replace(settings.data, excluded=None)
        back = replace(settings, data=data, kernel=kernel_in_use(settings, result))
        notes = None
        if (
            result is not None
            and result.before_exclusion is not None
            and self._is_shown()
        ):
            places = places_in(result.before_exclusion, result.dataset)
            notes = renumbered(self._store.notes, places, result.before_exclusion.n)
            known = dict(self._store.notes_before(back).row_names)
            gone = np.setdiff1d(np.arange(result.before_exclusion.n), places).tolist()
            names = {row: known[row] for row in gone if row in known}
            names |= dict(notes.row_names)
            notes = replace(notes, row_names=tuple(sorted(names.items())))
        self._store.update(back, notes=notes)

    def _leave(self, kept: Mask, *, only: bool) -> None:
        result, settings = self._presenter.result, self._store.settings
        assert result is not None
        count = int(kept.sum())
        if count < 2:
            self._presenter.messages.show(too_few_left(count))
            return
        whole = result.before_exclusion or result.dataset
        there = np.zeros(whole.n, dtype=bool)
        there[places_in(whole, result.dataset)[kept]] = True
        rows = RowSet.of(there if only else ~there, whole, self._stamp())
        data = replace(settings.data, excluded=Excluded(rows, only))
        places = np.where(kept, np.cumsum(kept) - 1, -1)
        notes = renumbered(self._store.notes, places, count)
        # What is left is all there is: to select it would say nothing.
        notes = replace(notes, selected=None)
        # Other rows suggest other values: those that are shown stay.
        kernel = kernel_in_use(settings, result)
        self._store.update(replace(settings, data=data, kernel=kernel), notes=notes)

    def _stamp(self) -> str:
        source = self._presenter.data.sources.get(self._store.settings.data.source)
        return source.content_hash if isinstance(source, Table) else ""

    def _selection(self) -> Mask | None:
        """Return the selected rows of the picture; None while others are on the way."""
        if not self._is_shown():
            return None
        return self._linking.selection

    def _is_shown(self) -> bool:
        result, data = self._presenter.result, self._store.settings.data
        return result is not None and rows_of(result.settings.data) == rows_of(data)

    @Slot()
    def _show_possible(self, *_changed: Any) -> None:
        actions = self._window.actions_table
        for key in NEEDED:
            actions[key].setEnabled(self._linking.selection is not None)
        left_out = self._store.settings.data.excluded is not None
        actions["all_rows"].setEnabled(left_out)

    @Slot(object, str)
    def _on_menu_requested(self, position: QPoint, plot: str) -> None:
        if self._presenter.result is not None:
            self._menus[plot].popup(position)
