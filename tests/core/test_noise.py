"""The noise of a table, read from the table, and scores that are shrunk by it."""

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.model_selection import train_test_split

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.bases import Points
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.core.methods.denoiser import Denoiser, _kept_parts, noise_level


def noisy_digits(noise, seed=0):
    """Training rows with noise, test rows with noise, test rows without."""
    X, y = load_digits(return_X_y=True)
    train, test = train_test_split(
        X / 16, stratify=y, random_state=seed, train_size=600, test_size=100
    )
    rng = np.random.RandomState(seed)
    noisy = test + rng.normal(scale=noise, size=test.shape)
    return train + rng.normal(scale=noise, size=train.shape), noisy, test


def level(X):
    return noise_level(Points.prepare(X))


@pytest.mark.parametrize("shape", [(800, 40), (60, 500), (120, 121), (3000, 16)])
def test_a_table_of_noise_is_noise_throughout(shape):
    X = np.random.default_rng(0).normal(loc=5, scale=0.3, size=shape)
    assert level(X) == pytest.approx(0.09, rel=0.15)


@pytest.mark.parametrize("noise", [0.1, 0.6])
def test_the_noise_of_digits_is_found(noise):
    found = level(noisy_digits(noise)[0])
    assert 0.95 * noise**2 < found < 1.5 * noise**2


def test_clean_digits_have_next_to_none():
    assert level(load_digits().data / 16) < 0.01 * (load_digits().data / 16).var()


def test_columns_that_rarely_leave_one_value_tell_of_noise():
    """Standardised digits have no narrow direction: the floor is 17 times too high."""
    X = load_digits().data
    X = X[:, X.std(axis=0) > 0]
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    assert level(X) < 1e-12
    noisy = X + np.random.default_rng(0).normal(scale=0.1, size=X.shape)
    assert 0.01 < level(noisy) < 0.04


def test_sources_that_fill_all_directions_are_no_noise():
    rng = np.random.default_rng(0)
    X = np.repeat(rng.uniform(-1, 1, (60, 20)), 10, axis=0)
    X = X + rng.normal(scale=0.1, size=X.shape)
    assert np.linalg.eigvalsh(np.cov(X.T))[0] > 0.05
    assert level(X) == pytest.approx(0.01, rel=0.15)


def test_tables_that_do_not_tell():
    X = np.random.default_rng(0).normal(size=(50, 30))
    assert level(X[:16]) is None
    assert level(sp.csr_matrix(X)) is None
    assert level(np.ones((40, 30))) == 0


@pytest.mark.journey
@pytest.mark.parametrize(("noise", "k"), [(0.1, 8), (0.4, 64)])
def test_shrunk_digits_are_cleaner_than_by_scikit_learn(noise, k):
    """The kernel and the penalty of the example of scikit-learn."""
    train, noisy, test = noisy_digits(noise)
    options = {"n_components": k, "kernel": "rbf", "gamma": 1e-3, "alpha": 5e-3}
    theirs = TheirKernelPCA(**options, fit_inverse_transform=True).fit(train)
    back = theirs.inverse_transform(theirs.transform(noisy))
    ours = KernelPCA(**options).fit(train).denoise(noisy)
    assert np.square(ours - test).mean() < np.square(back - test).mean()


@pytest.mark.journey
def test_a_narrow_kernel_averages_by_itself():
    train, noisy, _ = noisy_digits(0.25)
    median = suggested_values("rbf", train)["gamma"]
    shrinks = []
    for gamma in (1e-3, 4 * median):
        model = KernelPCA(32, kernel="rbf", gamma=gamma).fit(train)
        clean = Denoiser(model._prepared(None), np.ones(32))
        shrinks.append(clean.shrinks)
    assert shrinks == [True, False]
    np.testing.assert_allclose(
        clean.rebuilt(model.transform(noisy), noisy),
        model.denoise(noisy, method="fixed_point"),
        atol=1e-12,
    )


@pytest.mark.journey
def test_scores_are_shrunk_by_their_noise():
    train, noisy, test = noisy_digits(0.25)
    model = KernelPCA(40, kernel="rbf", gamma=1e-3).fit(train)
    clean = Denoiser(model._prepared(None), np.arange(40) < 30)
    assert clean.shrinks
    assert (clean.factors[30:] == 0).all()
    # In a kernel as wide as this a score is a direction, and its noise that of a cell.
    directions = model.eigenvectors_[:, :30].T @ (train - train.mean(axis=0))
    directions /= np.linalg.norm(directions, axis=1, keepdims=True)
    variances = np.var(train @ directions.T, axis=0)
    expected = np.maximum(1 - clean.noise / variances, 0)
    # Of 500 rows, with a standard error of some hundredths.
    assert np.sqrt(np.square(clean.factors[:30] - expected).mean()) < 0.1
    given = model.denoise(noisy, 30, "fixed_point")
    ours = model.denoise(noisy, 30)
    assert np.square(ours - test).mean() < 0.8 * np.square(given - test).mean()


def test_scores_without_centring_stay():
    train = noisy_digits(0.4)[0]
    options = {"kernel": "rbf", "gamma": 1e-3}
    for center in (True, False):
        model = KernelPCA(20, center=center, **options).fit(train[:300])
        clean = Denoiser(model._prepared(None), np.ones(20))
        assert clean.shrinks == center
    assert (clean.factors == 1).all()


def test_a_row_is_denoised_alike_in_any_company():
    train, noisy, _ = noisy_digits(0.4)
    model = KernelPCA(20, kernel="rbf", gamma=1e-3).fit(train[:300])
    np.testing.assert_allclose(
        model.denoise(noisy[:2]), model.denoise(noisy)[:2], atol=1e-7
    )


def test_what_two_noisy_copies_share_is_kept():
    rng = np.random.default_rng(0)
    signal = rng.normal(size=(20_000, 3)) * [2.0, 1.0, 0.0]
    noise = rng.normal(size=(3, 20_000, 3))
    own = signal + noise[0]
    # The rows are noisy before anything is added; a common factor does not matter.
    kept = _kept_parts(0.1 * (own + noise[1]), 0.1 * (own + noise[2]))
    np.testing.assert_allclose(kept, [4 / 5, 1 / 2, 0], atol=0.04)
