"""What is written of an entry: its numbers can be followed with a calculator."""

import re

import numpy as np
import pytest

from kpca_viewer.core.kernels.families.linear import PARABOLOID
from kpca_viewer.core.kernels.family import Computation
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel
from tests.core.reference import ALL_KERNELS, entry, gram_matrix, kernel_id

PAIRS = [
    ((3.0, 4.0), (5.0, 6.0)),
    ((-1.0, 0.25), (2.0, -3.0)),
    ((2.0, 1.0), (2.0, 1.0)),
    ((1.0, -2.0, 0.5), (0.25, 3.0, -1.0)),
    ((1.5,), (-2.0,)),
]


def lines(kernel, x, y):
    x, y = np.array(x, dtype=float), np.array(y, dtype=float)
    value = float(entry(kernel, x, y))
    return kernel.family.computation.written(x, y, kernel.values, value), value


def worth(text, **known):
    """Return what a step of a chain comes to, as a person would type it in."""
    for sign, typed in {
        "−": "-",
        "·": "*",
        "²": "**2",
        "³": "**3",
        "^": "**",
    }.items():
        text = text.replace(sign, typed)
    text = re.sub(r"\*10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)", _power, text)
    text = re.sub(r"\|([^|]+)\|", r"abs(\1)", text)
    text = re.sub(r"√([0-9.]+)", r"(\1)**0.5", text)
    while "√(" in text:
        text = _root(text)
    return eval(text, {"e": np.e, "tanh": np.tanh, "abs": abs, **known})


def _power(found):
    digits = found[1].translate(str.maketrans("⁻⁰¹²³⁴⁵⁶⁷⁸⁹", "-0123456789"))
    return f"*10**({digits})"


def _root(text):
    """Write the first root of a bracket as a power."""
    start = text.index("√(")
    depth = 0
    for at in range(start + 1, len(text)):
        depth += {"(": 1, ")": -1}.get(text[at], 0)
        if depth == 0:
            return f"{text[:start]}({text[start + 1 : at + 1]}**0.5){text[at + 1 :]}"
    raise AssertionError(text)


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)
@pytest.mark.parametrize("pair", PAIRS, ids=str)
def test_every_step_of_a_chain_comes_to_the_entry(kernel, pair):
    written, value = lines(kernel, *pair)
    known = {}
    for line in reversed(written):
        steps = line.split(" = ")
        if steps[0] == "r":
            known["r"] = worth(steps[-1])
            steps = steps[1:]
        elif "‖" in steps[0]:
            steps = steps[1:]
        else:
            assert worth(steps[0]) == pytest.approx(value, rel=5e-3, abs=1e-3)
        first = worth(steps[0])
        for step in steps[1:]:
            assert worth(step) == pytest.approx(first, rel=5e-3, abs=1e-4)


def test_a_cell_of_the_lecture():
    kernel = Kernel("poly", gamma=1, degree=2, coef0=1)
    assert lines(kernel, (3, 4), (5, 6))[0] == ["(1 + 3·5 + 4·6)² = 40² = 1600"]


def test_a_polynomial_of_the_first_degree_has_no_power():
    kernel = Kernel("poly", gamma=2, degree=1, coef0=1)
    assert lines(kernel, (3, 4), (5, 6))[0] == [
        "1 + 2·(3·5 + 4·6) = 1 + 2·39 = 79",
    ]
    assert kernel.family.computation.code(kernel.values) == ["return 2 * (A @ B.T) + 1"]


def test_a_gaussian_of_two_points():
    written, value = lines(Kernel("rbf", gamma=0.5), (1, 2), (3, 4))
    assert value == pytest.approx(0.0183, abs=5e-5)
    assert written == [
        "e^(−0.5·((1−3)² + (2−4)²)) = e^(−4) = 0.01832",
        "‖x − y‖² = 4 + 4 = 8",
    ]


@pytest.mark.parametrize(
    ("kernel", "first"),
    [
        (Kernel("linear"), "(−1)·2 + 0.25·(−3) = (−2) + (−0.75) = −2.75"),
        (
            Kernel("poly", gamma=0.5, degree=2, coef0=0),
            "(0.5·((−1)·2 + 0.25·(−3)))² = (0.5·(−2.75))² = (−1.375)² = 1.890625",
        ),
        (
            Kernel("laplacian", gamma=1),
            "e^(−(|−1−2| + |0.25−(−3)|)) = e^(−6.25) = 0.00193",
        ),
        (
            Kernel("sigmoid", gamma=1, coef0=-1),
            "tanh(−1 + (−1)·2 + 0.25·(−3)) = tanh(−1 + (−2.75)) = tanh(−3.75) = "
            "−0.9989",
        ),
        (
            Kernel("cosine"),
            "((−1)·2 + 0.25·(−3)) / (√((−1)² + 0.25²)·√(2² + (−3)²)) = "
            "−2.75 / (1.031·3.606) = −0.7399",
        ),
        (
            Kernel("rational_quadratic", mixture=1, length_scale=1),
            "(1 + ((−1−2)² + (0.25−(−3))²)/(2·1·1²))^(−1) = (1 + 19.5625/2)^(−1) = "
            "10.78125^(−1) = 0.09275",
        ),
    ],
    ids=lambda value: kernel_id(value) if isinstance(value, Kernel) else "",
)
def test_negative_numbers_stand_in_brackets(kernel, first):
    assert lines(kernel, (-1, 0.25), (2, -3))[0][0] == first


def test_of_many_features_the_first_terms_and_the_sum():
    x, y = np.arange(1.0, 11), np.ones(10)
    (chain,), _ = lines(Kernel("linear"), x, y)
    assert chain == "1·1 + 2·1 + … = 1 + 2 + … = 55"
    (chain, squares), _ = lines(Kernel("rbf", gamma=0.01), x, y)
    assert chain.startswith("e^(−0.01·((1−1)² + (2−1)² + …)) = e^(−2.85) = ")
    assert squares == "‖x − y‖² = 0 + 1 + … = 285"


@pytest.mark.parametrize("kernel", ALL_KERNELS, ids=kernel_id)
def test_the_lines_of_numpy_give_the_matrix(kernel):
    X = np.random.default_rng(3).normal(size=(7, 3))
    assert computed(kernel.family.computation, kernel.values, X) == pytest.approx(
        gram_matrix(kernel, X), abs=1e-12
    )


def computed(computation, values, X):
    body = "\n".join(f"    {line}" for line in computation.code(values))
    names = {"np": np}
    exec(f"def kernel(A, B):\n{body}\n", names)
    return names["kernel"](X, X)


def test_the_paraboloid():
    X = np.array([[1.0, 2], [3, -1]])
    products, squares = X @ X.T, np.square(X).sum(axis=1)
    K = products + np.outer(squares, squares)
    assert computed(PARABOLOID.computation, {}, X) == pytest.approx(K)
    written = PARABOLOID.computation.written(X[0], X[1], {}, float(K[0, 1]))
    assert written == [
        "1·3 + 2·(−1) + (1² + 2²)·(3² + (−1)²) = 1 + 5·10 = 51",
    ]


def test_every_family_tells_its_computation():
    for family in FAMILIES.values():
        assert isinstance(family.computation, Computation)


FAR = [
    ((99.84213, 1.0), (100.19765, 1.0)),
    ((1000.123456, -2000.654321), (1000.234567, -2000.543219)),
    ((17.35791, 3.24681), (15.97531, 2.86429)),
]


@pytest.mark.parametrize(("x", "y"), FAR)
@pytest.mark.parametrize("gamma", [2.3041237, 1 / 3, 0.0712345])
@pytest.mark.parametrize("family", ["rbf", "laplacian"])
def test_every_step_gives_the_next_one_far_from_zero(family, gamma, x, y):
    (first, _), value = lines(Kernel(family, gamma=gamma), x, y)
    for step in first.split(" = "):
        assert worth(step) == pytest.approx(value, rel=3e-4)


@pytest.mark.parametrize(("x", "y"), FAR)
@pytest.mark.parametrize("nu", [0.5, 1.5, 2.5])
def test_every_step_of_the_distance_gives_the_next_one_far_from_zero(nu, x, y):
    (_, distance), _ = lines(Kernel("matern", nu=nu, length_scale=0.7), x, y)
    steps = [worth(step) for step in distance.removeprefix("r = ").split(" = ")]
    assert steps == pytest.approx([steps[-1]] * len(steps), rel=3e-4)


def test_powers_of_ten_stand_in_brackets_under_a_root():
    kernel = Kernel("matern", nu=1.5, length_scale=2)
    (_, distance), _ = lines(kernel, (1.1e-65, 0.0), (0.0, 2.3e-65))
    assert "√(6.5·10⁻¹³⁰) / 2" in distance
