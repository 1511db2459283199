"""Pins: pictures that are kept for a comparison, in history and session."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from PySide6.QtCore import QObject, Signal, Slot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.data.table import Table
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.notes import Notes, PinNote
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.runner import Runner
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.engine.sweep.measures import (
    MEASURES,
    SpectrumFacts,
    row_scores,
    spectrum_measures,
)
from kpca_viewer.features.pins.text import (
    changed_pin_text,
    describe_kernel,
    lost_pin_text,
)
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import percent
from kpca_viewer.support.progress import Progress, ShouldStop, check
from kpca_viewer.widgets.plots.coloring import coloring
from kpca_viewer.widgets.thumbnails import Shades

MOST_PINS = 24

ROWS, LABELLED, CHANCE, FIRST = "rows", "labelled", "chance", "first"
"""Kept beside the measures: of how many rows those of neighbourhoods and of classes
are, the share of the largest class, and of how many components they are where those
are not the ones that are shown."""


@dataclass(frozen=True, eq=False)
class Pin:
    """A picture that is kept for a comparison."""

    title: str
    settings: SessionSettings
    coordinates: Array = field(repr=False)
    """Shape (n, 2 or 3). Of the rows, on the components that the embedding showed."""
    rows: Array = field(repr=False)
    """Shape (n,). Which rows of the data they are."""
    count: int = 0
    """Rows of the data."""
    names: tuple[str, ...] = ("PC 1", "PC 2")
    """Of the axes."""
    measures: Mapping[str, float | None] = field(default_factory=dict, repr=False)
    """Of the picture on all of `axes`."""
    shades: Shades = field(default_factory=Shades, repr=False)
    """The colours of all rows of the data, as they were."""
    is_scored: bool = True
    """Whether all measures are there; the slower ones come after the picture."""
    content: str = ""
    """Hash of the file that it is a picture of; empty for data that are no file."""

    @property
    def axes(self) -> tuple[int, ...]:
        return self.settings.view.shown_axes

    @property
    def scored_axes(self) -> tuple[int, ...]:
        """The components that were measured: those shown, or the first few."""
        first = self.measures.get(FIRST)
        return self.axes if first is None else tuple(range(int(first)))

    @property
    def scored_rows(self) -> int | None:
        """Of how many rows the measures of neighbourhoods are, where that is known."""
        return _whole(self.measures.get(ROWS))

    @property
    def scored_labelled(self) -> int | None:
        """The same for the measures of classes."""
        return _whole(self.measures.get(LABELLED))

    @property
    def largest_class(self) -> float | None:
        """Its share of the rows with a class: what accuracies are held against."""
        return self.measures.get(CHANCE)

    @classmethod
    def of_result(cls, result: AnalysisResult, shades: Shades | None = None) -> "Pin":
        """Pin what is on the board, in these colours or those of its settings."""
        axes = result.settings.view.shown_axes
        scores = np.zeros((result.dataset.n, len(axes)))
        for place, axis in enumerate(axes):
            if axis < result.scores.shape[1]:
                scores[:, place] = result.scores[:, axis]
        facts = SpectrumFacts(
            result.shares, result.effective_rank, result.decomposition.error
        )
        known: dict[str, float | None] = {**spectrum_measures(facts)}
        if result.comparison is not None:
            quality = result.comparison.kernel
            known |= {
                key: getattr(quality, key)
                for key in (*row_scores(), ROWS, LABELLED, CHANCE)
            }
        kept = (*compared_by(), ROWS, LABELLED, CHANCE)
        measures = {key: known[key] for key in kept if key in known}
        return cls(
            describe_kernel(result.settings, result.suggested),
            result.settings,
            scores,
            np.arange(result.dataset.n),
            result.dataset.n,
            _names(axes, result.shares),
            measures,
            shades or Shades.of(coloring(result, result.settings.view)),
            result.comparison is not None,
        )


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def compared_by() -> tuple[str, ...]:
    return tuple(key for key, measure in MEASURES.items() if measure.in_pins)


def _names(axes: tuple[int, ...], shares: Array) -> tuple[str, ...]:
    names = []
    for axis in axes:
        share = f" ({percent(float(shares[axis]))})" if axis < len(shares) else ""
        names.append(f"PC {axis + 1}{share}" if share else "–")
    return tuple(names)


def subject(data: DataSettings, content: str = "") -> tuple[object, ...]:
    """Return what makes rows the same ones; noise or a hand only moves them.

    With other ``content``, the hash of a file, the same name means other rows.
    """
    drawn = None if data.drawn is None else len(data.drawn)
    return data.source, data.importing, data.seed, data.excluded, drawn, content


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
        self.lost: set[PinNote] = set()
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
    def busy(self) -> bool:
        return self._runner is not None and self._runner.busy

    def close(self) -> None:
        if self._runner is not None:
            self._runner.close()

    @Slot(object, object)
    def _on_notes_changed(self, old: Notes, new: Notes) -> None:
        if old.pins == new.pins:
            return
        if not self._pictures.keys() >= set(new.pins) - self.lost:
            self._compute()
        self.pins_changed.emit(self.pictures)

    def _compute(self) -> None:
        """Compute pins that lack their points or some of their measures."""
        incomplete = tuple(
            note
            for note in dict.fromkeys(self._store.notes.pins)
            if note not in self.lost
            and (note not in self._pictures or not self._pictures[note].is_scored)
        )
        if self._runner is None:
            self._runner = Runner(_work, self)
            self._runner.result_ready.connect(self._on_computed)
        self._runner.submit((incomplete, dict(self._opened)))

    def look_again(self) -> None:
        """Look for data that were missing: other data are open now."""
        if self.lost:
            self.lost.clear()
            self._compute()

    @Slot(object)
    def _on_computed(self, answer: _Answer | None) -> None:
        if answer is None:
            return
        if answer.pin is None:
            self.lost.add(answer.note)
            self.failed.emit(lost_pin_text(answer.note.name, answer.error))
            return
        pin, known = answer.pin, self._pictures.get(answer.note)
        if known is not None:
            # Its points and colours are those that were seen.
            pin = replace(known, measures=pin.measures, is_scored=True)
        self._pictures[answer.note] = pin
        self.pins_changed.emit(self.pictures)
        if answer.error:
            self.failed.emit(answer.error)


def _work(
    order: tuple[tuple[PinNote, ...], Mapping[str, Dataset | Table]],
    should_stop: ShouldStop,
    progress: Progress,
    publish: Callable[[Any], None],
) -> None:
    """Compute pins one after the other, on a thread of their own."""
    notes, opened = order
    cache = StageCache()
    for note in notes:
        check(should_stop)
        publish(_computed(note, opened, cache, should_stop, progress))


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
        # Of other rows, or it is not known of which: not the scores of this picture.
        kept = {}
    pin = replace(
        pin,
        title=note.name,
        settings=note.settings,
        measures={**pin.measures, **kept},
        content=content,
    )
    return _Answer(
        note, pin, changed_pin_text(note.settings.data.source) if changed else ""
    )


def content_of(opened: Mapping[str, Dataset | Table], data: DataSettings) -> str:
    """Return the hash of the file behind some data; empty where there is none."""
    source = opened.get(data.source)
    return source.content_hash if isinstance(source, Table) else ""
