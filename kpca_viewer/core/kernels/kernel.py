"""A kernel with values for its parameters: Gram block, diagonal, definite or not.

A kernel is a cheap elementwise function of a pairwise *base* (distances, their squares,
L1 distances or dot products). A sweep over γ therefore computes the base once.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from numbers import Real
from types import MappingProxyType
from typing import Any

import numpy as np

from kpca_viewer.core.kernels.bases import (
    DISTANCES,
    Array,
    Bases,
    Extent,
    Points,
    Values,
    pairwise,
    refuse_zero_rows,
    with_itself,
)
from kpca_viewer.core.kernels.composition import (
    Factor,
    Term,
    Terms,
    flattened,
    multiplied,
    parsed,
    unknown,
)
from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.core.kernels.family import (
    Convention,
    Growth,
    KernelFamily,
    Operations,
    Parameter,
)
from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.formulas import LATEX, PLAIN, filled, symbolic
from kpca_viewer.support import memory
from kpca_viewer.support.errors import KernelError, KernelOverflowError
from kpca_viewer.support.numerals import readable

__all__ = ["FAMILIES", "LARGEST_ENTRY", "Kernel", "KernelFamily", "suggested_values"]

LARGEST_ENTRY = {np.dtype(np.float64): 1e150, np.dtype(np.float32): 1e14}
"""Gram entries beyond this make sums of squares overflow."""

LEAST_FACTOR = 1e-130
"""Smaller ones count as that small: products of two and a weight stay normal numbers,
which are far quicker to compute with than subnormal ones."""

LEAST_TYPICAL = 1e-290
"""Squares below are rounding, and have no inverse: the points are as good as one."""

LARGEST_MAP = 500
"""Coordinates of a feature map that is written down."""

FARTHEST = 1e150
"""A γ, times what lies between two rows, or a shift; their squares overflow beyond."""

FAR = 1e30
"""Parameters beyond this, or below its inverse, are too much for single precision."""

CANCELLATION = 1e-11
"""Error of an entry beyond which distances are no longer taken from dot products."""


@dataclass(frozen=True, repr=False)
class Kernel:
    """A family with values for all its parameters: ``Kernel("rbf", gamma=2)``.

    Kernels can be added, multiplied, and multiplied by a number greater than 0.

    See Also
    --------
    KernelPCA : takes one as its ``kernel``.

    Examples
    --------
    >>> from kpca_viewer import linear, rbf
    >>> rbf(0.5) + 0.1 * linear()
    rbf(gamma=0.5) + 0.1*linear()
    """

    family: KernelFamily
    values: Values

    def __init__(self, name: str, **values: float) -> None:
        if name not in FAMILIES:
            raise unknown(name, FAMILIES)
        family = FAMILIES[name]
        known = {p.name: p.default for p in family.parameters}
        for key in values:
            if key not in known:
                raise KernelError(
                    f"The {family.title} kernel has no parameter {key!r}; it has "
                    f"{', '.join(known) or 'none'}."
                )
        complete = {
            key: float(values.get(key, default)) for key, default in known.items()
        }
        for parameter in family.parameters:
            _check_value(family, parameter, complete[parameter.name])
        object.__setattr__(self, "family", family)
        object.__setattr__(self, "values", MappingProxyType(complete))

    def __reduce__(self) -> tuple[object, ...]:
        return _restore, (self.family.name, dict(self.values))

    @classmethod
    def parse(cls, text: str) -> "Kernel":
        """Return what an expression says: ``"rbf(0.5) + 0.1*linear()"``."""
        name, values = parsed(text, FAMILIES)
        return cls(name, **values)

    def __repr__(self) -> str:
        """Return the expression that `parse` reads."""
        told = []
        for term in self._terms:
            parts = [
                f"{name}({', '.join(f'{k}={v!r}' for k, v in values.items())})"
                for name, values in term.factors
            ]
            front = [] if term.weight in (None, 1.0) else [repr(term.weight)]
            told.append("*".join([*front, *parts]))
        return " + ".join(told)

    def __add__(self, other: object) -> "Kernel":
        if not isinstance(other, Kernel):
            return NotImplemented
        return _of_terms(self._terms + other._terms)

    def __mul__(self, other: object) -> "Kernel":
        if isinstance(other, Kernel):
            return _of_terms(multiplied(self._terms, other._terms))
        if isinstance(other, bool) or not isinstance(other, Real):
            return NotImplemented
        return _of_terms(multiplied((Term(float(other), ()),), self._terms))

    __rmul__ = __mul__

    @property
    def terms(self) -> "tuple[tuple[float, tuple[Kernel, ...]], ...]":
        """The weighted products that it is the sum of; one for a simple kernel."""
        if self.family.split is None:
            return ((1.0, (self,)),)
        return tuple(
            (weight, tuple(Kernel(family.name, **own) for family, own in parts))
            for weight, parts in self.family.split(self.values)
        )

    @property
    def parts(self) -> "tuple[Kernel, ...]":
        return tuple(part for _, parts in self.terms for part in parts)

    @property
    def _terms(self) -> Terms:
        return tuple(
            Term(weight, tuple(Factor(p.family.name, p.values) for p in parts))
            for weight, parts in self.terms
        )

    @property
    def psd(self) -> bool:
        """Whether every Gram matrix of this kernel is positive semi-definite."""
        known = self.family.definite
        return known if isinstance(known, bool) else known(self.values)

    @property
    def why_no_map(self) -> str:
        """One sentence where there is no feature space, and so no φ; empty else."""
        if self.psd:
            return ""
        name = self.family.short or self.family.title
        name = name if name.isupper() else name.lower()
        return (
            f"The {name} kernel is not positive semi-definite for all rows: it has no "
            "map φ."
        )

    def feature_dimension(self, d: int) -> float:
        """Dimension of the implicit feature space for ``d`` input features."""
        return self.family.feature_dimension(d, self.values)

    def feature_map(self, d: int, most: int = LARGEST_MAP) -> FeatureMap | None:
        """Return φ for ``d`` input features.

        None if it has more coordinates, or weights that no number can hold.
        """
        known = self.family.feature_map
        if known is None or self.feature_dimension(d) > most:
            return None
        made = known(d, self.values)
        return made if np.isfinite(made.weights).all() else None

    def operations(self, d: int) -> Operations | None:
        """Return what ``k(x, y)`` of d features takes; None where that is not known."""
        known = self.family.operations
        return None if known is None else known(d, self.values)

    def formula(self) -> str:
        """LaTeX with the current numbers in it."""
        told = self.family.formula
        template = told if isinstance(told, str) else told(self.values)
        return filled(template, self.values, LATEX)

    def plain_formula(self) -> str:
        told = self.family.plain
        template = told if isinstance(told, str) else told(self.values)
        return filled(template, self.values, PLAIN)

    def general_formula(self) -> str:
        """Return the formula as plain text with symbols instead of numbers."""
        symbols = {each.name: each.symbol for each in self.family.parameters}
        plain = self.family.plain
        return (
            symbolic(plain, symbols) if isinstance(plain, str) else self.family.general
        )

    def conventions(self) -> tuple[Convention, ...]:
        """Return other ways to write the width; none where there is none."""
        known = self.family.conventions
        return () if known is None else known(self.values)

    def points(self, X: object, *, center: bool = False) -> Points:
        """Check ``X`` (n, d) and prepare it, as `prepare_training` does."""
        points = self._prepared(X)
        points = self._sharpened(points, center)
        self.refuse_overflow(points)
        return points

    def prepare_training(self, points: Points, *, center: bool = False) -> Points:
        """Return prepared points as this kernel sees them, to all digits there are.

        Dot products of points far from the origin, and distances between points that
        are near each other and far from the rest, are small differences of large
        numbers.

        Parameters
        ----------
        points : Points
            As `Points.prepare` gives them.
        center : bool
            Whether the kernel matrix will be centred: that of dot products is then the
            same wherever the points are, and they are moved to their mean.
        """
        if self.family.normalise or (self.family.lift and not points.lifted):
            points = self._prepared(points.X)
        return self._sharpened(points, center)

    def prepare_new(self, known: Points, X: object) -> Points:
        """Check new rows ``X`` (m, d) and prepare them as ``known`` ones were."""
        return self.prepare_with(
            X, known.shift, moved=known.moved, by_differences=known.by_differences
        )

    def prepare_with(
        self, X: object, shift: Array, *, moved: bool, by_differences: bool
    ) -> Points:
        """Check rows ``X`` (m, d) and prepare them as points with these traits were."""
        new = self._prepared(X, shift)
        if moved:
            new = new.around_their_mean()
        return replace(new, by_differences=by_differences)

    def _prepared(self, X: object, shift: Array | None = None) -> Points:
        family = self.family
        unit_rows_for = family.title if family.normalise else ""
        return Points.prepare(
            X, unit_rows_for=unit_rows_for, lift=family.lift, shift=shift
        )

    def _sharpened(self, points: Points, center: bool) -> Points:
        if self.family.bilinear and center:
            if points.shifted is None and _far_away(points) and _fits_dense(points):
                points = replace(Points.prepare(points.dense()), lifted=points.lifted)
            return points.around_their_mean()
        if "squared_distances" not in _each(self.family.base):
            return points
        if not self.needs_differences(points):
            return replace(points, by_differences=False)
        if points.shifted is None and not _fits_dense(points):
            # Sparse, and far too large to be anything else.
            return points
        return replace(points.around_most(), by_differences=True)

    def needs_differences(self, rows: Points | Extent) -> bool:
        """Whether squared distances from dot products would lose digits of entries."""
        if self.family.split is not None:
            return any(part.needs_differences(rows) for part in self.parts)
        by_products = self.family.base == "squared_distances"
        return by_products and self.rounding(rows, 1.0) > CANCELLATION

    def block(self, X: Points, Y: Points) -> Array:
        """Gram block ``k(x_i, y_j)``, shape (len(X), len(Y))."""
        return self.of_base(pairwise(self.family.base, X, Y))

    def of_base(self, B: Array) -> Array:
        """Gram block from its pairwise base, which may be overwritten."""
        wide = np.asarray(B, np.float64) if self._is_beyond(B.dtype) else B
        with np.errstate(under="ignore"):
            return self.family.apply(wide, self.values).astype(B.dtype, copy=False)

    def _is_beyond(self, dtype: Any) -> bool:
        """Whether single precision cannot hold a parameter, or what it multiplies."""
        return dtype == np.float32 and any(
            value and not 1 / FAR < abs(value) < FAR for value in self.values.values()
        )

    def factor(self, nodes: Array, known: Array) -> Array:
        """Return what one feature contributes to a Gaussian, shape (m, n).

        Parameters
        ----------
        nodes : ndarray of shape (m,)
        known : ndarray of shape (n,)
            The same feature of two sets of points.
        """
        with np.errstate(over="ignore"):
            base = np.square(nodes[:, None] - known)
        factor = self.of_base(base)
        return np.maximum(factor, LEAST_FACTOR, out=factor)

    def diagonal(self, X: Points) -> Array:
        """``k(x_i, x_i)``, shape (n,)."""
        if self.family.unit_diagonal and not X.moved:
            return np.ones(len(X), dtype=X.dtype)
        return self.of_base(with_itself(self.family.base, X))

    def rounding(self, X: Points | Extent, norm: float) -> float:
        """Bound ``‖δK‖₂``, where δK is what rounding in the base does to K.

        Parameters
        ----------
        X : Points or Extent
            The rows, or how far they reach where they are not all in memory.
        norm : float
            ``‖K‖_F`` or a bound on it; the trace where they are not held.
        """
        rows = X.measure() if isinstance(X, Points) else X
        return self.family.rounding(rows, self.values, norm)

    def growth(self, largest_squared_norm: float) -> Growth:
        """Return how large an entry becomes for rows up to that length."""
        return self.family.growth(largest_squared_norm, self.values)

    def refuse_overflow(self, X: Points) -> None:
        """Dot-product kernels grow with the data: refuse before anything is inf."""
        if not np.isfinite(X.largest_squared_norm):
            raise KernelOverflowError(
                "The values are too large: their squares overflow. Scale the data, for "
                "example by standardising every column."
            )
        for part in self.parts if self.family.split is not None else ():
            if part.family.normalise:
                refuse_zero_rows(X.squared_norms, part.family.title)
        growth = self.growth(X.largest_squared_norm)
        digits = growth.power * float(np.log10(max(growth.base, 1.0)))
        if digits > np.log10(LARGEST_ENTRY[X.dtype]):
            # A kernel without parameters leaves the data only.
            smaller = ", or choose a smaller degree or γ" if self.values else ""
            raise KernelOverflowError(
                f"The {self.family.title.lower()} kernel overflows: its largest entry "
                f"would be about 10^{readable(np.rint(digits))}. Scale the data"
                f"{smaller}."
            )
        self._refuse_far_argument(X)

    def _refuse_far_argument(self, X: Points) -> None:
        """Refuse parameters that make something infinite of what lies between rows."""
        if self.family.split is not None:
            for weight, parts in self.terms:
                if weight > FARTHEST**0.5:
                    raise KernelOverflowError(
                        f"A weight of {readable(weight)} is too large; choose a "
                        "smaller one."
                    )
                for part in parts:
                    part._refuse_far_argument(X)
            return
        reach = 4 * X.largest_squared_norm
        if self.family.base == "l1_distances":
            reach = (reach * X.d) ** 0.5
        gamma, shift = (self.values.get(name, 0.0) for name in ("gamma", "coef0"))
        if abs(shift) > FARTHEST or min(gamma, gamma * reach) > FARTHEST:
            far = max(gamma, shift, key=abs)
            raise KernelOverflowError(
                f"The {self.family.title} kernel overflows with a parameter of "
                f"{readable(far)} on these rows; choose a smaller one."
            )


def _fits_dense(points: Points) -> bool:
    return memory.fits(3 * 8 * len(points) * points.d)


def _far_away(points: Points) -> bool:
    """Whether the mean of sparse points is nearly all of them: they hold no zeros."""
    mean = np.asarray(points.X.mean(axis=0)).ravel()
    total = float(points.squared_norms.sum(dtype=np.float64))
    return len(points) * float(mean @ mean) > 0.99 * total


def _each(base: Bases) -> tuple[str, ...]:
    return base if isinstance(base, tuple) else (base,)


def _of_terms(terms: Terms) -> Kernel:
    name, values = flattened(terms, FAMILIES)
    return Kernel(name, **values)


def named_kernel(kernel: str | Kernel) -> tuple[str, Mapping[str, float]]:
    """Return the family of a kernel, and the values that it gives itself."""
    if isinstance(kernel, Kernel):
        return kernel.family.name, kernel.values
    return parsed(kernel, FAMILIES)


def _restore(name: str, values: dict[str, float]) -> Kernel:
    return Kernel(name, **values)


def _check_value(family: KernelFamily, parameter: Parameter, value: float) -> None:
    what = f"{parameter.name} ({parameter.symbol}) of the {family.title} kernel"
    if not np.isfinite(value):
        raise KernelError(f"{what} is {value}; it must be a finite number.")
    if parameter.positive and value <= 0:
        raise KernelError(f"{what} is {readable(value)}; it must be greater than 0.")
    if parameter.choices and value not in parameter.choices:
        allowed = ", ".join(readable(choice) for choice in parameter.choices)
        raise KernelError(f"{what} is {readable(value)}; it must be one of {allowed}.")


def suggested_values(name: str, X: object, sample: int = 1000) -> dict[str, float]:
    """Values that suit the data, for example γ by the median heuristic.

    Distances: ``γ = 1 / median(r²)`` (or of the L1 distances), ``ℓ = √median(r²)``.
    Dot products: ``γ = 1 / (d · var X)``. Large data are subsampled evenly.
    """
    family = FAMILIES[name]
    points = Points.prepare(X)
    points = points.take(np.unique(np.linspace(0, len(points) - 1, sample).astype(int)))
    if family.split is not None:
        return _suggested_to_parts(family, points)
    typical = _typical(family, points)
    if typical is None:
        return {}
    squared = family.base not in ("distances", "l1_distances")
    by_kind = {"rate": 1 / typical, "length": typical**0.5 if squared else typical}
    return {p.name: by_kind[p.follows] for p in family.parameters if p.follows}


def _suggested_to_parts(family: KernelFamily, points: Points) -> dict[str, float]:
    """Return for every part what suits it alone."""
    terms = tuple(
        Term(
            None,
            tuple(Factor(f.name, suggested_values(f.name, points.X)) for f, _ in t),
        )
        for _, t in family.split({p.name: p.default for p in family.parameters})  # type: ignore[misc]
    )
    return flattened(terms, FAMILIES)[1]


def _typical(family: KernelFamily, points: Points) -> float | None:
    """Return what the base of two points is of the order of; None for 0 and ∞."""
    if not any(p.follows for p in family.parameters):
        return None
    if not np.isfinite(points.largest_squared_norm):
        return None
    if family.base not in DISTANCES:
        return _if_invertible(float(np.var(points.dense())) * points.d)
    B = pairwise(family.base, points, points)
    apart = B[np.triu_indices(len(points), 1)]
    apart = apart[apart > _least_apart(family, points)]
    return _if_invertible(float(np.median(apart))) if apart.size else None


def _least_apart(family: KernelFamily, points: Points) -> float:
    """Return what equal rows may be apart by rounding."""
    if family.base != "squared_distances" or points.shifted is None:
        return 0.0
    rows = points.measure()
    return 2 * rows.unit * rows.spread


def _if_invertible(typical: float) -> float | None:
    return typical if LEAST_TYPICAL < typical < 1 / LEAST_TYPICAL else None
