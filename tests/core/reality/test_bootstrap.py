"""Moves of rows and eigenvalues, against fits to the rows that were drawn."""

import numpy as np
import pytest
from sklearn.decomposition import KernelPCA

from benchmarks.gains import DRAWN_SETS, coverage
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.bootstrap import Bootstrap, _fitted, bootstrap
from kpca_viewer.core.methods.random_baseline import leading_scores
from kpca_viewer.core.orientation import procrustes
from kpca_viewer.support.errors import Cancelled
from tests.core.reference import circles, gram_matrix, same_up_to_sign

LINE = np.arange(8.0)[:, None]


def moved(X, gamma, axes=(0, 1), **options):
    kernel = Kernel("rbf", gamma=gamma)
    points = kernel.points(X, center=True)
    picture = leading_scores(X, kernel, axes)
    rows = np.arange(len(X))
    K = kernel.block(points, points)
    return bootstrap(K, rows, picture, axes, components=5, **options)


def test_a_fit_is_that_of_the_rows_of_its_half():
    X = np.random.default_rng(0).normal(size=(30, 3))
    half = np.sort(np.random.default_rng(1).permutation(30)[:15])
    K = gram_matrix(Kernel("rbf", gamma=0.3), X)
    scores, shares = _fitted(K, half, (0, 1, 2), 4, center=True)
    model = KernelPCA(14, kernel="rbf", gamma=0.3, eigen_solver="dense").fit(X[half])
    assert same_up_to_sign(scores, model.transform(X)[:, :3])
    expected = model.eigenvalues_ / model.eigenvalues_.sum()
    np.testing.assert_allclose(shares, expected[:4], rtol=1e-6)


@pytest.mark.journey
def test_rings_stay_where_they_are_and_a_line_does_not():
    rings = moved(circles(200)[0], 5.0)
    assert not rings.is_faint.any()
    assert moved(LINE, 2.0).is_faint.all()
    assert not moved(LINE, 0.05).is_faint.any()


def test_a_tied_pair_of_which_one_axis_is_shown_is_no_move():
    """Rings have two components of equal eigenvalue behind the first."""
    rings = moved(circles(200)[0], 5.0)
    assert np.median(rings.reach) < 0.4 * rings.extent


def test_ellipses_hold_the_moves_that_they_are_made_of():
    spreads = np.array([[[4.0, 0.0], [0.0, 1.0]], [[2.0, 1.0], [1.0, 2.0]]])
    found = Bootstrap(np.arange(2), (0, 3), spreads, 1.0, np.zeros(2), 9)
    assert found.reach == pytest.approx(2.4477 * np.array([2, 3**0.5]))
    roots = found.roots((0, 3))
    for root, spread in zip(roots, spreads, strict=True):
        np.testing.assert_allclose(root @ root.T, 2.4477**2 * spread)
    swapped = found.roots((3, 0))[0]
    np.testing.assert_allclose(
        np.diagonal(swapped @ swapped.T), 2.4477**2 * np.array([1.0, 4.0])
    )
    # An axis that the picture has no component for.
    flat = found.roots((0, 7))[0]
    np.testing.assert_allclose(flat @ flat.T, [[1.96**2 * 4, 0], [0, 0]])


@pytest.mark.journey
@pytest.mark.parametrize(
    ("name", "least"), [("moons", 0.85), ("four clusters, 10 columns", 0.9)]
)
def test_an_ellipse_holds_what_fresh_fits_make_of_a_row(name, least):
    """Of rows drawn with replacement it held 0.6 and 0.7."""
    draw, gamma = DRAWN_SETS[name]
    parts = [coverage(draw, gamma, 60, seed, 10) for seed in range(4)]
    assert least < np.mean(parts) < 0.995


def test_equal_rows_are_not_faint():
    assert not moved(np.ones((6, 2)), 1.0).is_faint.any()


@pytest.mark.journey
def test_errors_of_shares_shrink_as_rows_are_added():
    X = np.random.default_rng(0).normal(size=(320, 2)) * (3, 1)
    few, many = moved(X[:40], 0.05), moved(X, 0.05)
    assert many.errors[0] < 0.6 * few.errors[0]
    assert many.errors[0] > 0


def test_same_digits_every_time():
    X = np.random.default_rng(0).normal(size=(40, 3))
    first, again = moved(X, 0.3), moved(X, 0.3)
    np.testing.assert_array_equal(first.spreads, again.spreads)
    assert not np.array_equal(first.spreads, moved(X, 0.3, seed=1).spreads)


def test_stops_when_nobody_waits():
    with pytest.raises(Cancelled):
        moved(LINE, 1.0, should_stop=lambda: True)


def test_procrustes_takes_the_nearest_of_more_directions():
    random = np.random.default_rng(0)
    reference = random.normal(size=(30, 2))
    turn = np.linalg.qr(random.normal(size=(4, 4)))[0]
    wider = np.column_stack([reference, np.zeros((30, 2))]) @ turn
    np.testing.assert_allclose(procrustes(wider, reference), reference, atol=1e-12)
