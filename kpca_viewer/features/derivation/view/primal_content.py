"""Primal beside dual, as a grid and in words."""

import numpy as np

from kpca_viewer.features.derivation.explanations import Explanation
from kpca_viewer.features.derivation.numbers import plain_table
from kpca_viewer.features.derivation.primal import (
    PrimalDual,
    Way,
    primal_beside_dual,
    why_not,
)
from kpca_viewer.features.derivation.steps import Derivation
from kpca_viewer.features.derivation.view.asked_grid import AskedGrid
from kpca_viewer.features.derivation.view.grid_content import Cell, GridContent
from kpca_viewer.support.numerals import counted, upper_bound

_MOST = 8
"""Eigenvalues that are written out."""


class PrimalContent:
    """Both ways to the eigenvalues, computed once they are asked for."""

    def __init__(self, derivation: Derivation) -> None:
        self._derivation = derivation
        self._why_not = why_not(derivation)
        self._found = None if self._why_not else primal_beside_dual(derivation)

    def note(self) -> str:
        """Say what both ways cost and how far they agree, or why there is no primal."""
        found = self._found
        if found is None:
            return self._why_not
        lines = [
            f"φ(x) = ({', '.join(found.coordinates)})",
            f"Primal: {_cost(found.primal, 'M')}",
            f"Dual: {_cost(found.dual, 'n')}",
            _cheaper(found),
            _agreement(found),
        ]
        return "\n".join(lines)

    def grid(self) -> AskedGrid | None:
        """Return the eigenvalues of both below each other; None without a primal."""
        found = self._found
        if found is None:
            return None
        ways = found.primal.eigenvalues, found.dual.eigenvalues
        count = min(*map(len, ways), _MOST)
        values = np.vstack([way[:count] for way in ways])
        matrix = "K̃/n" if self._derivation.center else "K/n"
        content = GridContent(
            "λ",
            "Eigenvalues of both ways",
            values,
            tuple(map(tuple, plain_table(values, found.error))),
            ("cov φ(X)", matrix),
            tuple(f"PC {j + 1}" for j in range(count)),
            more_columns=max(map(len, ways)) > count,
            is_tinted=False,
        )
        return AskedGrid(content, lambda cell: _explained(found, matrix, cell))


def _cost(way: Way, size_of: str) -> str:
    size = counted(way.size)
    return (
        f"{size_of} = {size}, a {size} × {size} matrix, {counted(way.operations)} "
        f"multiplications ({counted(way.filling)} to fill it, about {size_of}³ = "
        f"{counted(way.solving)} to solve)."
    )


def _cheaper(found: PrimalDual) -> str:
    primal, dual = found.primal.operations, found.dual.operations
    if primal == dual:
        return "Both take as many."
    return f"The {'primal' if primal < dual else 'dual'} way takes fewer here."


def _agreement(found: PrimalDual) -> str:
    if found.agrees:
        most = upper_bound(found.difference)
        return f"Both have the same eigenvalues; the largest difference is {most}."
    return f"They differ by up to {upper_bound(found.difference)}."


def _explained(found: PrimalDual, matrix: str, cell: Cell) -> Explanation:
    j = cell[1]
    primal, dual = (float(way.eigenvalues[j]) for way in (found.primal, found.dual))
    return Explanation(
        title=f"Eigenvalue {j + 1} by both ways",
        lines=(
            f"{primal:.15g} of the covariance of φ(X)",
            f"{dual:.15g} of {matrix}",
            f"Rounding and bounds allow a difference of {upper_bound(found.error)}.",
        ),
    )
