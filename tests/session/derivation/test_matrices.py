"""D, V, VᵀK and (I − 1ₙ)K(I − 1ₙ) as matrices, against products written here."""

import numpy as np
import pytest

from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.derivation.compute import derive
from kpca_viewer.features.derivation.content import DerivationContent
from kpca_viewer.features.derivation.matrices import KEYS, matrices_note, matrix_of
from tests.analyses import analysed
from tests.core.reference import centred, gram_matrix

SQUARE = KernelSettings("poly", as_values({"gamma": 1, "degree": 2, "coef0": 0}))
RBF = KernelSettings("rbf", (("gamma", 0.5),))


def derived(source, kernel, center=True):
    analysis = AnalysisSettings(center=center)
    return derive(analysed(SessionSettings(DataSettings(source), kernel, analysis)))


def test_the_lecture_example_not_centred():
    derivation = derived("three_points", SQUARE, center=False)
    content = DerivationContent(derivation, {})
    assert content.grid("diagonal").content.texts == (
        ("2", "0", "0"),
        ("0", "1", "0"),
        ("0", "0", "0"),
    )
    V = content.grid("eigenvectors").content
    assert [line[:2] for line in V.texts] == [("1/√2", "0"), ("0", "1"), ("1/√2", "0")]
    assert {line[2] for line in V.texts} == {"any"}
    product = content.grid("projected").content
    assert product.symbol == "VᵀK"
    assert product.texts[:2] == (("√2", "0", "√2"), ("0", "1", "0"))
    explained = content.grid("projected").explained((0, 2))
    assert explained.title.startswith("(VᵀK)₁₃ = 1.414")
    assert "score 1 of the row" in explained.lines[-1]
    for key in ("projector", "half", "both"):
        assert content.grid(key) is None
    assert "1 of 3 dimensions" in matrices_note(derivation)


@pytest.mark.parametrize("kernel", [SQUARE, RBF], ids=["square", "rbf"])
def test_products_are_those_of_the_matrices(kernel):
    derivation = derived("two_rings", kernel)
    X = derivation.result.dataset.points
    K = gram_matrix(derivation.result.kernel, X)
    H = np.eye(8) - np.full((8, 8), 1 / 8)
    expected = {"projector": H, "half": H @ K, "both": centred(K)}
    for key, matrix in expected.items():
        assert np.allclose(matrix_of(derivation, key), matrix, atol=1e-12), key
    mu, live = derivation.eigenvalues, ~derivation.without_direction
    V = np.nan_to_num(matrix_of(derivation, "eigenvectors"))
    assert np.allclose((V * mu) @ V.T, centred(K), atol=1e-9)
    scores = (matrix_of(derivation, "projected")[live].T / np.sqrt(mu[live])).T
    assert np.allclose(scores.T, derivation.scores[:, live], atol=1e-9)
    empty = 8 - np.linalg.matrix_rank(centred(K), tol=1e-9)
    assert f"({empty} of 8 dimensions)" in matrices_note(derivation)


def test_every_number_is_explained_by_a_sum_that_adds_up():
    derivation = derived("two_rings", RBF)
    content = DerivationContent(derivation, {})
    for key in KEYS:
        grid = content.grid(key)
        for cell in ((0, 0), (3, 5), (6, 2)):
            found = grid.explained(cell)
            assert found.title
            if key in ("half", "both", "projected"):
                terms, _, total = found.lines[1].replace("− ", "+ −").partition(" = ")
                numbers = [float(x.replace("−", "-")) for x in terms.split(" + ")]
                assert sum(numbers) == pytest.approx(
                    float(total.replace("−", "-")), abs=5e-4
                )


def test_many_rows_have_no_matrices():
    derivation = derived("circles", RBF)
    content = DerivationContent(derivation, {})
    assert all(content.grid(key) is None for key in KEYS)
    assert "up to 8" in matrices_note(derivation)
