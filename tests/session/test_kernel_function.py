"""k(xᵢ, ·) and the weights of components, against K itself."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.generators import generate
from kpca_viewer.engine.kernel_function import (
    function_row,
    on_plane,
    on_rows,
    weights,
)
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.widgets.plots.coloring import coloring
from tests.analyses import analysed
from tests.core.reference import centred, entry, gram_matrix

RINGS = DataSettings("two_rings")
KERNELS = [
    KernelSettings("rbf", (("gamma", 0.5),)),
    KernelSettings("poly", as_values({"gamma": 1, "degree": 2, "coef0": 1})),
    KernelSettings("linear"),
    KernelSettings("cosine"),
]


@pytest.mark.parametrize("kernel", KERNELS, ids=lambda kernel: kernel.family)
def test_a_row_of_k_is_the_function_at_all_rows_and_in_the_plane(kernel):
    result = analysed(SessionSettings(RINGS, kernel))
    X = result.dataset.points
    K = gram_matrix(result.kernel, X)
    assert np.allclose(on_rows(result, 3), K[3], atol=1e-12)
    plane = on_plane(result, 3)
    i, j = 7, 20
    place = np.array([plane.x[j], plane.y[i]])
    expected = entry(result.kernel, X[3], place)
    assert plane.scores[i, j, 0] == pytest.approx(expected, abs=1e-12)


def test_the_function_sees_scaled_values():
    data = replace(RINGS, scaling="standardise")
    result = analysed(SessionSettings(data, KERNELS[0]))
    X = result.dataset.points
    seen = (X - X.mean(axis=0)) / X.std(axis=0)
    assert np.allclose(on_rows(result, 3), gram_matrix(result.kernel, seen)[3])
    assert np.allclose(result.kernel_values(X, 3), on_rows(result, 3))


def test_new_rows_have_values_behind_those_of_the_data():
    new = generate("circles", samples=10)
    result = analysed(SessionSettings(RINGS, KERNELS[0]), new_rows=new).joined
    values = on_rows(result, 2)
    both = np.vstack([generate("two_rings").points, new.points])
    assert np.allclose(values, gram_matrix(result.kernel, both)[2])
    assert np.all(weights(result, 0)[8:] == 0)


def test_weights_make_scores_of_the_centred_matrix():
    result = analysed(SessionSettings(RINGS, KERNELS[0]))
    K = centred(gram_matrix(result.kernel, result.dataset.points))
    for j in (0, 3):
        alpha = weights(result, j)
        assert np.allclose(K @ alpha, result.scores[:, j], atol=1e-8)
        assert alpha @ K @ alpha == pytest.approx(1)


def test_colours_are_the_values_and_the_signs_of_weights():
    result = analysed(SessionSettings(RINGS, KERNELS[0]))
    colors = coloring(result, replace(result.settings.view, color_by="kernel:3"))
    assert (colors.title, colors.high) == ("k(4, ·)", 1)
    assert colors.low == pytest.approx(on_rows(result, 3).min())
    colors = coloring(result, replace(result.settings.view, color_by="weight:3"))
    alpha = weights(result, 3)
    assert colors.names == ("α of PC 4 ≥ 0", "α of PC 4 < 0")
    assert np.array_equal(colors.codes == 1, alpha < 0)
    assert np.allclose(colors.sizes.shares, np.abs(alpha) / np.abs(alpha).max())


def test_a_row_that_is_not_there_has_no_function():
    result = analysed(SessionSettings(RINGS, KERNELS[0]))
    assert function_row(result, "kernel:7") == 7
    assert function_row(result, "kernel:8") is None
    assert function_row(result, "label") is None
    colors = coloring(result, replace(result.settings.view, color_by="kernel:8"))
    assert colors.kind == "single"
