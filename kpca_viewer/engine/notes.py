"""What stands beside the settings: selection, names, new points, pins, sweep, choice.

Together with the settings they are one step of the history and one session file.
"""

from dataclasses import dataclass, field, replace
from typing import Self

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.kernels.families import follows_data
from kpca_viewer.data.dataset import Dataset, IntArray
from kpca_viewer.data.table import listed
from kpca_viewer.engine.choice_note import ChoiceNote
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.rows.row_set import MOST_SAVED, RowAnchor
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.sweep.parameters import title_of
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import DataError

Place = tuple[float, float]

LONGEST_NAME = 200
"""Letters of a name that a person gives; more would be a text."""


@dataclass(frozen=True)
class PinNote:
    """A picture that is kept for a comparison, without its points."""

    name: str
    settings: SessionSettings
    """From which the points are computed again."""
    measures: tuple[tuple[str, float], ...] = ()
    """Pairs (key, value)."""
    content: str = ""
    """Hash of the file that it is a picture of; empty for data that are no file."""


@dataclass(frozen=True)
class SweepNote:
    """A sweep, and the settings around which it was computed."""

    sweep: SweepSettings
    base: SessionSettings
    cancelled: bool = False
    """Whether it was cancelled: it does not begin by itself again."""


@dataclass(frozen=True)
class Selected:
    """Which rows are selected, small enough for every step of a history."""

    rows: int
    """Of the data."""
    bits: bytes = field(repr=False)
    """One for each row, from the first on."""

    @classmethod
    def of(cls, mask: Array | None) -> "Selected | None":
        """Return a mask (n,) in few bytes; None for none, or for one of nothing."""
        if mask is None or not mask.any():
            return None
        if mask.ndim != 1:
            raise DataError("A selection has one flag per row; give one dimension.")
        return cls(len(mask), np.packbits(mask).tobytes())

    def mask(self) -> NDArray[np.bool_]:
        flags = np.frombuffer(self.bits, dtype=np.uint8)
        return np.unpackbits(flags, count=self.rows).astype(bool)

    @property
    def count(self) -> int:
        return int(self.mask().sum())


@dataclass(frozen=True)
class Notes:
    """All of them."""

    row_names: tuple[tuple[int, str], ...] = ()
    """Pairs (row, name). Given by the person, sorted by row."""
    pins: tuple[PinNote, ...] = ()
    sweep: SweepNote | None = None
    selected: Selected | None = None
    new_points: tuple[Place, ...] = ()
    """Pairs (x, y). Dropped into the plane of the data."""
    anchor: RowAnchor | None = field(default=None, compare=False, repr=False)
    """Tells which rows are named and selected, should the file change."""
    choice: ChoiceNote | None = None
    """The evidence for kernels that was found last."""

    @property
    def noted_rows(self) -> NDArray[np.int64]:
        """Rows that have a name or are selected, ascending."""
        named = np.array([row for row, _ in self.row_names], dtype=np.int64)
        if self.selected is None:
            return named
        return np.union1d(named, np.flatnonzero(self.selected.mask()))

    @property
    def saved_anchor(self) -> RowAnchor | None:
        """The keys that a session file holds: those of the rows that are noted.

        Of very many selected rows, only those that have a name.
        """
        rows = self.noted_rows
        if self.anchor is None or not len(rows):
            return None
        if len(rows) > MOST_SAVED:
            rows = replace(self, selected=None).noted_rows
        return self.anchor.some(rows)

    def same(self, other: "Notes") -> bool:
        """Return whether other notes say the same, also in a file that has changed."""
        ours, theirs = self.saved_anchor, other.saved_anchor
        return self == other and (theirs is None if ours is None else ours.same(theirs))

    def with_name(self, row: int, name: str) -> Self:
        """Return a copy in which a row has a name; an empty one takes it away."""
        names = dict(self.row_names)
        names.pop(row, None)
        text = " ".join(name.split())[:LONGEST_NAME]
        if text:
            names[row] = text
        return replace(self, row_names=tuple(sorted(names.items())))

    def with_source(self, old: str, new: str) -> Self:
        """Return a copy that calls some data by another name."""

        def renamed(settings: SessionSettings) -> SessionSettings:
            data = settings.data
            if data.source != old:
                return settings
            return replace(settings, data=replace(data, source=new))

        sweep = self.sweep
        return replace(
            self,
            pins=tuple(replace(p, settings=renamed(p.settings)) for p in self.pins),
            sweep=sweep and replace(sweep, base=renamed(sweep.base)),
            choice=self.choice and self.choice.with_source(old, new),
        )

    def for_data(self, old: DataSettings, new: DataSettings) -> Self:
        """Return what is left when other data are chosen: rows are other rows then."""
        if rows_of(old) == rows_of(new):
            return self
        return replace(self, row_names=(), selected=None, new_points=(), anchor=None)


def describe_notes(old: Notes, new: Notes) -> str:
    """Name the step from one state to another: "name “odd”"."""
    if old.choice != new.choice:
        return "comparison of kernels"
    if old.sweep != new.sweep:
        return _describe_sweep(old.sweep, new.sweep)
    if old.pins != new.pins:
        return _describe_pins(old.pins, new.pins)
    if old.new_points != new.new_points:
        return _describe_points(len(old.new_points), len(new.new_points))
    if old.row_names == new.row_names:
        return _describe_selection(new.selected)
    return _describe_names(dict(old.row_names), dict(new.row_names))


def _describe_sweep(old: SweepNote | None, new: SweepNote | None) -> str:
    note = new or old
    assert note is not None
    over = " and ".join(title_of(axis.parameter) for axis in note.sweep.axes)
    return f"sweep over {over}" + ("" if new is not None else " put away")


def _describe_pins(old: tuple[PinNote, ...], new: tuple[PinNote, ...]) -> str:
    if len(new) >= len(old):
        return f"pin {new[-1].name}"
    gone = next((a for a, b in zip(old, new, strict=False) if a != b), old[-1])
    return f"removal of pin {gone.name}"


def _describe_points(old: int, new: int) -> str:
    if new == old:
        return "move of a new point"
    if new > old:
        return "new point" if new == old + 1 else "new points"
    return "removal of a new point" if new == old - 1 else "removal of all new points"


def _describe_selection(new: Selected | None) -> str:
    if new is None:
        return "clearing of the selection"
    count = new.count
    return "selection of one row" if count == 1 else f"selection of {count:,} rows"


def _describe_names(old: dict[int, str], new: dict[int, str]) -> str:
    changed = sorted(
        row for row in old.keys() | new.keys() if old.get(row) != new.get(row)
    )
    if len(changed) == 1:
        row = changed[0]
        if row in new:
            # Not its number: where rows are left out, that is known by the data only.
            return f"name “{new[row]}”"
        return f"removal of the name “{old[row]}”"
    return f"names of {len(changed):,} rows" if changed else "nothing"


def rows_of(data: DataSettings) -> tuple[object, ...]:
    """Return what decides which row is which."""
    importing = data.importing
    kept = None
    if importing is not None:
        kept = (
            importing.missing,
            importing.treat_text_as_missing,
            importing.missing_words,
            importing.left_out,
            importing.sample,
            importing.sample_seed,
            # Other features have their missing values in other rows.
            (importing.columns("feature"), importing.sentinels)
            if importing.missing == "drop"
            else (),
        )
    return data.source, data.values, data.seed, kept, data.excluded


@dataclass(frozen=True)
class Lost:
    """What is not in the file any more."""

    names: tuple[str, ...] = ()
    """Of rows."""
    selected: int = 0
    """How many of the selected rows."""
    of: int = 0
    """How many were selected."""

    def __bool__(self) -> bool:
        return bool(self.names or self.selected)

    def text(self, name: str) -> str:
        """Return it as a sentence about data with a name."""
        parts = []
        if self.names:
            what = "the row named" if len(self.names) == 1 else "the rows named"
            parts.append(f"{what} {listed(self.names)}")
        if self.selected:
            parts.append(f"{self.selected:,} of {self.of:,} selected rows")
        return f"Not in “{name}” any more: {' and '.join(parts)}."


def follow(notes: Notes, dataset: Dataset, now: RowAnchor) -> tuple[Notes, Lost]:
    """Return notes on the rows that they are about, wherever these are now.

    Their anchor is that of the file as it was; the other one is of what it has become.
    """
    assert notes.anchor is not None
    rows = notes.noted_rows
    places = notes.anchor.find(rows, dataset)
    found = dict(zip(rows.tolist(), places.tolist(), strict=True))
    names = {found[row]: name for row, name in notes.row_names if found[row] >= 0}
    lost = tuple(name for row, name in notes.row_names if found[row] < 0)
    selected, gone, of = None, 0, 0
    if notes.selected is not None:
        before = np.flatnonzero(notes.selected.mask())
        after = places[np.searchsorted(rows, before)]
        mask = np.zeros(dataset.n, dtype=bool)
        mask[after[after >= 0]] = True
        selected, gone, of = Selected.of(mask), int((after < 0).sum()), len(before)
    moved = replace(
        notes, row_names=tuple(sorted(names.items())), selected=selected, anchor=now
    )
    return moved, Lost(lost, gone, of)


def renumbered(notes: Notes, places: IntArray, count: int) -> Notes:
    """Return notes for rows at other places (n,), −1 for gone, of so many."""
    names = tuple(
        (int(places[row]), name)
        for row, name in notes.row_names
        if row < len(places) and places[row] >= 0
    )
    selected = None
    if notes.selected is not None and notes.selected.rows == len(places):
        mask = np.zeros(count, dtype=bool)
        there = places[notes.selected.mask()]
        mask[there[there >= 0]] = True
        selected = Selected.of(mask)
    return replace(notes, row_names=names, selected=selected, anchor=None)


def kernel_in_use(
    settings: SessionSettings, result: AnalysisResult | None
) -> KernelSettings:
    """Return the kernel with the values in use, where rows come or go.

    A suggestion that followed every row would change the picture in silence. Of points
    that are drawn already, what was left to the suggestion still follows it.
    """
    kernel = settings.kernel
    if settings.data.drawn is not None or result is None or result.kernel is None:
        return kernel
    if result.kernel.family.name != kernel.family:
        return kernel
    own = dict(kernel.values)
    used = {n: v for n, v in result.kernel.values.items() if follows_data(n)}
    kept = (*kernel.kept, *sorted(used.keys() - own.keys()))
    return replace(kernel, values=as_values({**used, **own}), kept=kept)
