"""Shares, ranks, negative mass and the words of a certificate."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kpca_viewer import KernelPCA
from kpca_viewer.core import spectrum
from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.linalg.gram import MatrixGram
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.core.spectrum import NegativeMass
from tests.core.reference import circles, decompose, eigenvalues, gram_matrix


def true_mass(truth):
    return -truth[truth < 0].sum() / np.abs(truth).sum()


@pytest.mark.parametrize("coef0", [-1, 0, 0.5, 3])
@pytest.mark.parametrize("solver", ["dense", "krylov"])
def test_mass_of_the_sigmoid(coef0, solver):
    X = np.random.default_rng(0).normal(size=(250, 4))
    kernel = Kernel("sigmoid", gamma=0.2, coef0=coef0)
    truth = eigenvalues(gram_matrix(kernel, X))
    result = decompose(X, kernel, 6, solver)
    assert not result.psd
    assert result.smallest == pytest.approx(truth[-1], rel=1e-2)
    mass = result.mass
    expected = true_mass(truth)
    assert mass.low - 1e-9 <= expected <= mass.high + 1e-9
    assert mass.high <= 1
    if solver == "dense":
        assert mass.exact
        assert mass.low == pytest.approx(expected, rel=1e-9)
        assert spectrum.total(result.trace, mass) == pytest.approx(np.abs(truth).sum())
    else:
        assert not mass.exact
        assert mass.estimated
        assert mass.high - mass.low < 0.05
        assert mass.share == pytest.approx(expected, abs=0.01)
        total = spectrum.total(result.trace, mass)
        assert total == pytest.approx(np.abs(truth).sum(), rel=0.02)


@pytest.mark.journey
@settings(max_examples=60, derandomize=True, deadline=None)
@given(
    seed=st.integers(0, 2**32 - 1),
    n=st.integers(12, 80),
    negative=st.floats(0, 1),
    decay=st.floats(0, 3),
    solver=st.sampled_from(["dense", "krylov"]),
)
def test_mass_of_any_matrix_is_within_its_bounds(seed, n, negative, decay, solver):
    rng = np.random.default_rng(seed)
    Q, _ = np.linalg.qr(rng.standard_normal((n, n)))
    mu = np.arange(1, n + 1.0) ** -decay * np.where(rng.random(n) < negative, -1, 1)
    K = (Q * mu) @ Q.T
    gram = MatrixGram.from_kernel((K + K.T) / 2)
    result = solve(Problem(gram, 4, center=False), solver)
    mass = result.mass
    assert mass.low - 1e-9 <= true_mass(mu) <= mass.high + 1e-9
    assert mass.low <= mass.share <= mass.high


def test_mass_is_narrow_where_few_eigenvalues_matter():
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.standard_normal((300, 300)))
    mu = np.concatenate(([100, 50, 20, 10, 5], 1e-6 * rng.standard_normal(295)))
    K = (Q * mu) @ Q.T
    result = solve(Problem(MatrixGram((K + K.T) / 2), 5, center=False), "krylov")
    assert result.mass.high < 1e-3


def test_almost_nothing_is_negative():
    """One eigenvalue is nearly all: what it leaves of the squares is rounding noise."""
    rng = np.random.default_rng(0)
    Q, _ = np.linalg.qr(rng.standard_normal((200, 200)))
    mu = np.concatenate(([1.0], 1e-10 * rng.uniform(-1, 1, 199)))
    K = (Q * mu) @ Q.T
    gram = MatrixGram.from_kernel((K + K.T) / 2)
    result = solve(Problem(gram, 4, center=False, tol=1e-6), "krylov")
    low, high = result.negative - result.negative_error, result.mass.high
    assert low <= -mu[mu < 0].sum() <= result.negative + result.negative_error
    assert high < 1e-5


def test_a_definite_matrix_that_was_given():
    K = gram_matrix(Kernel("rbf"), np.random.default_rng(0).normal(size=(50, 2)))
    known = solve(Problem(MatrixGram.from_kernel(K), 3), "dense")
    assert known.psd
    assert known.mass == NegativeMass(0, 0)
    unknown = solve(Problem(MatrixGram.from_kernel(K), 3), "krylov")
    assert not unknown.psd
    assert unknown.mass.low == 0


@pytest.mark.parametrize("trace", [1.0, -1.0, 0.0])
def test_mass_without_the_squares(trace):
    mass = spectrum.negative_mass(
        np.array([0.5]),
        n=3,
        trace=trace,
        squares=np.nan,
        smallest=-0.25,
        psd=False,
        complete=False,
    )
    assert 0 <= mass.low <= 0.5 <= mass.high <= 1


def test_mass_of_nothing():
    nothing = {"n": 3, "trace": 0.0, "squares": 0.0, "smallest": 0.0, "psd": False}
    zeros = np.zeros(3)
    assert spectrum.negative_mass(zeros, complete=True, **nothing).high == 0
    assert spectrum.negative_mass(zeros, complete=False, **nothing).high == 0


def test_dense_and_krylov_tell_the_same_story():
    """The one counts all eigenvalues, the other estimates what it has not computed."""
    X = circles(600)[0]
    common = {"kernel": "sigmoid", "gamma": 1.0, "coef0": 1.0}
    exact, other = (
        KernelPCA(4, eigen_solver=solver, **common).fit(X)
        for solver in ("dense", "krylov")
    )
    assert exact.negative_mass_ > 0.2
    assert other.negative_mass_ == pytest.approx(exact.negative_mass_, abs=0.003)
    low, high = other.negative_mass_bounds_
    assert low <= exact.negative_mass_ <= high <= low + 0.02
    np.testing.assert_allclose(
        other.explained_variance_ratio_, exact.explained_variance_ratio_, rtol=0.01
    )
    assert other.effective_rank_ == pytest.approx(exact.effective_rank_, rel=0.02)


@pytest.mark.parametrize(
    ("mass", "words", "mark"),
    [
        (NegativeMass(0.25, 0.25, 2.0, 0.25), "25.0 %", ""),
        (
            NegativeMass(0.1, 0.2, 1.0, 0.15, True),
            "about 15.0 % (10.0 to 20.0 %)",
            "≈ ",
        ),
        (NegativeMass(0.1, 0.1001, 1.0, 0.1, True), "about 10.0 %", "≈ "),
        (NegativeMass(0.1, 0.5, 1.0, 0.1), "at least 10.0 %", "≤ "),
    ],
)
def test_mass_in_words(mass, words, mark):
    assert mass.in_words == words
    assert mass.mark == mark


def test_shares():
    mu = np.array([3.0, 1.0])
    none = NegativeMass(0, 0)
    ratio = spectrum.explained_variance_ratio
    np.testing.assert_allclose(ratio(mu, 8, none), [0.375, 0.125])
    mass = NegativeMass(0.25, 0.25, 2.0, 0.25)
    np.testing.assert_allclose(ratio(mu, 4, mass), mu / 8)
    np.testing.assert_allclose(ratio(mu, 0, none), mu / 4)
    np.testing.assert_array_equal(ratio(np.zeros(2), 0, none), [0, 0])


def test_effective_rank():
    assert spectrum.effective_rank(6.0, 12.0) == 3
    assert spectrum.effective_rank(0.0, 12.0) == 0
    assert spectrum.effective_rank(6.0, 0.0) == 0
    assert spectrum.effective_rank(6.0, np.nan) == 0


def test_components_for_a_share():
    ratios = np.array([0.6, 0.3, 0.05, 0.05])
    assert spectrum.components_for(0.6, ratios) == 1
    assert spectrum.components_for(0.95, ratios) == 3
    assert spectrum.components_for(0.95, ratios[:2]) is None


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (0, "eigenvalues exact"),
        (1e-7, "eigenvalues exact to 1·10⁻⁷"),
        (2.3e-7, "eigenvalues exact to 3·10⁻⁷"),
        (9.5e-7, "eigenvalues exact to 1·10⁻⁶"),
        (0.05, "eigenvalues exact to 0.05"),
        (2.0, "no digit of the eigenvalues is certain"),
    ],
)
def test_in_words(error, words):
    assert spectrum.in_words(error) == words


def test_bounds_by_hand():
    """θ = 4, 2 with residual 0.1: known order tightens, unknown order widens."""
    values, E = np.array([4.0, 2.0]), np.array([[0.1, 0], [0, 0.1], [0, 0]])
    common = {"rounding": 0.0, "psd": True, "complete": False}

    def upper(**options):
        bounds, _ = spectrum.index_bounds(values, E, **{**common, **options})
        return bounds[:, 1] - values

    def raised(value, rest):
        """By how much ``[[value, 0.1], [0.1, rest]]`` exceeds the value."""
        return (rest - value) / 2 + np.hypot((value - rest) / 2, 0.1)

    settled = [raised(4, 1), raised(2, 1)]
    np.testing.assert_allclose(settled, [0.01 / 3, 0.01], rtol=0.01)
    np.testing.assert_allclose(upper(trace=7.0, squares=np.nan), settled)
    unsettled = upper(trace=9.0, squares=np.nan)
    np.testing.assert_allclose(unsettled, [raised(4, 3), raised(2, 3)])
    np.testing.assert_allclose(upper(trace=9.0, squares=np.nan, rest=1.0), settled)
    by_squares = upper(trace=np.nan, psd=False, squares=20 + 0.04 + 1.0)
    np.testing.assert_allclose(by_squares, settled)
    nothing = upper(trace=np.nan, psd=False, squares=np.nan)
    np.testing.assert_array_equal(nothing, [np.inf, np.inf])
    whole, _ = spectrum.index_bounds(
        values, E, 0.0, trace=6, squares=20, psd=False, complete=True
    )
    np.testing.assert_allclose(whole, [[3.9, 4.1], [1.9, 2.1]])


def test_bounds_end_at_the_trace():
    """What the lower ends leave of it, and at most its j-th part."""
    wide = np.array([[3.0, 50.0], [1.0, 50.0], [0.5, 1.5]])
    bounds = spectrum.clipped(wide, 6.0, 0.0)
    np.testing.assert_allclose(bounds, [[3, 6], [1, 3], [0.5, 1.5]])
    np.testing.assert_allclose(spectrum.clipped(-wide, 6.0, 0.0), np.zeros((3, 2)))


def test_the_fewest_components_count_what_is_not_known():
    ratios = np.array([0.5, 0.2, 0.1])
    assert spectrum.fewest_components(0.7, ratios, 0.0, 0.0) == 2
    assert spectrum.fewest_components(0.9, ratios, 0.0, 0.0) == 4
    # Each may hold 0.05 more, but all together no more than what is left of the whole.
    assert spectrum.fewest_components(0.9, ratios, 0.05, 0.2) == 3
    assert spectrum.fewest_components(0.9, ratios, 0.05, 0.09) == 4


def test_angles_by_hand():
    """sin φ ≤ ‖r‖ / gap, and nothing where bounds overlap or the gap is too small."""
    values = np.array([4.0, 2.0, 1.0, 0.99])
    bounds = values[:, None] + np.array([-0.02, 0.02])
    residuals = np.array([0.1, 0.1, 0.001, 0.001])
    found = spectrum.angle_bounds(values, bounds, residuals, 0.5)
    expected = np.arcsin([0.1 / (4 - 2.02), 0.1 / (2 - 1.02)])
    np.testing.assert_allclose(found[:2], expected)
    assert np.isinf(found[2:]).all()
    # What follows the last one may be next to it.
    assert np.isinf(spectrum.angle_bounds(values[:2], bounds[:2], residuals[:2], 1.95))[
        1
    ]
    wide = spectrum.angle_bounds(values[:2], bounds[:2], np.array([3.0, 0.0]), 0.5)
    assert np.isinf(wide[0])
    assert wide[1] == 0
