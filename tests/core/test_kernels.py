"""Every kernel against an independent formula, and every refusal with its words."""

import pickle
from dataclasses import FrozenInstanceError
from math import inf

import numpy as np
import pytest
import scipy.sparse as sp
from scipy.spatial.distance import cdist
from sklearn.gaussian_process.kernels import Matern, RationalQuadratic
from sklearn.metrics import pairwise as skl

from kpca_viewer.core.kernels import bases
from kpca_viewer.core.kernels.bases import Points, pairwise
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel, suggested_values
from kpca_viewer.support.errors import KernelError
from tests.core.reference import ALL_KERNELS, eigenvalues, entry, gram_matrix, kernel_id

RNG = np.random.default_rng(0)
each_kernel = pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)


def two_sets(d):
    X, Y = RNG.normal(size=(13, d)), RNG.normal(size=(7, d))
    return X, Y


def block(kernel, X, Y):
    left = kernel.points(X)
    return kernel.block(left, kernel.prepare_new(left, Y))


@each_kernel
@pytest.mark.parametrize("d", [1, 3, 16, 40, 64, 65])
def test_block_is_the_formula(kernel, d):
    X, Y = two_sets(d)
    expected = [[entry(kernel, x, y) for y in Y] for x in X]
    np.testing.assert_allclose(block(kernel, X, Y), expected, rtol=1e-10, atol=1e-12)


@each_kernel
def test_sparse_points_give_the_same_block(kernel):
    X, Y = two_sets(5)
    X[X < -0.5] = 0
    sparse = block(kernel, sp.csr_matrix(X), sp.csr_matrix(Y))
    np.testing.assert_allclose(sparse, block(kernel, X, Y), rtol=1e-9, atol=1e-12)


@each_kernel
def test_diagonal_is_that_of_the_block(kernel):
    X, _ = two_sets(4)
    points = kernel.points(X)
    np.testing.assert_allclose(
        kernel.diagonal(points), np.diag(kernel.block(points, points)), rtol=1e-12
    )


@each_kernel
def test_from_a_shared_base(kernel):
    points = kernel.points(two_sets(4)[0])
    base = pairwise(kernel.family.base, points, points)
    np.testing.assert_array_equal(
        kernel.of_base(base.copy()), kernel.block(points, points)
    )


@each_kernel
def test_float32_stays_float32(kernel):
    X, _ = two_sets(4)
    points = kernel.points(X.astype(np.float32))
    K = kernel.block(points, points)
    assert K.dtype == np.float32
    np.testing.assert_allclose(K, gram_matrix(kernel, X), rtol=2e-4, atol=2e-5)


@pytest.mark.parametrize(
    ("kernel", "theirs"),
    [
        (Kernel("linear"), skl.linear_kernel),
        (
            Kernel("poly", gamma=0.3, degree=4, coef0=2),
            lambda X, Y: skl.polynomial_kernel(X, Y, 4, 0.3, 2),
        ),
        (Kernel("rbf", gamma=0.3), lambda X, Y: skl.rbf_kernel(X, Y, 0.3)),
        (Kernel("laplacian", gamma=0.3), lambda X, Y: skl.laplacian_kernel(X, Y, 0.3)),
        (
            Kernel("sigmoid", gamma=0.3, coef0=-1),
            lambda X, Y: skl.sigmoid_kernel(X, Y, 0.3, -1),
        ),
        (Kernel("cosine"), skl.cosine_similarity),
        (Kernel("matern", nu=0.5, length_scale=0.7), Matern(0.7, nu=0.5)),
        (Kernel("matern", nu=1.5, length_scale=0.7), Matern(0.7, nu=1.5)),
        (Kernel("matern", nu=2.5, length_scale=0.7), Matern(0.7, nu=2.5)),
        (
            Kernel("rational_quadratic", mixture=3, length_scale=0.7),
            RationalQuadratic(0.7, 3),
        ),
    ],
)
def test_against_scikit_learn(kernel, theirs):
    X, Y = two_sets(6)
    np.testing.assert_allclose(
        block(kernel, X, Y), theirs(X, Y), rtol=1e-10, atol=1e-13
    )


def test_rational_quadratic_tends_to_the_rbf():
    X, Y = two_sets(3)
    rbf = block(Kernel("rbf", gamma=0.5), X, Y)
    wide = block(Kernel("rational_quadratic", mixture=1e12), X, Y)
    np.testing.assert_allclose(wide, rbf, rtol=1e-9)


def test_near_twins_far_from_the_origin_keep_their_digits():
    """The root of ``|x|² + |y|² − 2xᵀy`` would make exact twins 1e-8 apart."""
    X = np.repeat(RNG.normal(size=(5, 8)) * 100, 2, axis=0)
    K = block(Kernel("matern", nu=0.5, length_scale=0.01), X, X)
    np.testing.assert_array_equal(K[::2, 1::2].diagonal(), 1)


@pytest.mark.parametrize("degree", range(1, 11))
def test_integer_powers(degree):
    X, Y = two_sets(2)
    expected = (X @ Y.T + 1) ** degree
    mine = block(Kernel("poly", gamma=1, degree=degree, coef0=1), X, Y)
    np.testing.assert_allclose(mine, expected, rtol=1e-11, atol=1e-12)


def test_fractional_degree():
    X = np.abs(two_sets(3)[0])
    kernel = Kernel("poly", gamma=1, degree=1.5, coef0=0)
    np.testing.assert_allclose(block(kernel, X, X), (X @ X.T) ** 1.5, rtol=1e-12)
    assert not kernel.psd
    assert kernel.feature_dimension(3) == inf
    assert block(kernel, X, X[:0]).shape == (13, 0)
    with pytest.raises(KernelError, match=r"fractional degree 1\.5.*whole degree"):
        block(kernel, X, -X)


@each_kernel
def test_definite_kernels_have_no_negative_eigenvalue(kernel):
    X = np.random.default_rng(1).normal(size=(60, 3)) * 2
    smallest = eigenvalues(gram_matrix(kernel, X), center=False)[-1]
    assert kernel.psd == (smallest > -1e-9)


def test_a_negative_offset_is_not_definite():
    assert not Kernel("poly", coef0=-1, degree=2).psd
    assert Kernel("poly", coef0=0, degree=2).psd


@pytest.mark.parametrize(
    ("d", "degree", "coef0", "dimension"),
    [(100, 3, 1, 176_851), (2, 2, 1, 6), (2, 2, 0, 3), (2, 5, 0, 6), (1, 1, 1, 2)],
)
def test_feature_dimension_of_polynomials(d, degree, coef0, dimension):
    kernel = Kernel("poly", degree=degree, coef0=coef0)
    assert kernel.feature_dimension(d) == dimension


def test_other_feature_dimensions():
    big = Kernel("poly", degree=5, coef0=1).feature_dimension(1000)
    assert big == pytest.approx(8.46e12, rel=1e-3)
    assert Kernel("rbf").feature_dimension(2) == inf
    assert Kernel("linear").feature_dimension(7) == 7
    assert Kernel("cosine").feature_dimension(7) == 7
    assert Kernel("paraboloid").feature_dimension(7) == 8


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Kernel("gauss"), "no kernel 'gauss'; choose one of linear, poly"),
        (lambda: Kernel("rbf", degree=2), "no parameter 'degree'; it has gamma"),
        (lambda: Kernel("linear", gamma=2), "no parameter 'gamma'; it has none"),
        (lambda: Kernel("rbf", gamma=0), r"gamma \(γ\).*is 0; .*greater than 0"),
        (lambda: Kernel("rbf", gamma=-1), "greater than 0"),
        (lambda: Kernel("poly", degree=0), "degree .* greater than 0"),
        (lambda: Kernel("rbf", gamma=float("nan")), "must be a finite number"),
        (lambda: Kernel("sigmoid", coef0=inf), r"coef0 \(c\).*finite"),
        (lambda: Kernel("matern", nu=1), r"nu .*one of 0\.5, 1\.5, 2\.5"),
        (lambda: Kernel("matern", length_scale=0), "length_scale .* greater than 0"),
        (lambda: Kernel("rational_quadratic", mixture=0), "mixture .* greater than 0"),
    ],
)
def test_parameters_out_of_range(make, words):
    with pytest.raises(KernelError, match=words):
        make()


@pytest.mark.parametrize(
    ("kernel", "X", "words"),
    [
        (Kernel("rbf"), [[np.nan, 1]], "NaN or infinite.*fill or drop"),
        (Kernel("rbf"), [[inf, 1]], "NaN or infinite"),
        (Kernel("rbf"), [1.0, 2.0], r"shape \(2,\).*one row per point"),
        (Kernel("cosine"), [[1, 1], [0, 0]], "not defined for row 1.*all zeros"),
        (Kernel("rbf"), [[1e200, 0]], "squares overflow. Scale the data"),
        (Kernel("linear"), [[1e80, 0]], r"linear kernel overflows.*10\^160"),
        (Kernel("poly", degree=10), [[1e10, 0]], r"10\^200. Scale the data, or"),
        (Kernel("poly", degree=1e308), [[3, 0]], "choose a smaller degree"),
        (Kernel("rbf", gamma=1e308), [[1, 0]], "overflows with .*10³⁰⁸ on these rows"),
        (Kernel("sigmoid", coef0=-1e308), [[1, 0]], "overflows with .*−1·10³⁰⁸"),
    ],
)
def test_points_that_cannot_be_used(kernel, X, words):
    with pytest.raises(KernelError, match=words):
        kernel.points(X)


def test_float32_overflows_earlier():
    X = np.full((3, 2), 1e8)
    Kernel("linear").points(X)
    with pytest.raises(KernelError, match="overflows"):
        Kernel("linear").points(X.astype(np.float32))


def test_a_parameter_beyond_single_precision_is_used_as_it_is():
    B = np.array([[0.0, 1e-40]], dtype=np.float32)
    K = Kernel("rbf", gamma=1e40).of_base(B)
    assert K.dtype == np.float32
    np.testing.assert_allclose(K, np.exp([[0.0, -1.0]]), rtol=1e-5)


def test_bounded_kernels_do_not_mind_large_values():
    X = np.full((3, 2), 1e100)
    for name in ("rbf", "sigmoid", "cosine", "matern"):
        kernel = Kernel(name)
        points = kernel.points(X)
        assert np.isfinite(kernel.block(points, points)).all()


@pytest.mark.parametrize("name", FAMILIES)
def test_families_describe_themselves(name):
    family = FAMILIES[name]
    kernel = Kernel(name)
    latex, plain = kernel.formula(), kernel.plain_formula()
    assert latex.startswith("k(x,y)=")
    assert latex.count("{") == latex.count("}")
    assert "{" not in plain
    # Values that a formula has to show; Matérn spells ν out as a polynomial.
    told = Kernel(name, **{key: 2 for key in kernel.values if key != "nu"})
    for text in (told.formula(), told.plain_formula()):
        # The degree of plain text is raised.
        assert text.replace("²", "2").count("2") >= len(told.values) - (
            name == "matern"
        )
    assert family.title
    for parameter in family.parameters:
        assert parameter.low <= parameter.default <= parameter.high
        assert parameter.help
        assert kernel.values[parameter.name] == parameter.default


@pytest.mark.parametrize(
    ("kernel", "latex", "plain"),
    [
        (
            Kernel("rbf", gamma=1e14),
            r"k(x,y)=e^{-10^{14}\,\|x-y\|^2}",
            "k(x, y) = exp(−10¹⁴ ‖x − y‖²)",
        ),
        (
            Kernel("laplacian", gamma=1.25e-7),
            r"k(x,y)=e^{-1.25\cdot10^{-7}\,\|x-y\|_1}",
            "k(x, y) = exp(−1.25·10⁻⁷ ‖x − y‖₁)",
        ),
        (
            Kernel("poly", gamma=1e-9, degree=3, coef0=1e6),
            r"k(x,y)=(10^{-9}\,x^\top y+10^{6})^{3}",
            "k(x, y) = (10⁻⁹ xᵀy + 10⁶)³",
        ),
        (
            Kernel("sigmoid", gamma=0.5, coef0=-2.5),
            r"k(x,y)=\tanh(0.5\,x^\top y-2.5)",
            "k(x, y) = tanh(0.5 xᵀy − 2.5)",
        ),
        (
            Kernel("matern", nu=0.5, length_scale=1e-6),
            r"k(x,y)=e^{-r},\;r=\|x-y\|/(10^{-6})",
            "Matérn, ν = 0.5, ℓ = 10⁻⁶",
        ),
        (
            Kernel("rational_quadratic", mixture=2e8, length_scale=3e-6),
            r"k(x,y)=\left(1+\frac{\|x-y\|^2}{2\cdot2\cdot10^{8}\cdot"
            r"(3\cdot10^{-6})^2}\right)^{-2\cdot10^{8}}",
            "k(x, y) = (1 + ‖x − y‖² / (2 · 2·10⁸ · (3·10⁻⁶)²))^(−2·10⁸)",
        ),
    ],
    ids=lambda value: value.family.name if isinstance(value, Kernel) else "",
)
def test_tiny_and_huge_values_are_powers_of_ten(kernel, latex, plain):
    assert kernel.formula() == latex
    assert kernel.plain_formula() == plain


@pytest.mark.parametrize(
    ("kernel", "latex", "plain"),
    [
        (Kernel("poly", gamma=1, degree=2, coef0=0), r"(x^\top y)^{2}", "(xᵀy)²"),
        (Kernel("poly", gamma=1, degree=2), r"(x^\top y+1)^{2}", "(xᵀy + 1)²"),
        (Kernel("poly", gamma=2, degree=1, coef0=0), r"2\,x^\top y", "2 xᵀy"),
        (Kernel("poly", gamma=1, degree=2.5), r"(x^\top y+1)^{2.5}", "(xᵀy + 1)^2.5"),
        (Kernel("sigmoid", gamma=1, coef0=0), r"\tanh(x^\top y)", "tanh(xᵀy)"),
        (Kernel("rbf", gamma=1), r"e^{-\|x-y\|^2}", "exp(−‖x − y‖²)"),
        (
            Kernel("rational_quadratic", mixture=1, length_scale=1),
            r"\left(1+\frac{\|x-y\|^2}{2}\right)^{-1}",
            "(1 + ‖x − y‖² / 2)^(−1)",
        ),
        (Kernel("matern", nu=0.5), r"e^{-r},\;r=\|x-y\|", "Matérn, ν = 0.5, ℓ = 1"),
    ],
    ids=lambda value: value.family.name if isinstance(value, Kernel) else "",
)
def test_factors_of_one_and_terms_of_zero_are_left_out(kernel, latex, plain):
    assert kernel.formula() == f"k(x,y)={latex}"
    assert kernel.plain_formula().removeprefix("k(x, y) = ") == plain


def test_kernels_are_values():
    kernel = Kernel("rbf", gamma=2)
    again = pickle.loads(pickle.dumps(kernel))
    assert again.values == kernel.values
    assert again.family is kernel.family
    with pytest.raises(FrozenInstanceError):
        kernel.family = None
    with pytest.raises(TypeError):
        kernel.values["gamma"] = 3


class TestSuggestions:
    X = np.random.default_rng(2).normal(size=(50, 3)) * 4

    def test_median_heuristic(self):
        r2 = skl.euclidean_distances(self.X, squared=True)[np.triu_indices(50, 1)]
        l1 = skl.manhattan_distances(self.X)[np.triu_indices(50, 1)]
        middle = np.median(r2)
        close = pytest.approx
        assert suggested_values("rbf", self.X) == {"gamma": close(1 / middle)}
        assert suggested_values("laplacian", self.X) == {
            "gamma": close(1 / np.median(l1))
        }
        for name in ("matern", "rational_quadratic"):
            length = {"length_scale": close(np.sqrt(middle))}
            assert suggested_values(name, self.X) == length

    def test_dot_products(self):
        expected = {"gamma": pytest.approx(1 / (3 * self.X.var()))}
        assert suggested_values("poly", self.X) == expected
        assert suggested_values("sigmoid", self.X) == expected
        assert suggested_values("linear", self.X) == {}

    def test_nothing_to_go_by(self):
        same = np.ones((5, 2))
        assert suggested_values("rbf", same) == {}
        assert suggested_values("poly", same) == {}

    def test_large_data_are_subsampled(self):
        many = np.tile(self.X, (100, 1))
        (gamma,) = suggested_values("rbf", many).values()
        (all_of_it,) = suggested_values("rbf", self.X).values()
        assert gamma == pytest.approx(all_of_it, rel=0.2)


def test_points_in_another_precision():
    points = Points.prepare(RNG.normal(size=(5, 2)))
    assert points.astype(np.float64) is points
    assert points.astype(np.float32).shifted.dtype == np.float32
    sparse = Points.prepare(sp.csr_matrix(np.eye(3)))
    assert sparse.astype(np.float32).shifted is None
    assert sparse.take(slice(0, 2)).shifted is None
    assert sparse.d == 3
    integers = Points.prepare(np.eye(3, dtype=int))
    assert integers.dtype == np.float64


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["rbf", "laplacian", "matern"])
def test_far_away_points_give_no_subnormal_numbers(name, dtype):
    """They would take up to a hundred times as long, here and in every product."""
    X = np.arange(40.0, dtype=dtype)[:, None] * 60
    kernel = Kernel(name)
    points = kernel.points(X)
    K = kernel.block(points, points)
    assert K.dtype == dtype
    assert (np.finfo(dtype).tiny <= K).all()
    expected = gram_matrix(kernel, X.astype(np.float64))
    np.testing.assert_allclose(K, expected, atol=1e-15, rtol=1e-4)


@pytest.mark.parametrize("shared", [50, 10_000])
def test_l1_distances_of_sparse_points_are_those_of_dense_ones(monkeypatch, shared):
    """With equal rows, near ones, and one without any value."""
    monkeypatch.setattr(bases, "SHARED", shared)
    rng = np.random.default_rng(0)
    rows = sp.random(90, 400, 0.02, random_state=rng, data_rvs=rng.standard_normal)
    near = sp.random(30, 400, 0.001, random_state=rng)
    given = sp.vstack((rows, rows.tocsr()[:30] + 1e-9 * near, rows.tocsr()[:5])).tocsr()
    given[50] *= 0
    kernel = Kernel("laplacian", gamma=0.3)
    points, expected = kernel.points(given), cdist(*2 * [given.toarray()], "cityblock")
    monkeypatch.setattr(bases, "_by_differences", None)
    found = bases.pairwise("l1_distances", points, points)
    np.testing.assert_allclose(found, expected, rtol=1e-12)
    other = bases.pairwise("l1_distances", points.take([3, 50]), points)
    np.testing.assert_allclose(other, expected[[3, 50]], rtol=1e-12)


def test_sparse_values_that_are_there_twice_are_added():
    twice = sp.csr_matrix((np.ones(2), np.zeros(2, int), [0, 2, 2]), shape=(2, 100))
    points = Kernel("laplacian", gamma=1).points(twice)
    found = bases.pairwise("l1_distances", points, points)
    np.testing.assert_array_equal(found, [[0, 2], [2, 0]])
