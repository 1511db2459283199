"""Families × values × components, coarse to fine, the most useful first.

Every setting is tried for itself (`prediction`, `structure`), on any thread; they take
their places in the order in which they were asked for, so that no digit depends on
threads.

What is known of the row of a line beside its score: real components, stability.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.methods.bandwidth_rules import (
    Rules,
    bandwidth_rules,
    disagreement,
)
from kpca_viewer.core.methods.kernel_ranking import (
    Choice,
    Line,
    Row,
    Tried,
    at_peak,
    between,
    by_line,
    clearly_worse,
    coarse_values,
    lines,
    peak,
    place_of_best,
    ranked,
)
from kpca_viewer.core.methods.parallel_analysis import STRUCTURE_ROWS, parallel_analysis
from kpca_viewer.core.methods.stability import similarity, stability, stable_window
from kpca_viewer.support.arrays import Array
from kpca_viewer.support.errors import Cancelled, DataError, KpcaError
from kpca_viewer.support.numerals import fixed, readable
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import MOST_THREADS, cores, in_order

STEPS = 7
"""Values of a line that are tried first."""

ROUNDS = 3
"""How often the gaps beside a value of a line are halved: the best one at first, then
the one that would be taken."""

Publish = Callable[[Choice], None]

Job = tuple[Line, float | None]


def unpublished(choice: Choice) -> None:
    """Publish nothing before the end."""


class Tries(Protocol):
    """Evidence by which settings are compared."""

    @property
    def seen(self) -> Array:
        """Shape (n, d). The rows as a kernel sees them that learns from all."""

    @property
    def k(self) -> int:
        """Components that are tried at most."""

    @property
    def facts(self) -> Choice:
        """What is known of all settings, without rows."""

    def of(self, line: Line, value: float | None, stop: ShouldStop = never) -> Tried:
        """Return a setting with its scores, or with why there are none."""

    def corrected(self, tried: Sequence[Tried]) -> float | None:
        """Return the score of the choice among them, as far as one is known."""

    def luck(self) -> float | None:
        """Return how often independent columns do as well, where that is known."""


class Search:
    """A search over kernels.

    ``tries``: what settings are compared by; ``families``: all kernels by default;
    linear PCA is always among them; ``notes``: what could not be asked.
    """

    def __init__(
        self,
        tries: Tries,
        families: Sequence[str] | None = None,
        notes: Sequence[str] = (),
    ) -> None:
        self._tries = tries
        self._families = families
        self._notes = tuple(notes)
        self._tried: list[Tried] = []
        self._refined: set[Line] = set()
        self._rows: tuple[Row, ...] = ()
        self._rules: Rules = ()

    def run(
        self,
        publish: Publish = unpublished,
        should_stop: ShouldStop = never,
        progress: Progress = silent,
        threads: int | None = None,
    ) -> Choice:
        """Try everything.

        ``publish``: given what is known after every setting; ``threads``: as many as
        there are cores. No digit depends on it.
        """
        count = threads or min(cores(), MOST_THREADS)
        for number in range(1 + ROUNDS):
            jobs = self._finer(by_peak=number == 1) if number else self._coarse()
            found = in_order(self._try, jobs, count, should_stop)
            for done, one in enumerate(found, start=1):
                self._tried.append(one)
                self._rows = ranked(self._tried, self._refined)
                if self._rows:
                    publish(self._choice())
                part = (number + done / len(jobs)) / (2 + ROUNDS)
                progress(f"{len(self._tried)} settings", part)
        self._refuse_nothing()
        self._show_peak()
        self._rules = bandwidth_rules(self._tries.seen, seed=self._tries.facts.seed)
        told = in_order(self._background, self._rows, count, should_stop)
        for place, row in enumerate(told):
            self._rows = (*self._rows[:place], row, *self._rows[place + 1 :])
            part = (1 + ROUNDS + (place + 1) / len(self._rows)) / (2 + ROUNDS)
            progress(f"stability of {place + 1} kernels", part)
            publish(self._choice())
        return self._choice(is_complete=True)

    def _try(self, job: Job, should_stop: ShouldStop) -> Tried:
        return self._tries.of(*job, should_stop)

    def _background(self, row: Row, should_stop: ShouldStop) -> Row:
        tries = self._tries
        return with_background(row, tries.seen, tries.k, tries.facts.seed, should_stop)

    def _refuse_nothing(self) -> None:
        if self._rows:
            return
        agreed = [one.stability for one in self._tried if one.stability is not None]
        if agreed:
            raise DataError(
                "There is nothing to choose by: under no kernel do two halves of the "
                f"rows have the same picture (they agree to {fixed(max(agreed), 2)} at "
                "most), as for noise; give classes, or more rows."
            )
        raise DataError(
            f"No kernel can be tried. The first says: {self._tried[0].refusal}"
        )

    def _show_peak(self) -> None:
        """Let the row that the first is held against have the highest score itself."""
        place = place_of_best(self._rows)
        if place:
            peaked = at_peak(self._rows[place])
            self._rows = (*self._rows[:place], peaked, *self._rows[place + 1 :])

    def _coarse(self) -> list[Job]:
        """Return the middle of every line first, then what is farther and farther."""
        seen = self._tries.seen
        known = lines(self._families)
        values = {line: coarse_values(line, seen, STEPS) for line in known}
        jobs = [
            (abs(place - (len(those) - 1) / 2), line, value)
            for line, those in values.items()
            for place, value in enumerate(those)
        ]
        return [
            (line, value) for _, line, value in sorted(jobs, key=lambda job: job[0])
        ]

    def _finer(self, *, by_peak: bool) -> list[Job]:
        best = peak(self._tried)
        jobs: list[Job] = []
        for row in ranked(self._tried):
            own = peak(row.tried)
            if best is None or own is None or row.value is None:
                continue
            if clearly_worse(own, best):
                continue
            self._refined.add(row.line)
            middle = own.tried.value if by_peak else row.value
            values = [one.value for one in row.tried if one.value is not None]
            jobs += [(row.line, value) for value in _beside(row.line, middle, values)]
        return jobs

    def _choice(self, *, is_complete: bool = False) -> Choice:
        notes = list(self._notes)
        if is_complete:
            notes += _refusals(self._tried)
            notes += [text] if (text := disagreement(self._rules)) else []
        best = place_of_best(self._rows)
        top = at_peak(self._rows[best])
        return replace(
            self._tries.facts,
            rows=self._rows,
            best=best,
            highest=(top.value, top.score, top.error),
            rules=self._rules,
            notes=tuple(notes),
            is_complete=is_complete,
            corrected=self._tries.corrected(self._tried) if is_complete else None,
            luck=self._tries.luck() if is_complete else None,
        )


def _beside(line: Line, value: float | None, known: Sequence[float]) -> list[float]:
    """Return what lies half-way between a value and its neighbours."""
    if value is None:
        return []
    place = known.index(value)
    neighbours = (*known[max(place - 1, 0) : place], *known[place + 1 : place + 2])
    found = (between(line, value, other) for other in neighbours)
    return [one for one in found if one not in known]


def _refusals(tried: Iterable[Tried]) -> list[str]:
    """Return why lines without any score have none, each reason once with its lines."""
    refused: dict[str, list[str]] = {}
    for line, those in by_line(tried).items():
        if all(one.refusal for one in those):
            refused.setdefault(those[0].refusal, []).append(_name(line))
    return [f"{', '.join(lines)}: {why}" for why, lines in refused.items()]


def _name(line: Line) -> str:
    """Return the kernel with what is not varied: "Matérn ν = 0.5"."""
    family = FAMILIES[line.family]
    symbols = {p.name: p.symbol for p in family.parameters}
    values = ", ".join(f"{symbols[n]} = {readable(v)}" for n, v in line.fixed)
    return f"{family.short or family.title} {values}".strip()


def with_background(
    row: Row, seen: Array, k: int, seed: int, stop: ShouldStop = never
) -> Row:
    """Return a row with its real components and the window of its picture.

    Where the data are too few or too narrow for one of them, it stays unknown.

    ``seen`` (n, d): the rows as a kernel sees them.
    """
    try:
        row = _with_stability(row, seen, k, seed, stop)
        return replace(row, real=_real(row, seen, k, seed, stop))
    except Cancelled:
        raise
    except KpcaError:
        return row


def _with_stability(row: Row, seen: Array, k: int, seed: int, stop: ShouldStop) -> Row:
    values = [one.value for one in row.tried if one.value is not None]
    kernels = [row.line.kernel(value) for value in values] or [row.kernel]
    found = stability(seen, kernels, components=k, seed=seed, should_stop=stop)
    if row.value is None:
        return replace(row, stability=found[0].picture)
    window = stable_window(values, found, similarity(found), row.value)
    picture = found[values.index(row.value)].picture
    return replace(row, stability=picture, stable=window)


def _real(row: Row, seen: Array, k: int, seed: int, stop: ShouldStop) -> int:
    if row.real is not None:
        return row.real
    return parallel_analysis(
        seen,
        [row.kernel],
        components=k,
        seed=seed,
        rows=STRUCTURE_ROWS,
        should_stop=stop,
    )[0].real
