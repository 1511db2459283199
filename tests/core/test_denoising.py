"""Noise that components leave out, on the examples that everybody knows."""

import numpy as np
import pytest
from sklearn.datasets import load_breast_cancer, load_digits
from sklearn.decomposition import KernelPCA as TheirKernelPCA
from sklearn.exceptions import NotFittedError
from sklearn.model_selection import train_test_split

from benchmarks.gains import noise_errors
from benchmarks.mika import error_ratios
from kpca_viewer import KernelPCA
from kpca_viewer.support.errors import DataError, KernelError


@pytest.mark.journey
def test_noisy_digits_become_cleaner_than_by_scikit_learn():
    """The denoising example of scikit-learn: same noise, γ and penalty."""
    X, y = load_digits(return_X_y=True)
    train, test = train_test_split(
        X / 16, stratify=y, random_state=0, train_size=400, test_size=60
    )
    rng = np.random.RandomState(0)
    noisy = test + rng.normal(scale=0.25, size=test.shape)
    train = train + rng.normal(scale=0.25, size=train.shape)
    options = {"n_components": 160, "kernel": "rbf", "gamma": 1e-3, "alpha": 5e-3}
    theirs = TheirKernelPCA(**options, fit_inverse_transform=True).fit(train)
    back = theirs.inverse_transform(theirs.transform(noisy))
    ours = KernelPCA(**options).fit(train).denoise(noisy)

    def error(images):
        return np.square(images - test).mean()

    assert error(ours) < 0.7 * error(back)
    assert error(ours) < 0.6 * error(noisy)


@pytest.mark.journey
def test_kernel_pca_beats_linear_pca_as_in_the_table_of_mika():
    """Ratios of the errors: huge for narrow sources, there the larger the fewer the
    components are; 1 to 8 for wide ones, growing with the number of components."""
    narrow, middle, wide = (
        error_ratios(sigma, counts=(1, 4, 9)) for sigma in (0.05, 0.2, 0.8)
    )
    assert narrow[0] > 1000
    assert narrow[0] > narrow[1] > narrow[2] > 20
    assert narrow[0] > middle[0] > wide[0]
    assert 20 > middle[-1] > wide[-1] > 2
    assert 4 > wide[2] > wide[1]
    # With one component for eleven wide sources neither knows much.
    assert min(narrow.min(), wide.min()) > 1
    assert middle.min() > 0.95


@pytest.mark.journey
@pytest.mark.parametrize(("name", "noise"), [("digits", 0.25), ("breast cancer", 0.1)])
def test_little_noise_is_not_exchanged_for_a_large_error(name, noise):
    """All of the change would leave 10 to 30 times the error that there is."""
    errors = dict(noise_errors(name, noise, 0))
    assert errors["ours"] < 1.2 * errors["as it is"]
    assert errors["ours, noise told"] < errors["as it is"]
    assert errors["ours"] < min(errors["linear PCA"], errors["ridge"])


def standardised_cancer():
    data = load_breast_cancer().data
    return (data - data.mean(axis=0)) / data.std(axis=0)


@pytest.mark.journey
def test_a_model_of_clean_rows_leaves_clean_rows_and_cleans_noisy_ones():
    clean = standardised_cancer()
    train, test = clean[:400], clean[400:]
    model = KernelPCA(10, kernel="rbf", gamma=0.02).fit(train)
    back, weights = model.denoise(test, return_weights=True)
    assert weights.mean() < 0.05
    assert np.square(back - test).mean() < 1e-3
    noisy = test + np.random.default_rng(0).normal(scale=0.5, size=test.shape)
    back, weights = model.denoise(noisy, return_weights=True)
    assert 0.3 < weights.mean() <= 1
    assert np.square(back - test).mean() < 0.8 * 0.25


@pytest.mark.journey
def test_how_much_is_changed():
    rows = standardised_cancer()[:200]
    model = KernelPCA(5, kernel="rbf", gamma=0.02).fit(rows)
    whole = model.denoise(rows, method="fixed_point")
    for noise, expected in ((0.0, 0), (100.0, 1)):
        _, weights = model.denoise(rows, noise=noise, return_weights=True)
        assert (weights == expected).all()
    np.testing.assert_array_equal(model.denoise(rows, noise=0), rows)
    _, weights = model.denoise(rows, method="fixed_point", return_weights=True)
    assert (weights == 1).all()
    assert not np.allclose(whole, rows, atol=0.1)
    for wrong in (-1, np.nan, np.inf, "much"):
        with pytest.raises(DataError, match="standard deviation"):
            model.denoise(rows, noise=wrong)


X = np.random.default_rng(0).normal(size=(60, 3))


def test_fewer_components_are_a_smaller_model():
    large = KernelPCA(6, kernel="rbf", gamma=0.3).fit(X)
    small = KernelPCA(2, kernel="rbf", gamma=0.3).fit(X)
    for method in ("fixed_point", "distances"):
        np.testing.assert_allclose(
            large.denoise(X, 2, method), small.denoise(X, method=method), atol=1e-3
        )


def test_denoising_keeps_the_type_and_drops_dead_components():
    model = KernelPCA(3, kernel="rbf", gamma=0.3).fit(X.astype(np.float32))
    assert model.denoise(X.astype(np.float32)).dtype == np.float32
    line = KernelPCA(3).fit(np.column_stack((X[:, 0], X[:, 0])))
    np.testing.assert_allclose(line.denoise([[1.0, 3.0]]), [[2.0, 2.0]], atol=1e-9)


@pytest.mark.parametrize("k", [0, 4, 1.5, True])
def test_numbers_of_components_that_are_not_there(k):
    model = KernelPCA(3, kernel="rbf").fit(X)
    with pytest.raises(DataError, match="a whole number from 1 to 3"):
        model.denoise(X, k)


def test_ways_that_do_not_exist():
    model = KernelPCA(3, kernel="rbf").fit(X)
    with pytest.raises(KernelError, match="choose one of ridge, fixed_point, dist"):
        model.denoise(X, method="magic")
    with pytest.raises(KernelError, match="RBF kernel only, not for Polynomial"):
        KernelPCA(3, kernel="poly").fit(X).denoise(X, method="fixed_point")
    with pytest.raises(KernelError, match="A pre-image needs a named kernel"):
        KernelPCA(3, kernel="precomputed").fit(X @ X.T).denoise(X @ X.T)
    with pytest.raises(NotFittedError):
        KernelPCA(3).denoise(X)


def test_the_inverse_transform_from_distances_is_kept_in_a_file(tmp_path):
    model = KernelPCA(
        5, kernel="matern", fit_inverse_transform=True, pre_image="distances"
    ).fit(X)
    model.save(tmp_path / "model.npz")
    again = KernelPCA.load(tmp_path / "model.npz")
    Z = model.transform(X[:7])
    np.testing.assert_array_equal(
        again.inverse_transform(Z), model.inverse_transform(Z)
    )
    np.testing.assert_array_equal(again.score_samples(X), model.score_samples(X))
    np.testing.assert_array_equal(again.diagnostics().spe, model.diagnostics().spe)
