"""Pins as part of the session: kept in the history, computed again when opened."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.notes import Notes, PinNote
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import DataSettings, source_title
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.features.sweep.compare import MOST_PINS
from kpca_viewer.features.sweep.view.compare.pin import ROWS, Pin
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.progress import Progress, ShouldStop, check


@dataclass(frozen=True, eq=False)
class _PinOrder:
    """Pins whose points are wanted."""

    notes: tuple[PinNote, ...]
    opened: Mapping[str, Dataset | Table]


@dataclass(frozen=True, eq=False)
class _Answer:
    """A pin with its points, or why there are none, or not those that were seen."""

    note: PinNote
    pin: Pin | None
    error: str = ""


class Pins(QObject):
    """The pictures behind the pins of the store."""

    pins_changed = Signal(object)
    """All pins whose points are there, the oldest first."""
    failed = Signal(object)
    """One sentence about a pin that could not be computed again, or not as it was."""

    def __init__(
        self,
        store: SessionStore,
        opened: Mapping[str, Dataset | Table],
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._store = store
        self._opened = opened
        self._pictures: dict[PinNote, Pin] = {}
        self._lost: set[PinNote] = set()
        self._runner: Runner | None = None
        store.notes_changed.connect(self._on_notes_changed)

    def add(self, pin: Pin) -> None:
        """Keep a picture; a step of the history."""
        measures = tuple(
            (key, float(value))
            for key, value in pin.measures.items()
            if value is not None
        )
        content = content_of(self._opened, pin.settings.data)
        pin = replace(pin, content=content)
        note = PinNote(pin.title, pin.settings, measures, content)
        self._pictures[note] = pin
        notes = self._store.notes
        kept = (*notes.pins, note)[-MOST_PINS:]
        self._store.note(replace(notes, pins=kept))
        if not pin.is_scored:
            self._compute()

    @Slot(object)
    def remove(self, pin: Pin) -> None:
        """Forget a picture; a step of the history."""
        notes = self._store.notes
        for place, note in enumerate(notes.pins):
            if self._pictures.get(note) is pin:
                kept = notes.pins[:place] + notes.pins[place + 1 :]
                self._store.note(replace(notes, pins=kept))
                return

    @property
    def pictures(self) -> list[Pin]:
        """All pins whose points are there, the oldest first."""
        ready = [self._pictures.get(note) for note in self._store.notes.pins]
        return [pin for pin in ready if pin is not None]

    @property
    def lost(self) -> frozenset[PinNote]:
        return frozenset(self._lost)

    @property
    def busy(self) -> bool:
        return self._runner is not None and self._runner.busy

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    @Slot(object, object)
    def _on_notes_changed(self, old: Notes, new: Notes) -> None:
        if old.pins == new.pins:
            return
        if not self._pictures.keys() >= set(new.pins) - self._lost:
            self._compute()
        self._show()

    def _compute(self) -> None:
        """Compute pins that lack their points or some of their measures."""
        incomplete = tuple(
            note
            for note in dict.fromkeys(self._store.notes.pins)
            if note not in self._lost and not self._is_complete(note)
        )
        if self._runner is None:
            self._runner = Runner(_worker(), self)
            self._runner.result_ready.connect(self._on_computed)
        self._runner.submit(_PinOrder(incomplete, dict(self._opened)))

    def _is_complete(self, note: PinNote) -> bool:
        pin = self._pictures.get(note)
        return pin is not None and pin.is_scored

    def look_again(self) -> None:
        """Look for data that were missing: other data are open now."""
        if self._lost:
            self._lost.clear()
            self._compute()

    def _show(self) -> None:
        self.pins_changed.emit(self.pictures)

    @Slot(object)
    def _on_computed(self, answer: _Answer | None) -> None:
        if answer is None:
            return
        if answer.pin is None:
            self._lost.add(answer.note)
            self.failed.emit(
                f"The pin “{answer.note.name}” has no picture: {answer.error}"
            )
            return
        pin, known = answer.pin, self._pictures.get(answer.note)
        if known is not None:
            # Its points and colours are those that were seen.
            pin = replace(known, measures=pin.measures, is_scored=True)
        self._pictures[answer.note] = pin
        self._show()
        if answer.error:
            self.failed.emit(answer.error)


def _worker() -> Callable[..., _Answer | None]:
    """Return what computes pins one after the other, on a thread of its own."""
    cache = StageCache()

    def work(
        order: _PinOrder,
        should_stop: ShouldStop,
        progress: Progress,
        publish: Callable[[Any], None],
    ) -> None:
        for note in order.notes:
            check(should_stop)
            publish(_computed(note, order.opened, cache, should_stop, progress))

    return work


def _computed(
    note: PinNote,
    opened: Mapping[str, Dataset | Table],
    cache: StageCache,
    should_stop: ShouldStop,
    progress: Progress,
) -> _Answer:
    from kpca_viewer.engine.analysis import run

    # Isolines are for the plot of the data, which a pin has not; nor has it arrows.
    view = replace(note.settings.view, isolines=False, arrows="off")
    settings = replace(note.settings, view=view)
    try:
        result = run(AnalysisRequest(settings, opened), cache, should_stop, progress)
    except (KpcaError, MemoryError) as error:
        return _Answer(note, None, str(error) or "there is not enough memory.")
    pin, content = Pin.of_result(result), content_of(opened, settings.data)
    # Data inside a session are no file, whose content is not known then.
    changed = bool(content) and note.content not in ("", content)
    kept = dict(note.measures)
    if changed or ROWS not in kept:
        # Of other rows, or nobody knows of which: not the scores of this picture.
        kept = {}
    pin = replace(
        pin,
        title=note.name,
        settings=note.settings,
        measures={**pin.measures, **kept},
        content=content,
    )
    return _Answer(note, pin, _changed_text(note) if changed else "")


def content_of(opened: Mapping[str, Dataset | Table], data: DataSettings) -> str:
    """Return the hash of the file behind some data; empty where there is none."""
    source = opened.get(data.source)
    return source.content_hash if isinstance(source, Table) else ""


def _changed_text(note: PinNote) -> str:
    # Of the data, not of the pin: many pins of one file have one message.
    return (
        f"“{source_title(note.settings.data.source)}” has changed since it was pinned; "
        "the pictures and scores of its pins are those of now."
    )
