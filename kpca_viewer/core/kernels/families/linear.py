"""Dot products of rows: as they are, of unit length, or lifted to a paraboloid."""

import numpy as np

from kpca_viewer.core.kernels.bases import Array, Extent, Values
from kpca_viewer.core.kernels.distances import bounded
from kpca_viewer.core.kernels.family import (
    Computation,
    Growth,
    InSklearn,
    KernelFamily,
    Operations,
)
from kpca_viewer.core.kernels.feature_map import FeatureMap
from kpca_viewer.core.kernels.formulas import chain, in_brackets, joined_sum
from kpca_viewer.core.kernels.inner_products import (
    identity,
    identity_slope,
    product_operations,
    product_rounding,
    products,
    squares_of,
)
from kpca_viewer.support.numerals import as_it_is


def _linear(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    parts = [in_brackets(value) for value in (x * y).tolist()]
    return [chain(products(x, y), joined_sum(parts), as_it_is(entry))]


def _features(d: int, values: Values) -> FeatureMap:
    return FeatureMap(np.ones(d), np.eye(d, dtype=np.intp))


LINEAR = KernelFamily(
    name="linear",
    title="Linear",
    formula=r"k(x,y)=x^\top y",
    plain="k(x, y) = xᵀy",
    computation=Computation(_linear, lambda values: ["return A @ B.T"]),
    base="dot_products",
    definite=True,
    feature_dimension=lambda d, values: d,
    feature_map=_features,
    apply=identity,
    operations=lambda d, values: product_operations(d),
    slope=identity_slope,
    rounding=product_rounding,
    growth=lambda largest, values: Growth(largest, 1.0),
    sklearn=InSklearn("linear_kernel", estimator=True),
    bilinear=True,
)


def _cosine(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    dot = float(x @ y)
    lengths = [float(np.linalg.norm(row)) for row in (x, y)]
    roots = [f"√({squares_of(row)})" for row in (x, y)]
    product = "·".join(map(in_brackets, lengths))
    return [
        chain(
            f"({products(x, y)}) / ({'·'.join(roots)})",
            f"{as_it_is(dot)} / ({product})",
            as_it_is(entry),
        )
    ]


def _cosine_code(values: Values) -> list[str]:
    return [
        "A = A / np.linalg.norm(A, axis=1)[:, None]",
        "B = B / np.linalg.norm(B, axis=1)[:, None]",
        "return A @ B.T",
    ]


def _cosine_operations(d: int, values: Values) -> Operations:
    dot = product_operations(d)
    return dot + dot + dot + Operations(2, 0, 2)


def _cosine_rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``xᵀy`` of rows of length 1, which are rounded before they are moved."""
    return 2 * rows.unit * (rows.total + (rows.count * rows.total) ** 0.5)


def _unit_features(d: int, values: Values) -> FeatureMap:
    return FeatureMap(np.ones(d), np.eye(d, dtype=np.intp), of_unit_rows=True)


COSINE = KernelFamily(
    name="cosine",
    title="Cosine",
    formula=r"k(x,y)=\frac{{x^\top y}}{{\|x\|\,\|y\|}}",
    plain="k(x, y) = xᵀy / (‖x‖ ‖y‖)",
    computation=Computation(_cosine, _cosine_code),
    base="dot_products",
    definite=True,
    feature_dimension=lambda d, values: d,
    feature_map=_unit_features,
    apply=identity,
    operations=_cosine_operations,
    slope=identity_slope,
    rounding=_cosine_rounding,
    growth=bounded,
    sklearn=InSklearn("cosine_similarity", estimator=True),
    unit_diagonal=True,
    normalise=True,
    bilinear=True,
)


def _paraboloid(x: Array, y: Array, values: Values, entry: float) -> list[str]:
    lengths = [float(row @ row) for row in (x, y)]
    product = "·".join(in_brackets(length) for length in lengths)
    return [
        chain(
            f"{products(x, y)} + ({squares_of(x)})·({squares_of(y)})",
            f"{as_it_is(float(x @ y))} + {product}",
            as_it_is(entry),
        )
    ]


def _paraboloid_code(values: Values) -> list[str]:
    return ["return A @ B.T + np.outer((A**2).sum(axis=1), (B**2).sum(axis=1))"]


def _paraboloid_operations(d: int, values: Values) -> Operations:
    dot = product_operations(d)
    return dot + dot + dot + Operations(1, 1)


def _paraboloid_rounding(rows: Extent, values: Values, norm: float) -> float:
    """Bound ``xᵀy`` of lifted rows, whose heights are rounded before they are moved."""
    rounded = rows.unit * rows.heights**0.5
    return 2 * (rows.unit * rows.total + rounded * rows.total**0.5) + rounded**2


def _as_the_square(largest: float, values: Values) -> Growth:
    # The rows are lifted already: the longest of them is about a square.
    return Growth(largest**0.5, 2.0)


def _lifted_features(d: int, values: Values) -> FeatureMap:
    """Return the features, and the sum of their squares."""
    features = np.eye(d, dtype=np.intp)
    return FeatureMap(
        np.ones(2 * d),
        np.concatenate((features, 2 * features)),
        starts=np.arange(d + 1),
    )


PARABOLOID = KernelFamily(
    name="paraboloid",
    title="Paraboloid",
    formula=r"k(x,y)=x^\top y+\|x\|^2\|y\|^2",
    plain="k(x, y) = xᵀy + ‖x‖²‖y‖²",
    computation=Computation(_paraboloid, _paraboloid_code),
    base="dot_products",
    definite=True,
    feature_dimension=lambda d, values: d + 1,
    feature_map=_lifted_features,
    apply=identity,
    operations=_paraboloid_operations,
    slope=identity_slope,
    rounding=_paraboloid_rounding,
    growth=_as_the_square,
    sklearn=None,
    lift=True,
    bilinear=True,
)
