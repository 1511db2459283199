"""Rows from their first components, against `KernelPCA.denoise` and PCA."""

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca_viewer import KernelPCA
from kpca_viewer.engine.settings import AnalysisSettings
from kpca_viewer.features.preimage.compute import (
    LOOKED_AT,
    DenoiseRequest,
    PlaceFinder,
    denoise_rows,
)
from kpca_viewer.features.preimage.text import denoised_words
from kpca_viewer.support.errors import Cancelled
from tests.session.preimages.test_finder import answer


def test_the_linear_kernel_is_pca():
    result = answer("iris", "linear", analysis=AnalysisSettings(components=4))
    X = result.dataset.points
    for k in (1, 2, 4):
        found = denoise_rows(DenoiseRequest(PlaceFinder(result), k, whole=True))
        pca = PCA(k).fit(X)
        expected = pca.inverse_transform(pca.transform(X))
        np.testing.assert_allclose(found.points, expected, atol=1e-6)
        lost = 1 - pca.explained_variance_ratio_.sum()
        assert found.lost == pytest.approx(lost, abs=1e-9)


def test_it_is_what_the_estimator_does():
    dense = AnalysisSettings(solver="dense")
    result = answer("moons", values={"gamma": 2.0}, analysis=dense)
    X = result.dataset.points
    found = denoise_rows(DenoiseRequest(PlaceFinder(result), 3, whole=True))
    model = KernelPCA(10, kernel="rbf", gamma=2.0, eigen_solver="dense").fit(X)
    changed, weights = model.denoise(X, 3, return_weights=True)
    assert found.part == pytest.approx(weights.mean(), abs=1e-3)
    # The page shows all of the change, the estimator makes what is likely a gain.
    whole = X + (changed - X) / weights[:, None]
    np.testing.assert_allclose(found.points, whole, atol=1e-3)
    assert f"noise, {100 * found.part:.0f} % of that change" in denoised_words(found)


def test_units_are_those_of_the_data():
    result = answer("wine")
    found = denoise_rows(DenoiseRequest(PlaceFinder(result), 10, whole=True))
    X = result.dataset.points
    np.testing.assert_allclose(found.points.mean(axis=0), X.mean(axis=0), rtol=0.1)
    assert 0 < found.lost < 1
    assert "10 components of 10, rows differ" in denoised_words(found)


def test_of_many_rows_some_are_looked_at_and_all_become_data():
    result = answer("circles", data={"values": (("samples", 900.0),)})
    finder = PlaceFinder(result)
    some = denoise_rows(DenoiseRequest(finder, 2))
    assert len(some.rows) == len(some.points) == LOOKED_AT
    assert f"a sample of {LOOKED_AT} of 900" in denoised_words(some)
    whole = denoise_rows(DenoiseRequest(finder, 2, whole=True))
    data = whole.dataset()
    assert data.n == 900
    assert data.label_names == result.dataset.label_names
    np.testing.assert_array_equal(data.labels, result.dataset.labels)
    assert data.name == "Circles, denoised from 2"
    np.testing.assert_allclose(data.points[some.rows], some.points, atol=1e-6)


def test_it_stops_when_nobody_wants_it():
    finder = PlaceFinder(answer("circles"))
    with pytest.raises(Cancelled):
        denoise_rows(DenoiseRequest(finder, 2), lambda: True)
