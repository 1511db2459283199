"""A setting by what independent columns would not have, where nobody knows classes."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.core.choice.lines import LINEAR
from kpca_viewer.core.choice.parallel import (
    ParallelAnalysis,
    chance_of_any,
    parallel_analysis,
)
from kpca_viewer.core.choice.results import Choice, Line, Tried
from kpca_viewer.core.choice.stability import STABLE, stability
from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.support.errors import Cancelled, KpcaError
from kpca_viewer.support.numerals import fixed
from kpca_viewer.support.progress import ShouldStop, never

Array = NDArray[Any]

MOST_ROWS = 400
"""Of more, a fixed sample is compared with independent columns."""


def comparable() -> tuple[tuple[str, ...], str]:
    """Return the kernels whose traces can be compared, and what is said of the others.

    Where rows are of unequal length in feature space, those far out hold most of the
    trace, whether or not there is any structure.
    """
    known = {f.name: f.unit_diagonal or f.name == LINEAR for f in FAMILIES.values()}
    others = [FAMILIES[name].title.lower() for name, fits in known.items() if not fits]
    note = (
        f"Without classes, {', '.join(others[:-1])} and {others[-1]} kernels are left "
        "out: their longest rows stand out whatever the structure."
    )
    return tuple(name for name, fits in known.items() if fits), note


@dataclass(frozen=True, eq=False)
class ByStructure:
    """Tries settings by the part of the trace beyond that of independent columns.

    Only pictures count that two halves of the rows agree on: with a narrow kernel, any
    rows that are near each other stand out.
    """

    seen: Array
    """Shape (n, d). The rows as a kernel sees them."""
    k: int
    """Components that are tried, 1 … k."""
    seed: int = 0
    _found: dict[tuple[Line, float | None], ParallelAnalysis] = field(
        default_factory=dict, init=False, repr=False
    )

    @property
    def facts(self) -> Choice:
        """What is known of all settings, without rows."""
        n = min(len(self.seen), MOST_ROWS)
        return Choice("structure", (), seed=self.seed, n=n)

    def of(self, line: Line, value: float | None, stop: ShouldStop = never) -> Tried:
        """Return a setting with its energy, or with why it has none."""
        kernel = line.kernel(value)
        try:
            found = parallel_analysis(
                self.seen,
                [kernel],
                components=self.k,
                seed=self.seed,
                rows=MOST_ROWS,
                should_stop=stop,
            )[0]
            halves = stability(
                self.seen, [kernel], components=self.k, seed=self.seed, should_stop=stop
            )[0]
        except Cancelled:
            raise
        except KpcaError as error:
            return Tried(line, value, refusal=str(error))
        self._found[line, value] = found
        scores, errors = _energies(found)
        refusal = ""
        if halves.picture < STABLE:
            scores = errors = np.empty(0)
            refusal = (
                "Two halves of the rows have different pictures: they agree to "
                f"{fixed(halves.picture, 2)} only."
            )
        return Tried(
            line,
            value,
            scores,
            errors,
            real=found.real,
            energy=found.energy,
            stability=halves.picture,
            refusal=refusal,
        )

    def corrected(self, tried: Sequence[Tried]) -> None:
        """Return nothing: `luck` counts what the search adds."""

    def luck(self) -> float:
        """Return how often independent columns have as much under any kernel."""
        # In a fixed order: sums must not depend on which thread was first.
        keys = sorted(self._found, key=lambda key: (repr(key[0]), key[1] or 0.0))
        return chance_of_any([self._found[key] for key in keys])


def _energies(found: ParallelAnalysis) -> tuple[Array, Array]:
    """Return the part of the trace beyond the band of 1 … real components.

    The error is by how much the same sum varies among tables of independent columns.
    """
    if not found.real or not found.energy > 0:
        return np.zeros(1), np.zeros(1)
    beyond = np.cumsum((found.eigenvalues - found.band)[: found.real])
    total = beyond[-1] / found.energy
    varies = np.cumsum(found.null[:, : found.real], axis=1).std(axis=0, ddof=1)
    return beyond / total, varies / total
