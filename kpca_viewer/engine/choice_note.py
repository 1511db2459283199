"""ChoiceNote: the evidence for a kernel, small enough for history and session file."""

from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.methods.kernel_ranking import (
    Choice,
    Evidence,
    Line,
    Row,
    Tried,
    Values,
)
from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import readable, spelled

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class RowNote:
    """A row of a choice, with the two curves that its value and count stand on."""

    family: str
    value: float | None
    components: int
    score: float
    error: float
    fixed: Values = ()
    scanned: str | None = None
    real: int | None = None
    stability: float | None = None
    stable: tuple[float, float] | None = None
    seconds: float = 0.0
    refined: bool = True
    values: Numbers = ()
    """Of the line, ascending, where there is a score with as many components."""
    scores: Numbers = ()
    errors: Numbers = ()
    """With as many components, one for each of the values."""
    counted: Numbers = ()
    counted_errors: Numbers = ()
    """At the value of the row, with 1, 2, … components."""

    @classmethod
    def of(cls, row: Row) -> "RowNote":
        """Take the numbers of a row."""
        line, place = row.line, row.components - 1
        known = [one for one in row.tried if _has_score(one, place)]
        own = next((one for one in known if one.value == row.value), None)
        along = [one for one in known if one.value is not None]
        return cls(
            family=line.family,
            fixed=line.fixed,
            scanned=line.scanned,
            values=tuple(float(one.value) for one in along if one.value is not None),
            scores=_numbers([one.scores[place] for one in along]),
            errors=_numbers([one.errors[place] for one in along]),
            counted=() if own is None else _numbers(own.scores),
            counted_errors=() if own is None else _numbers(own.errors),
            **_shared(row, Row, cls),
        )

    @property
    def line(self) -> Line:
        return Line(self.family, self.fixed, self.scanned)

    def row(self) -> Row:
        """Return the row; scores that were not kept are NaN."""
        return Row(line=self.line, tried=tuple(self._tried()), **_shared(self, Row))

    def _tried(self) -> list[Tried]:
        line, own = self.line, (np.array(self.counted), np.array(self.counted_errors))
        if self.value is None:
            return [Tried(line, None, *own)]
        kept = zip(self.values, self.scores, self.errors, strict=True)
        return [
            Tried(line, value, *own)
            if value == self.value
            else Tried(line, value, self._alone(score), self._alone(error))
            for value, score, error in kept
        ]

    def _alone(self, number: float) -> Array:
        numbers = np.full(self.components, np.nan)
        numbers[-1] = number
        return numbers


@dataclass(frozen=True)
class ChoiceNote:
    """What a search has found, and on which data."""

    data: DataSettings
    evidence: Evidence
    rows: tuple[RowNote, ...]
    best: int = 0
    chance: float | None = None
    folds: int = 0
    repeats: int = 0
    seed: int = 0
    n: int = 0
    rules: tuple[tuple[str, float], ...] = ()
    notes: tuple[str, ...] = ()
    is_complete: bool = True
    taken: int | None = None
    """Place of the row that was taken; None where none was yet."""
    highest: tuple[float | None, float, float] | None = None
    corrected: float | None = None
    luck: float | None = None
    """As `Choice` has them."""

    @classmethod
    def of(cls, choice: Choice, data: DataSettings) -> "ChoiceNote":
        """Take the numbers of a choice."""
        rows = tuple(RowNote.of(row) for row in choice.rows)
        shared = _shared(choice, Choice, cls) | {"rows": rows}
        return cls(data=data.ungrouped(), **shared)

    def choice(self) -> Choice:
        """Return the choice, with as many curves as were kept."""
        rows = tuple(row.row() for row in self.rows)
        return Choice(**_shared(self, Choice) | {"rows": rows})

    def is_of(self, data: DataSettings) -> bool:
        """Whether it is about these rows on this scale, with these classes."""
        return self.data == data.ungrouped()

    def with_source(self, old: str, new: str) -> "ChoiceNote":
        if self.data.source != old:
            return self
        return replace(self, data=replace(self.data, source=new))

    @property
    def taken_row(self) -> Row | None:
        return None if self.taken is None else self.rows[self.taken].row()


def kernel_of(row: Row) -> tuple[str, Values]:
    """Return the kernel of a row with all of its values, as settings name them."""
    return row.line.family, as_values(row.kernel.values)


def with_row(settings: SessionSettings, row: Row) -> SessionSettings:
    """Return settings in which a row of a choice is what one looks at.

    Scores are of the first components of the centred kernel, so these are shown. A
    picture has two axes or three, however few components are enough.
    """
    axes = len(settings.view.shown_axes)
    settings = settings.with_center(True) if not settings.analysis.center else settings
    analysis = replace(settings.analysis, components=max(row.components, axes))
    view = replace(settings.view, axes=(0, 1, 2))
    family, values = kernel_of(row)
    kernel = replace(settings.kernel, family=family, values=values)
    return replace(settings, kernel=kernel, analysis=analysis, view=view)


def is_taken(settings: SessionSettings, row: Row) -> bool:
    wanted = with_row(settings, row)
    return (settings.kernel, settings.analysis) == (wanted.kernel, wanted.analysis)


def _has_score(one: Tried, place: int) -> bool:
    """Whether a value has a score with so many components; JSON has no word for NaN."""
    return len(one.scores) > place and bool(
        np.isfinite([one.scores[place], one.errors[place]]).all()
    )


def _shared(value: Any, *kinds: type) -> dict[str, Any]:
    """Return the fields of a value that all of some dataclasses have."""
    names = set.intersection(
        *({f.name for f in fields(k)} for k in (type(value), *kinds))
    )
    return {name: getattr(value, name) for name in names}


def _numbers(numbers: Any) -> Numbers:
    """Return all digits: what is rounded twice may end with another one."""
    return tuple(float(number) for number in numbers)


DIGITS = 3
"""Of a value: as many as it was tried with."""


def kernel_words(row: Row | Tried) -> str:
    """Return the kernel of a setting with its values: "RBF γ = 4.1"."""
    family = FAMILIES[row.line.family]
    known = dict(row.line.fixed)
    if row.line.scanned is not None and row.value is not None:
        known[row.line.scanned] = row.value
    values = ", ".join(
        f"{p.symbol} = {readable(known[p.name], DIGITS)}"
        for p in family.parameters
        if p.name in known
    )
    return f"{family.short or family.title} {values}".strip()


def describe_choice(
    old: SessionSettings, new: SessionSettings, note: ChoiceNote | None
) -> str:
    """Name the step that takes a row of a choice; empty for a step of another kind."""
    row = None if note is None else note.taken_row
    if row is None or not is_taken(new, row) or is_taken(old, row):
        return ""
    return f"choice of {kernel_words(row)}, {spelled(row.components, 'component')}"
