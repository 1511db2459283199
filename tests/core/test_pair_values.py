"""What a kernel is a function of, over the pairs of rows."""

import numpy as np
import pytest
from scipy.spatial.distance import pdist

from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from kpca_viewer.core.kernels.pair_values import BINS, MOST_ROWS, PairValues, curve

X = np.random.default_rng(5).normal(size=(30, 3)) + 0.5
PAIRS = np.triu_indices(30, 1)


def angles(X):
    U = X / np.linalg.norm(X, axis=1)[:, None]
    return np.degrees(np.arccos((U @ U.T)[PAIRS]))


EXPECTED = {
    "rbf": ("r", pdist(X)),
    "matern": ("r", pdist(X)),
    "rational_quadratic": ("r", pdist(X)),
    "laplacian": ("‖x − y‖₁", pdist(X, "cityblock")),
    "linear": ("xᵀy", (X @ X.T)[PAIRS]),
    "poly": ("xᵀy", (X @ X.T)[PAIRS]),
    "sigmoid": ("xᵀy", (X @ X.T)[PAIRS]),
    "cosine": ("angle", angles(X)),
}


@pytest.mark.parametrize("family", EXPECTED)
def test_values_of_all_pairs(family):
    symbol, expected = EXPECTED[family]
    found = PairValues.of(Kernel(family), Points.prepare(X))
    assert found.axis.symbol == symbol
    assert found.pairs == len(expected) == found.counts.sum()
    assert not found.sampled
    assert found.median == pytest.approx(np.median(expected))
    np.testing.assert_array_equal(
        found.counts, np.histogram(expected, BINS, (found.low, found.high))[0]
    )
    if symbol == "angle":
        assert (found.low, found.high) == (0, 180)
    elif symbol == "xᵀy":
        assert found.low == pytest.approx(expected.min())
        assert found.high == pytest.approx(expected.max())
    else:
        assert found.low == 0
        assert found.high == pytest.approx(expected.max())


@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_an_axis_on_which_its_pairs_lie(family):
    kernel = Kernel(family)
    points = Points.prepare(X)
    axis = PairValues.of(kernel, points).axis
    seen = kernel.prepare_training(points)
    K = kernel.block(seen, seen)
    for i, j in [(0, 1), (3, 17), (4, 4)]:
        x, k = axis.of_pair(kernel, points, i, j)
        assert k == pytest.approx(K[i, j], abs=1e-12)
        # The curve goes through every pair.
        assert curve(kernel, axis, np.array([x]))[0] == pytest.approx(k, abs=1e-7)


def test_many_rows_are_looked_at_by_a_sample():
    X = np.random.default_rng(0).normal(size=(3000, 2))
    found = PairValues.of(Kernel("rbf"), Points.prepare(X))
    assert found.sampled
    assert found.rows == MOST_ROWS
    assert found.pairs == MOST_ROWS * (MOST_ROWS - 1) // 2
    assert found.median == pytest.approx(np.median(pdist(X)), rel=0.03)


class Lifted(Kernel):
    """The linear kernel of rows with one more column."""

    def prepare_training(self, points, *, center=False):
        X = points.dense()
        return Points.prepare(np.column_stack((X, np.square(X).sum(axis=1))))


def test_products_of_lifted_rows_are_no_products_of_the_data():
    found = PairValues.of(Lifted("linear"), Points.prepare(X))
    lifted = np.column_stack((X, np.square(X).sum(axis=1)))
    assert found.axis.symbol == "φ(x)ᵀφ(y)"
    assert found.median == pytest.approx(np.median((lifted @ lifted.T)[PAIRS]))


def test_one_row_has_no_pairs_and_equal_rows_have_one_distance():
    alone = PairValues.of(Kernel("rbf"), Points.prepare([[1.0, 2.0]]))
    assert alone.pairs == 0
    assert alone.median is None
    assert alone.high > alone.low
    equal = PairValues.of(Kernel("rbf"), Points.prepare(np.ones((4, 2))))
    assert equal.median == 0
    assert equal.high > equal.low
    products = PairValues.of(Kernel("linear"), Points.prepare(np.ones((4, 2))))
    assert products.median == 2
    assert products.low < 2 < products.high


def test_a_curve_is_left_out_where_the_kernel_has_no_value():
    kernel = Kernel("poly", gamma=1, coef0=0, degree=2.5)
    axis = PairValues.of(kernel, Points.prepare(X)).axis
    values = curve(kernel, axis, np.array([-1.0, 0.0, 4.0]))
    assert np.isnan(values[0])
    assert values[1:] == pytest.approx([0, 32])
