"""Families × values × components, coarse to fine, the most useful first.

Every setting is tried for itself (`trials`), on any thread; they take their places in
the order in which they were asked for, so that no digit depends on threads.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from kpca_viewer.core.choice.lines import between, coarse_values, lines
from kpca_viewer.core.choice.ranking import (
    by_line,
    clearly_worse,
    peak,
    place_of_best,
    ranked,
)
from kpca_viewer.core.choice.results import Choice, Line, Tried
from kpca_viewer.core.choice.trials import Trial
from kpca_viewer.support.errors import DataError
from kpca_viewer.support.progress import Progress, ShouldStop, never, silent
from kpca_viewer.support.threads import cores, in_order

STEPS = 7
"""Values of a line that are tried first."""

ROUNDS = 3
"""How often the gaps beside a value of a line are halved: the best one at first, then
the one that would be taken."""

MOST_THREADS = 8
"""Beyond, threads wait for the interpreter and for memory more than they compute."""

Publish = Callable[[Choice], None]
Job = tuple[Line, float | None]


def _ignore(choice: Choice) -> None:
    """Nobody wants to see it before the end."""


@dataclass(eq=False)
class PredictionSearch:
    """A search by held-out scores.

    Parameters
    ----------
    trial : Trial
        Data, folds and what is learnt inside of them.
    families : sequence of str, optional
        All kernels if nobody says; linear PCA is always among them.
    """

    trial: Trial
    families: Sequence[str] | None = None
    notes: tuple[str, ...] = ()
    _tried: list[Tried] = field(default_factory=list, init=False)
    _refined: set[Line] = field(default_factory=set, init=False)

    def run(
        self,
        publish: Publish = _ignore,
        should_stop: ShouldStop = never,
        progress: Progress = silent,
        threads: int | None = None,
    ) -> Choice:
        """Try everything.

        Parameters
        ----------
        publish : callable
            Given what is known after every setting.
        threads : int, optional
            As many as there are cores. No digit depends on it.

        Raises
        ------
        Cancelled
        DataError
            If no kernel can be tried at all.
        """
        count = threads or min(cores(), MOST_THREADS)
        for number in range(1 + ROUNDS):
            jobs = self._finer(by_peak=number == 1) if number else self._coarse()
            found = in_order(self._try, jobs, count, should_stop)
            for done, one in enumerate(found, start=1):
                self._tried.append(one)
                part = (number + done / len(jobs)) / (1 + ROUNDS)
                progress(f"{len(self._tried)} settings", part)
                if len(one.scores):
                    publish(self._choice(is_complete=False))
        return self._choice(is_complete=True)

    def _try(self, job: Job, should_stop: ShouldStop) -> Tried:
        return self.trial.of(*job, should_stop)

    def _coarse(self) -> list[Job]:
        """Return the middle of every line first, then what is farther and farther."""
        seen = self.trial.seen
        values = {line: coarse_values(line, seen, STEPS) for line in lines(self.families)}
        jobs = [
            (abs(place - (len(those) - 1) / 2), line, value)
            for line, those in values.items()
            for place, value in enumerate(those)
        ]
        return [(line, value) for _, line, value in sorted(jobs, key=lambda job: job[0])]

    def _finer(self, *, by_peak: bool) -> list[Job]:
        """Return values beside one of every line that may still win."""
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

    def _choice(self, *, is_complete: bool) -> Choice:
        rows = ranked(self._tried, self._refined)
        if not rows:
            raise DataError(
                f"No kernel can be tried. The first says: {self._tried[0].refusal}"
            )
        held_out = self.trial.held_out
        return Choice(
            "classes" if held_out.is_classes else "target",
            rows,
            place_of_best(rows),
            held_out.chance,
            held_out.folds,
            held_out.repeats,
            held_out.seed,
            len(held_out.outcome),
            notes=(*self.notes, *_refusals(self._tried)),
            is_complete=is_complete,
        )


def _beside(line: Line, value: float | None, known: Sequence[float]) -> list[float]:
    """Return what lies half-way between a value and its neighbours."""
    if value is None:
        return []
    place = known.index(value)
    neighbours = known[max(place - 1, 0) : place] + known[place + 1 : place + 2]
    found = (between(line, value, other) for other in neighbours)
    return [one for one in found if one not in known]


def _refusals(tried: Iterable[Tried]) -> list[str]:
    """Return why lines without any score have none, a sentence each."""
    return [
        those[0].refusal
        for those in by_line(tried).values()
        if all(one.refusal for one in those)
    ]
