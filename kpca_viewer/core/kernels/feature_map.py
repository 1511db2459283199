"""Feature maps that can be written down: ``k(x, y) = φ(x)ᵀφ(y)``."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from kpca_viewer.support.arrays import Array
from kpca_viewer.support.numerals import raised, readable, simple_number


@dataclass(frozen=True, eq=False)
class FeatureMap:
    """φ as weighted monomials of the features, one or a sum of them a coordinate."""

    weights: Array
    """Shape (T,), of all terms. Positive."""
    powers: Array
    """Shape (T, d). To which every feature is raised."""
    of_unit_rows: bool = False
    """Whether the rows are scaled to unit length first."""
    starts: Array | None = None
    """Shape (M,). The first term of every coordinate; None where each has one."""

    def __len__(self) -> int:
        return len(self._starts)

    @property
    def d(self) -> int:
        return int(self.powers.shape[1])

    def __call__(self, X: Array) -> Array:
        """Map rows (n, d) to the feature space, shape (n, M).

        NaN for a row without length, where rows are scaled to unit length.
        """
        X = np.asarray(X, dtype=np.float64)
        if self.of_unit_rows:
            lengths = np.linalg.norm(X, axis=1, keepdims=True)
            X = X / np.where(lengths > 0, lengths, np.nan)
        terms = np.stack(
            [
                weight * np.prod(X**power, axis=1)
                for weight, power in zip(self.weights, self.powers, strict=True)
            ],
            axis=1,
        )
        if self.starts is None:
            return terms
        sums: Array = np.add.reduceat(terms, self.starts, axis=1)
        return sums

    def plain(self, variables: Sequence[str]) -> list[str]:
        """Return every coordinate in a line, for example ``√2xy`` or ``x² + y²``.

        ``variables``: what the features are called.
        """
        terms = [
            _joined(_plain_number(weight), list(self._factors(variables, row)), "")
            for weight, row in zip(self.weights, self.powers, strict=True)
        ]
        return self._sums(terms, " + ")

    def latex(self, variables: Sequence[str]) -> list[str]:
        terms = [
            _joined(_latex_number(weight), list(self._latex_factors(variables, row)))
            for weight, row in zip(self.weights, self.powers, strict=True)
        ]
        return self._sums(terms, "+")

    @property
    def products(self) -> int:
        """Multiplications that map one row, each power as repeated products."""
        degrees = self.powers.sum(axis=1)
        weighted = (self.weights != 1) & (degrees > 0)
        return int(np.maximum(degrees - 1, 0).sum() + weighted.sum())

    @property
    def additions(self) -> int:
        return len(self.weights) - len(self)

    @property
    def _starts(self) -> Array:
        return np.arange(len(self.weights)) if self.starts is None else self.starts

    def _sums(self, terms: list[str], plus: str) -> list[str]:
        ends = [*self._starts[1:], len(terms)]
        return [
            plus.join(terms[start:end])
            for start, end in zip(self._starts, ends, strict=True)
        ]

    @staticmethod
    def _factors(variables: Sequence[str], row: Array) -> Iterator[str]:
        for name, power in zip(variables, row, strict=True):
            if power:
                yield name + (raised(int(power)) if power > 1 else "")

    @staticmethod
    def _latex_factors(variables: Sequence[str], row: Array) -> Iterator[str]:
        for name, power in zip(variables, row, strict=True):
            if power:
                yield name + (f"^{{{int(power)}}}" if power > 1 else "")


def _plain_number(weight: float) -> str:
    simple = simple_number(weight, 1e-12 * weight)
    return simple.plain() if simple is not None else readable(weight)


def _latex_number(weight: float) -> str:
    simple = simple_number(weight, 1e-12 * weight)
    return simple.latex() if simple is not None else readable(weight, grouped=False)


def _joined(number: str, factors: list[str], between: str = " ") -> str:
    if factors and number == "1":
        return between.join(factors)
    if factors and "/" in number:
        number = f"({number})"
    return between.join([number, *factors])
