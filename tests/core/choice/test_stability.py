"""Whether halves of the rows show the same, and over which values they do."""

import numpy as np
import pytest
from scipy.linalg import subspace_angles
from sklearn.datasets import make_circles
from sklearn.decomposition import KernelPCA

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.stability import (
    Picture,
    similarity,
    stability,
    stable_window,
)
from kpca_viewer.support.errors import Cancelled, DataError
from tests.core.test_cancellation import StopAfter

GAMMAS = np.geomspace(0.01, 1000, 26).tolist()


@pytest.fixture(scope="module")
def circles():
    X = make_circles(400, factor=0.3, noise=0.05, random_state=0)[0]
    found = stability(X, [Kernel("rbf", gamma=gamma) for gamma in GAMMAS])
    return X, found, similarity(found)


@pytest.mark.journey
def test_the_rings_stay_apart_over_a_window_around_4(circles):
    """Between 1.5 and 10 the first component is the radius; see `session/beginning`."""
    _, found, alike = circles
    for at in (None, 4.0):
        window = stable_window(GAMMAS, found, alike, at)
        assert window is not None
        low, high = window
        assert 0.1 < 1.2 < low <= 2 < 4 < 6 <= high <= 20


def test_linear_pca_has_a_window_of_its_own(circles):
    _, found, alike = circles
    low, high = stable_window(GAMMAS, found, alike, at=0.1)
    assert low == GAMMAS[0]
    assert high < 1.6
    assert found[0].linear > 0.99


def test_where_every_row_is_alone_nothing_is_stable(circles):
    _, found, alike = circles
    assert found[-1].picture < 0.3
    assert stable_window(GAMMAS, found, alike, at=1000) is None
    assert stable_window(GAMMAS[-3:], found[-3:], alike[-3:, -3:]) is None


def test_a_tied_second_axis_is_the_same_picture_whichever_it_is(circles):
    """One cosine of the ring or another: all are in the plane of both."""
    _, found, _ = circles
    at_4 = found[13]
    assert at_4.shown.span.shape[1] == 3
    assert at_4.picture > 0.95
    assert at_4.by_count[0] > 0.95
    assert at_4.by_count[1] < 0.9
    assert at_4.by_count[2] > 0.95


def test_agreement_is_that_of_the_principal_angles_of_two_models():
    random = np.random.default_rng(0)
    X = random.normal(size=(60, 4)) * (4, 2, 1, 0.5)
    (found,) = stability(X, [Kernel("rbf", gamma=0.02)], components=3, repeats=1)
    order = np.random.default_rng(0).permutation(60)
    halves = order[:30], order[30:]
    scores = [
        KernelPCA(3, kernel="rbf", gamma=0.02).fit(X[half]).transform(X)
        for half in halves
    ]
    A, B = (Z - Z.mean(axis=0) for Z in scores)
    for k in (1, 2, 3):
        angles = subspace_angles(A[:, :k], B[:, :k])
        assert found.by_count[k - 1] == pytest.approx(np.cos(angles).mean(), abs=1e-6)


def test_without_centring_the_models_are_not_centred():
    random = np.random.default_rng(1)
    X = random.normal(size=(40, 3)) * (9, 3, 1) + (0, 0, 20)
    kernel = [Kernel("linear")]
    raw, centred = (stability(X, kernel, center=c)[0] for c in (False, True))
    assert raw.shown.agreement(centred.shown) < 0.99
    assert centred.linear == pytest.approx(1)


def test_a_picture_is_the_same_turned_and_stretched():
    random = np.random.default_rng(2)
    Z = random.normal(size=(50, 2))
    turned = Z @ [[0.6, -2.4], [0.8, 1.8]]
    assert Picture.of(Z, 0).agreement(Picture.of(turned, 0)) == pytest.approx(1)
    other = Picture.of(random.normal(size=(50, 2)), 0)
    assert other.agreement(Picture.of(Z, 0)) < 0.5


def test_one_axis_alone_is_half_of_a_picture():
    X = np.random.default_rng(3).normal(size=(40, 1))
    (line,) = stability(X, [Kernel("linear")])
    assert line.picture == pytest.approx(1)
    Z = np.random.default_rng(4).normal(size=(40, 1))
    both = Picture.of(np.column_stack((X, Z)), 0)
    assert line.shown.agreement(both) == pytest.approx(0.5, abs=0.01)


def test_constant_rows_have_no_picture():
    (found,) = stability(np.ones((10, 2)), [Kernel("rbf")])
    assert found.picture == 0
    assert (found.by_count == 0).all()


def test_more_rows_are_sampled_and_the_seed_decides():
    X = np.random.default_rng(5).normal(size=(300, 3))
    kernels = [Kernel("rbf", gamma=0.5), Kernel("sigmoid", gamma=0.1)]
    first, again = (stability(X, kernels, rows=60) for _ in range(2))
    assert [found.rows for found in first] == [60, 60]
    assert [f.picture for f in first] == [f.picture for f in again]
    other = stability(X, kernels, rows=60, seed=1)
    assert first[0].picture != other[0].picture


def test_a_window_ends_where_the_picture_becomes_another_one():
    """In small steps each like the next, as where two components cross."""
    X = np.random.default_rng(6).normal(size=(80, 3))
    angles = np.linspace(0, np.pi / 2, 10)
    scales = [(1, np.cos(a), np.sin(a)) for a in angles]
    found = [
        stability(
            X[:, :3] / X[:, :3].std(axis=0) * (3 * np.array(s)), [Kernel("linear")]
        )
        for s in scales
    ]
    flat = [f[0] for f in found]
    alike = similarity(flat)
    low, high = stable_window(np.arange(1, 11).tolist(), flat, alike, at=1)
    assert (low, alike[0, 0]) == (1, pytest.approx(1))
    assert high < 10


def test_too_few_rows_are_refused_and_it_can_be_stopped():
    with pytest.raises(DataError, match="7 rows are too few"):
        stability(np.eye(7), [Kernel("rbf")])
    with pytest.raises(Cancelled):
        stability(np.eye(9), [Kernel("rbf")], should_stop=StopAfter(3))
