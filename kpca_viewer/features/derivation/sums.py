"""What an explanation is made of: lines, summands as bars, names of rows."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kpca_viewer.features.derivation.numbers import plain
from kpca_viewer.features.derivation.steps import Derivation
from kpca_viewer.support.numerals import as_it_is, counted

Array = NDArray[Any]

MOST_TERMS = 12
"""Of a sum that stand alone; the others are one term together."""

ROUNDING = 1e-13
"""Part of the largest term below which another one is noise."""

_LOWERED = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")


@dataclass(frozen=True)
class Term:
    """One summand, for a signed bar."""

    label: str
    value: float
    row: int | None = None
    """Of the data; None for what belongs to no single row."""


@dataclass(frozen=True)
class Explanation:
    """What a number says when it is asked where it comes from."""

    title: str
    lines: tuple[str, ...]
    """Plain text, to be read from top to bottom."""
    terms: tuple[Term, ...] = ()
    """Summands that stand as bars, the largest first; empty where there is no sum."""
    rows: tuple[int, ...] = ()
    """Rows of the data that light up."""
    cells: tuple[tuple[str, int, int], ...] = ()
    """Other numbers that take part: step ("kernel", "means", "centred", "eigenvalues",
    "vectors", "coefficients", "scores"), row and column there."""


def all_rows(n: int) -> str:
    """Return "all 3 rows"."""
    return "the only row" if n == 1 else f"all {counted(n)} rows"


def lowered(number: int) -> str:
    """Return an index as it stands behind its symbol: "₁₂"."""
    return str(number).translate(_LOWERED)


def sum_lines(
    derivation: Derivation, j: int, what: str, total: float, score: float
) -> tuple[str, ...]:
    """Say what is summed up, its total, and where the window knows fewer digits."""
    symbol = lowered(j + 1)
    lines = [f"z{symbol} = Σᵢ αᵢ {what}, over {all_rows(derivation.n)}."]
    if not is_live(derivation, j):
        lines.append(f"μ{symbol} is not above 0: every α is 0, and so is the score.")
        return tuple(lines)
    scale = score_scale(derivation, j)
    lines.append(f"The sum is {score_text(derivation, total, j)}.")
    if abs(total - score) > 1e-6 * max(scale, abs(total)):
        lines.append(
            f"The window shows {as_it_is(score)}: the model of many rows knows the "
            "sum to its own digits."
        )
    return tuple(lines)


def score_text(derivation: Derivation, score: float, j: int) -> str:
    """Return a score along a component as it is written."""
    error = float(derivation.errors.scores[j])
    return plain(score, error, max(score_scale(derivation, j), abs(score)))


def score_scale(derivation: Derivation, j: int) -> float:
    """Return the largest score of all rows along a component."""
    return float(np.abs(derivation.result.scores[:, j]).max(initial=0.0))


def terms_of(derivation: Derivation, values: Array, label: str) -> tuple[Term, ...]:
    """Return the summands of all rows, the largest first, the small ones as one."""
    count = MOST_TERMS if len(values) > MOST_TERMS + 1 else len(values)
    sizes = np.abs(values)
    # What is nothing but rounding beside the others is nothing.
    values = np.where(sizes > ROUNDING * sizes.max(initial=0.0), values, 0.0)
    if count < len(values):
        first = np.argpartition(-sizes, count)[:count]
    else:
        first = np.arange(len(values))
    order = first[np.argsort(-sizes[first], kind="stable")]
    terms = [
        Term(label.format(index_of(derivation, row)), float(values[row]), row)
        for row in order.tolist()
    ]
    left = len(values) - count
    if left:
        rest = float(values.sum() - values[order].sum())
        terms.append(Term(f"{counted(left)} others", rest))
    return tuple(terms)


def some_terms(
    derivation: Derivation, values: Array, total: float, label: str
) -> tuple[Term, ...]:
    """Return the summands of the rows that are written out, and the rest as one."""
    order = np.argsort(-np.abs(values), kind="stable")
    terms = [
        Term(
            label.format(index_of(derivation, int(derivation.rows[at]))),
            float(values[at]),
            int(derivation.rows[at]),
        )
        for at in order.tolist()
    ]
    left = derivation.n - len(values)
    rest = total - float(values.sum())
    return (*terms, Term(f"{counted(left)} others", rest))


def is_live(derivation: Derivation, j: int) -> bool:
    """Whether a component has an eigenvalue above zero, and so scores."""
    return bool(derivation.scores[:, j].any() or derivation.alpha(j).any())


def index_of(derivation: Derivation, row: int) -> str:
    """Return the number of a row as an index; rows count from 1 in their source."""
    return lowered(derivation.result.dataset.row_number(row))


def entry_of(derivation: Derivation, matrix: str, a: int, b: int) -> str:
    """Return the symbol of an entry: "K₂₃", "K₁₂,₃"."""
    first, second = (index_of(derivation, row) for row in (a, b))
    apart = "" if len(first) == len(second) == 1 else ","
    return f"{matrix}{first}{apart}{second}"
