"""Components that independent columns would not give: found, and not made up."""

import numpy as np
import pytest
from sklearn.datasets import make_circles, make_moons, make_s_curve

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.parallel_analysis import (
    DRAWS,
    ParallelAnalysis,
    chance_of_any,
    parallel_analysis,
)
from kpca_viewer.support.errors import Cancelled, DataError, KernelError
from tests.core.reference import gram_matrix
from tests.core.test_cancellation import StopAfter

GAMMAS = (0.05, 0.5, 5.0)
RBF = [Kernel("rbf", gamma=gamma) for gamma in GAMMAS]


def random_table(kind, seed, n, d=3):
    random = np.random.default_rng(seed + 1000)
    made = {
        "normal": random.normal,
        "uniform": lambda size: random.uniform(-1.7, 1.7, size),
        "coins": lambda size: random.integers(0, 2, size).astype(float),
    }
    return made[kind](size=(n, d))


@pytest.mark.parametrize(
    ("kind", "n"), [("normal", 16), ("coins", 16), ("uniform", 24)]
)
def test_noise_has_a_false_component_in_5_of_100_tables_at_most(kind, n):
    false = np.zeros(len(RBF), dtype=int)
    under_any = 0
    for seed in range(100):
        X = random_table(kind, seed, n)
        found = parallel_analysis(X, RBF, components=2, seed=seed)
        false += [analysis.real > 0 for analysis in found]
        under_any += chance_of_any(found) <= 0.05
    assert (false <= 5).all()
    assert under_any <= 5


@pytest.mark.parametrize(
    ("X", "gamma"),
    [
        (make_circles(200, factor=0.3, noise=0.05, random_state=0)[0], 4.0),
        (make_moons(200, noise=0.05, random_state=0)[0], 4.0),
        (make_s_curve(200, random_state=0)[0], 2.0),
    ],
    ids=["circles", "moons", "S-curve"],
)
def test_curved_structure_is_found(X, gamma):
    found = parallel_analysis(X, [Kernel("rbf", gamma=gamma)])
    assert found[0].real >= 1
    assert found[0].energy > 0.005
    assert chance_of_any(found) == 1 / (DRAWS + 1)


def test_the_linear_kernel_finds_as_many_directions_as_were_planted():
    random = np.random.default_rng(3)
    X = random.normal(size=(120, 8))
    X[:, :3] += 2 * random.normal(size=(120, 1))
    X[:, 3:6] += 1.5 * random.normal(size=(120, 1))
    (found,) = parallel_analysis(X, [Kernel("linear")])
    assert found.real == 2


def test_eigenvalues_energy_and_band_are_those_of_the_formulas():
    X = random_table("normal", 5, 150)
    X[:, 1] = X[:, 0] + 0.1 * X[:, 1]
    kernel = Kernel("rbf", gamma=0.3)
    (found,) = parallel_analysis(X, [kernel], components=4)
    H = np.eye(150) - 1 / 150
    K = H @ gram_matrix(kernel, X) @ H
    values = np.linalg.eigvalsh(K)[::-1][:4]
    np.testing.assert_allclose(found.eigenvalues, values, rtol=1e-4)
    np.testing.assert_array_equal(found.band, found.null.max(axis=0))
    assert found.real >= 1
    excess = (values - found.band)[: found.real].sum()
    assert found.energy == pytest.approx(excess / np.trace(K), rel=1e-3)
    assert found.rows == 150


@pytest.mark.parametrize(("draws", "place"), [(19, 19), (39, 38), (59, 57)])
def test_the_band_is_the_draw_that_few_exceed(draws, place):
    (found,) = parallel_analysis(random_table("normal", 0, 12), RBF[:1], draws=draws)
    ordered = np.sort(found.null, axis=0)
    np.testing.assert_array_equal(found.band, ordered[place - 1])


def test_components_count_up_to_the_first_that_is_not_beyond():
    """Later ones may be beyond again, as those of the circles at a small γ are."""
    X = make_circles(200, factor=0.3, noise=0.05, random_state=0)[0]
    (found,) = parallel_analysis(X, [Kernel("rbf", gamma=1.2)])
    assert found.real == 0
    assert found.energy == 0
    assert (found.eigenvalues > found.band).any()


def test_kernels_share_their_draws_and_do_not_disturb_each_other():
    X = random_table("normal", 1, 30)
    kernels = [*RBF, Kernel("laplacian", gamma=0.5), Kernel("cosine"), Kernel("linear")]
    together = parallel_analysis(X, kernels)
    for kernel, found in zip(kernels, together, strict=True):
        (alone,) = parallel_analysis(X, [kernel])
        np.testing.assert_array_equal(alone.null, found.null)
        np.testing.assert_array_equal(alone.eigenvalues, found.eigenvalues)


def test_an_indefinite_kernel_counts_all_magnitudes():
    X = random_table("normal", 2, 40)
    X[:, 1] = X[:, 2] = X[:, 0]
    kernel = Kernel("sigmoid", gamma=0.3, coef0=0.5)
    (found,) = parallel_analysis(X, [kernel], components=3)
    assert found.real >= 1
    H = np.eye(40) - 1 / 40
    values = np.linalg.eigvalsh(H @ gram_matrix(kernel, X) @ H)[::-1]
    assert values[-1] < -0.1
    excess = (values[:3] - found.band)[: found.real].sum()
    assert found.energy == pytest.approx(excess / np.abs(values).sum())


def test_more_rows_are_sampled_and_that_is_said():
    X = random_table("normal", 3, 300)
    (found,) = parallel_analysis(X, RBF[:1], rows=50, draws=19)
    assert found.rows == 50
    (again,) = parallel_analysis(X, RBF[:1], rows=50, draws=19)
    np.testing.assert_array_equal(found.null, again.null)


def test_a_constant_column_does_not_matter():
    X = random_table("normal", 4, 40)
    wider = np.column_stack((X, np.full(40, 7.0)))
    a, b = (parallel_analysis(table, RBF)[1] for table in (X, wider))
    assert a.eigenvalues == pytest.approx(b.eigenvalues)
    assert a.real == b.real


@pytest.mark.parametrize(
    ("X", "sentence"),
    [
        (np.arange(30.0)[:, None], "Only one column varies"),
        (np.column_stack((np.arange(30.0), np.ones(30))), "Only one column varies"),
        (np.ones((30, 2)), "No column varies"),
        (np.arange(6.0).reshape(3, 2), "3 rows are too few"),
        (np.ones((1, 2)), "1 row is too few"),
    ],
)
def test_what_permuting_cannot_tell_is_refused(X, sentence):
    with pytest.raises(DataError, match=sentence):
        parallel_analysis(X, RBF)


def test_too_few_draws_are_refused():
    with pytest.raises(DataError, match="18 draws"):
        parallel_analysis(random_table("normal", 0, 12), RBF, draws=18)


def test_permuted_rows_of_zeros_do_not_stop_the_cosine():
    X = np.eye(4)[np.arange(24) % 4] + np.eye(4)[np.arange(24) // 4 % 4]
    (found,) = parallel_analysis(X, [Kernel("cosine")], draws=19)
    assert np.isfinite(found.null).all()
    only_one_each = np.eye(30)
    with pytest.raises((DataError, KernelError), match="zeros"):
        parallel_analysis(only_one_each, [Kernel("cosine")])


def test_it_can_be_stopped():
    with pytest.raises(Cancelled):
        parallel_analysis(random_table("normal", 0, 30), RBF, should_stop=StopAfter(5))


def test_progress_goes_from_the_first_draw_to_the_last():
    told = []
    parallel_analysis(
        random_table("normal", 0, 12),
        RBF,
        draws=19,
        progress=lambda what, part: told.append((what, part)),
    )
    assert [part for _, part in told] == [(i + 1) / 20 for i in range(20)]


def test_trying_many_values_does_not_make_noise_real():
    """A first eigenvalue beyond one band is no proof where many were tried."""
    null = np.tile(np.arange(20.0)[:, None], 2)
    lucky = ParallelAnalysis(np.array([19.5]), null[-1:], null, 1, 0.1, 10)
    swapped = ParallelAnalysis(np.array([0.5]), null[-1:], null[::-1], 0, 0.0, 10)
    assert chance_of_any([lucky]) == 1 / 21
    assert chance_of_any([lucky, swapped]) > 0.05
