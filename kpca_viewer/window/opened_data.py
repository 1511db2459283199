"""What was opened, and how each of it was left."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.data.preparation import ColumnScalings
from kpca_viewer.data.table import Table
from kpca_viewer.engine.document.files import Reopened, reopened
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.initial_session import (
    is_of_example,
    kernel_for,
    kernel_of_family,
)
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sources import Sources
from kpca_viewer.engine.store import History, SessionStore
from kpca_viewer.engine.views import Views
from kpca_viewer.features.registry import stages
from kpca_viewer.window import messages
from kpca_viewer.window.message_queue import Messages


@dataclass(frozen=True)
class LeftSession:
    """A session that is left for a while."""

    history: History
    views: Views
    new_rows: Dataset | None = None
    kernels: Mapping[str, KernelSettings] = field(default_factory=dict)
    before_example: KernelSettings | None = None


class OpenedData(QObject):
    """Puts tables, sessions and new rows into the store.

    Parameters
    ----------
    sources : mapping of str to Dataset or Table
        Data that the settings may name.

    Attributes
    ----------
    sources : Sources
        Everything that was opened, by the name that the settings use.
    new_rows : Dataset or None
        Rows of a second file, which are projected beside the data.
    """

    changed = Signal()
    """Something else has to be computed, though the settings are the same."""

    def __init__(
        self,
        store: SessionStore,
        messages: Messages,
        sources: Mapping[str, Dataset | Table],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._messages = messages
        self.sources = Sources()
        self.sources.update(sources)
        self.new_rows: Dataset | None = None
        self._kernels: dict[str, KernelSettings] = {}
        self._data: dict[str, DataSettings] = {}
        self._before_example: KernelSettings | None = None
        self._reopened: Reopened | None = None
        store.changed.connect(self._on_store_changed)

    def take(
        self,
        settings: SessionSettings,
        gesture: str | None = None,
        notes: Notes | None = None,
    ) -> None:
        """Take a change; other data and another kernel come back as they were left.

        What is noted then says the rest as well.
        """
        now, family = self._store.settings, settings.kernel.family
        if notes is not None:
            self._store.update(settings, gesture, notes)
            return
        if settings.data.source != now.data.source:
            # A file that was open before comes back with its columns as they were.
            known = self._data.get(settings.data.source, settings.data)
            # Points that are drawn are looked at with the kernel that is there.
            others = known.drawn is None
            self._show(replace(settings, data=known), others=others)
            return
        if family != now.kernel.family:
            first = kernel_of_family(family, settings.data.source)
            kernel = self._kernels.get(family, first)
            settings = replace(settings, kernel=kernel)
        self._store.update(settings, gesture)

    def open_table(
        self,
        table: Table,
        importing: ImportSettings,
        scaling: Any,
        *,
        keeps_kernel: bool = False,
    ) -> None:
        """Show a table as the sheet says; one step of the history.

        Parameters
        ----------
        keeps_kernel : bool
            Whether the values of the kernel are meant for this table.
        """
        key, settings = self.sources.free_key(table.key, table), self._store.settings
        # Opened again, or with other columns: its rows are still left out.
        again = settings.data.source == key
        data = DataSettings(
            source=key,
            scaling=scaling,
            importing=importing,
            excluded=settings.data.excluded if again else None,
            groups=settings.data.groups if again else (),
            column_scaling=_of_features(settings.data, importing) if again else (),
        ).with_scaling(scaling)
        known = self.sources.get(key) is table
        known = known and data.of_points() == settings.data.of_points()
        self.sources[key] = table
        # The same points in other colours: who has chosen a label wants to see it.
        view = (
            replace(settings.view, color_by="label")
            if known
            else settings.view.for_source(key)
        )
        same = data == settings.data
        others = not known and not keeps_kernel
        self._show(replace(settings, data=data, view=view), others=others)
        if same:
            self.changed.emit()

    def open_document(
        self,
        document: Document,
        sources: Mapping[str, Dataset | Table],
        title: str = "",
    ) -> None:
        """Show a session; its selection follows with the first result.

        Parameters
        ----------
        title : str
            Under which it can be undone; empty where there is nothing to go back to.
        """
        store = self._store
        found = reopened(document, store.settings, store.notes, self.sources, sources)
        self._reopened, settings, notes = found, found.settings, found.notes
        same = not settings.needs_analysis(store.settings, stages())
        if title:
            store.open(settings, notes, title)
        else:
            store.reset(settings, notes)
        if document.unread:
            self._messages.show(messages.PINS_UNREAD)
        if same:
            self.changed.emit()

    def leave(self, views: Views) -> LeftSession:
        """Return all that brings the present session back."""
        return LeftSession(
            self._store.history,
            views,
            self.new_rows,
            dict(self._kernels),
            self._before_example,
        )

    def bring_back(self, left: LeftSession) -> None:
        """Show a session that was left, with its history."""
        state = left.history.state
        same = not state.settings.needs_analysis(self._store.settings, stages())
        self._reopened = Reopened(state.settings, state.notes, left.views)
        self._store.bring_back(left.history)
        self.new_rows, self._kernels = left.new_rows, dict(left.kernels)
        self._before_example = left.before_example
        if same or self.new_rows is not None:
            self.changed.emit()

    def take_reopened(self) -> Reopened | None:
        """Return the session that the next result is of, once; None for none."""
        found, self._reopened = self._reopened, None
        return found

    def set_new_rows(self, rows: Dataset | None) -> None:
        """Project these rows beside the data, or none."""
        self.new_rows = rows
        self.changed.emit()

    def present_table(self) -> tuple[Table, ImportSettings, Any] | None:
        """Return the table behind the picture with its import settings."""
        data = self._store.settings.data
        table = self.sources.get(data.source)
        if not isinstance(table, Table) or data.importing is None:
            return None
        return table, data.importing, data.scaling

    def _show(self, settings: SessionSettings, *, others: bool) -> None:
        """Show data; other ones begin with what suits them, wherever they come from."""
        old = self._store.settings
        if others:
            kernel = kernel_for(settings.data.source, old, self._before_example)
            settings = replace(settings, kernel=kernel)
        self._store.update(settings)
        self._messages.say_left_behind(old, settings)

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        if new.data.importing is not None or new.data.drawn is not None:
            self._data[new.data.source] = new.data
        if new.data.of_columns() != old.data.of_columns():
            self.new_rows = None
        if is_of_example(new) and not is_of_example(old):
            self._before_example = old.kernel
        if new.data.source != old.data.source:
            self._kernels.clear()
            # Advice and news were about the data before.
            self._messages.forget()
        else:
            self._kernels[old.kernel.family] = old.kernel


def _of_features(data: DataSettings, importing: ImportSettings) -> ColumnScalings:
    """Return the scalings of those columns that are still features."""
    features = set(importing.columns("feature"))
    return tuple(pair for pair in data.column_scaling if pair[0] in features)
