"""Sums and products of kernels, against what numpy makes of their parts."""

import numpy as np
import pytest
from sklearn.base import clone

import kpca_viewer
from kpca_viewer import (
    Kernel,
    KernelPCA,
    cosine,
    laplacian,
    linear,
    matern,
    paraboloid,
    poly,
    rbf,
    sigmoid,
)
from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.core.kernels.gradients import gradient_blocks, has_kinks
from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.support.errors import KernelError
from tests.bounds import random_case, random_composition
from tests.core.reference import centred, entry, gram_matrix
from tests.scripts import executed

COMPOSITIONS = [
    rbf(0.5) + 0.1 * linear(),
    rbf(0.5) * linear() + 2 * matern(1.3, nu=2.5),
    cosine() + rbf(0.2) + 0.3 * laplacian(0.4),
    paraboloid() * rbf(1.5),
    rbf(1) + 3 * rbf(0.01),
    (linear() + poly(2)) * laplacian(0.2),
    0.5 * rbf(2),
    rbf(2) + 0.2 * sigmoid(0.1, -0.3),
]
by_text = pytest.mark.parametrize("kernel", COMPOSITIONS, ids=repr)


@pytest.fixture
def X():
    return np.random.default_rng(3).normal(size=(40, 4)) + 0.3


@by_text
def test_values_follow_from_the_parts(kernel, X):
    points = kernel.points(X)
    K = gram_matrix(kernel, X)
    np.testing.assert_allclose(kernel.block(points, points), K, rtol=1e-9, atol=1e-12)
    np.testing.assert_allclose(kernel.diagonal(points), np.diag(K), rtol=1e-12)
    np.testing.assert_allclose(K[3, 7], entry(kernel, X[3], X[7]), rtol=1e-12)
    assert kernel.growth(points.largest_squared_norm).power >= 0


@by_text
def test_a_model_is_that_of_the_matrix(kernel, X, tmp_path):
    model = KernelPCA(3, kernel=kernel).fit(X)
    truth = np.linalg.eigvalsh(centred(gram_matrix(kernel, X)))[::-1][:3]
    low, high = model.eigenvalue_bounds_.T
    assert (low <= truth).all()
    assert (truth <= high).all()
    np.testing.assert_allclose(model.eigenvalues_, truth, rtol=1e-8)
    new = X[:5] + 0.1
    model.save(tmp_path / "model.npz")
    loaded = KernelPCA.load(tmp_path / "model.npz")
    np.testing.assert_array_equal(loaded.transform(new), model.transform(new))
    assert repr(Kernel.parse(loaded.kernel)) == repr(kernel)
    np.testing.assert_allclose(clone(model).fit(X).transform(new), model.transform(new))


@by_text
def test_gradients_are_those_of_differences(kernel, X):
    anchors, step = kernel.points(X), 1e-6
    weights = np.random.default_rng(0).normal(size=(len(X), 2))
    at = X[:6] + 0.05

    def value(rows):
        return kernel.block(kernel.prepare_new(anchors, rows), anchors) @ weights

    (_, gradient), *_ = gradient_blocks(kernel, anchors, weights, at)
    for f in range(X.shape[1]):
        moved = np.zeros(X.shape[1])
        moved[f] = step
        slope = (value(at + moved) - value(at - moved)) / (2 * step)
        np.testing.assert_allclose(gradient[:, :, f], slope, rtol=2e-5, atol=2e-6)
    assert has_kinks(kernel) == ("laplacian" in repr(kernel))


@by_text
def test_text_and_code_say_the_same(kernel, X):
    assert repr(Kernel.parse(repr(kernel))) == repr(kernel)
    body = "\n".join(f"    {x}" for x in kernel.family.computation.code(kernel.values))
    made = executed(f"import numpy as np\ndef k(A, B):\n{body}\n")["k"](X, X)
    np.testing.assert_allclose(made, gram_matrix(kernel, X), rtol=1e-9)
    value = entry(kernel, X[0], X[1])
    first, *_ = kernel.family.computation.written(X[0], X[1], kernel.values, value)
    assert first.startswith(("k₁", "0", "2"))
    assert kernel.formula().startswith("k(x,y)=")
    assert kernel.formula().count("{") == kernel.formula().count("}")
    assert kernel.general_formula()
    assert "{" not in kernel.plain_formula()


@pytest.mark.journey
def test_bounds_hold_on_random_compositions():
    cases = [random_case(seed, random_composition) for seed in range(150)]
    found = [case for case in cases if case is not None]
    assert len(found) > 100
    for case in found:
        assert max(case.beyond, case.beyond_angle) <= 0, case.where


def test_formulas_read_as_they_are_written():
    kernel = rbf(0.5) + 0.1 * linear()
    assert kernel.plain_formula() == "k(x, y) = exp(−0.5 ‖x − y‖²) + 0.1 xᵀy"
    assert kernel.formula() == r"k(x,y)=e^{-0.5\,\|x-y\|^2}+0.1\,x^\top y"
    assert list(kernel.values) == ["weight_1", "gamma", "weight_2"]
    assert kernel.family.title == "RBF + linear"
    assert str(rbf(1) * linear()) == "rbf(gamma=1.0)*linear()"
    assert [p.symbol for p in (rbf(1) + laplacian(2)).family.parameters] == [
        *("w₁", "γ₁", "w₂", "γ₂")
    ]


def test_missing_values_are_those_of_the_keywords(X):
    by_text = KernelPCA(2, kernel="rbf + laplacian(0.3)", gamma=0.7).fit_transform(X)
    by_value = KernelPCA(2, kernel=rbf(0.7) + laplacian(0.3)).fit_transform(X)
    np.testing.assert_allclose(by_text, by_value)
    suggested = suggested_values("rbf + laplacian", X)
    assert suggested == {
        "gamma_1": suggested_values("rbf", X)["gamma"],
        "gamma_2": suggested_values("laplacian", X)["gamma"],
    }


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("rbf(", "is not a kernel"),
        ("rbf + ", "is not a kernel"),
        ("rbf - linear", "is not a kernel"),
        ("2", "1 to 8 parts"),
        ("rbf + 2", "1 to 8 parts"),
        ("__import__('os')", "is not a kernel"),
        ("nothing(2) + rbf", "no kernel 'nothing'"),
        ("rbf(1, 2)", "does not have"),
        ("rbf(width=2) + linear", "it has gamma"),
        ("rbf(-1) + linear", "greater than 0"),
        ("0*rbf + linear", "greater than 0"),
        ("(" * 500, "is not a kernel"),
        ("*".join(["(rbf + linear)"] * 6), "is not a kernel"),
        (" + ".join(["rbf"] * 9), "is not a kernel"),
    ],
)
def test_bad_expressions_are_refused_in_one_sentence(text, said):
    with pytest.raises(KernelError) as caught:
        Kernel.parse(text)
    assert said in str(caught.value)
    with pytest.raises(KernelError):
        KernelPCA(2, kernel=text).fit(np.eye(4))


def test_rows_of_zeros_are_named():
    with pytest.raises(KernelError, match="row 1 "):
        KernelPCA(1, kernel=cosine() + rbf(1)).fit([[1.0, 2], [0, 0], [3, 4]])


def test_every_kernel_is_a_function_of_the_top_level():
    for name in FAMILIES:
        assert repr(getattr(kpca_viewer, name)()) == repr(Kernel(name))
