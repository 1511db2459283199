"""What a number says of itself, and that its terms sum up to it."""

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from kpca_viewer.features.derivation import explanations as explain
from kpca_viewer.features.derivation import kernel_rows
from kpca_viewer.features.derivation.compute import derive
from kpca_viewer.features.derivation.explanations import MOST_TERMS
from tests.session.derivation.conftest import (
    GUIDE,
    SQUARE,
    THREE,
    derived,
    kernels_with,
    result_of,
    rings,
)


@pytest.fixture
def guide():
    return derived(GUIDE, "poly", gamma=1, degree=2, coef0=1, new_points=((1, 1),))


def total(explanation):
    return sum(term.value for term in explanation.terms)


def test_why_a_cell_is_1600(guide):
    found = explain.of_entry(guide, 1, 2)
    assert found.title == "K₂₃ = 1600"
    assert found.lines == ("(1 + 3·5 + 4·6)² = 40² = 1600",)
    assert found.rows == (1, 2)


def test_a_cell_of_the_diagonal_lights_up_one_row(guide):
    assert explain.of_entry(guide, 1, 1).rows == (1,)


def test_the_four_terms_of_a_centred_cell():
    found = derived(THREE, "poly", **SQUARE)
    told = explain.of_centred(found, 0, 1)
    assert told.title == "K̃₁₂ = −4/9"
    assert told.lines[1] == "0 − 2/3 − 1/3 + 5/9 = −4/9"
    assert [term.value for term in told.terms] == pytest.approx(
        [0, -2 / 3, -1 / 3, 5 / 9]
    )
    assert total(told) == pytest.approx(found.centred[0, 1])
    assert ("kernel", 0, 1) in told.cells


def test_means(guide):
    told = explain.of_mean(guide, 0)
    assert told.title == "Mean of row 1 = 168"
    assert told.lines[1] == "504 / 3 = 168"
    assert [term.row for term in told.terms] == [2, 1, 0]
    assert total(told) == 504
    assert "3 × 3" in explain.of_grand_mean(guide).lines[0]
    found = derived(THREE, "poly", **SQUARE)
    assert explain.of_grand_mean(found).lines[1] == "(2/3 + 1/3 + 2/3) / 3 = 5/9"


def test_an_eigenvalue():
    told = explain.of_eigenvalue(derived(THREE, "poly", **SQUARE), 0)
    assert told.title == "μ₁ = 4/3"
    assert told.lines[1] == "λ₁ = μ/n = 4/3 / 3 = 4/9, the variance along PC 1."
    assert told.lines[2] == "Its share is 100.0 %."
    assert told.lines[3].startswith("Certain to ±")


def test_an_eigenvalue_of_nothing_and_a_negative_one():
    nothing = explain.of_eigenvalue(derived(THREE, "poly", **SQUARE), 1)
    assert nothing.lines[-1] == "PC 2 has no variance: its scores are 0."
    found = derived([[0, 1, 10], [1, 0, 1], [10, 1, 0]], kind="distances")
    told = explain.of_eigenvalue(found, 2)
    assert told.title == "μ₃ = −16"
    assert "√μ does not exist" in told.lines[-1]
    assert "μ₃ = −16 has no 1/√μ: α₃ is 0." in explain.of_coefficient(found, 0, 2).lines
    assert "every α is 0" in explain.of_score(found, 0, 2).lines[1]


def test_without_centring_lambda_is_no_variance():
    found = derived(THREE, "poly", analysis={"center": False}, **SQUARE)
    assert "the mean square along PC 1" in explain.of_eigenvalue(found, 0).lines[1]
    assert explain.of_centred(found, 0, 0).lines == (
        "K is not centred: K takes the place of K̃.",
    )


def test_a_coefficient_is_the_vector_over_the_root():
    found = derived(THREE, "poly", analysis={"center": False}, **SQUARE)
    told = explain.of_coefficient(found, 0, 0)
    assert told.title == "α₁ of row 1 = 1/2"
    assert told.lines[0] == "u/√μ = 1/√2 / √2 = 1/2"
    assert explain.of_vector(found, 0, 0).title == "u₁ of row 1 = 1/√2"
    forgotten = derived(
        THREE, "poly", analysis={"center": False, "normalised": False}, **SQUARE
    )
    told = explain.of_coefficient(forgotten, 0, 0)
    assert told.title == "α₁ of row 1 = 1/√2"
    assert told.lines[0] == "1/√μ is forgotten: α₁ = u₁ = 1/√2."
    assert told.lines[1].endswith("= 0.5.")


def test_vectors_of_equal_eigenvalues_can_be_turned():
    found = derived(rings(1, 2), gamma=0.5)
    told = explain.of_vector(found, 0, 1).lines[-1]
    assert told == "μ₁ = μ₂: turned among themselves, these u are as right."
    assert explain.of_vector(found, 0, 2).lines[-1] == "−u₃ is as right."


def test_rounding_is_written_as_nothing():
    found = derived(rings(1, 2), gamma=0.5, new_points=((0, 1),))
    assert found.points[1].tolist() == [0, 1]
    assert explain.of_entry(found, 0, 1).lines[0] == (
        "e^(−0.5·((1−0)² + (0−1)²)) = e^(−1) = 0.3679"
    )
    told = explain.of_score(found, 1, 0)
    assert told.title == "z₁ of row 2 = 0"
    assert told.lines[1:] == ("The sum is 0.",)
    assert not any(0 < abs(term.value) < 1e-10 for term in told.terms)
    assert explain.of_new_score(found, 0, 0).title == "z₁ of the new point = 0"


def test_one_row_is_not_said_to_be_all_rows():
    found = derived(((1, 2),), gamma=1)
    assert explain.of_vector(found, 0, 0).title == "u₁ of row 1 = any"
    assert explain.of_score(found, 0, 0).lines[0].endswith("over the only row.")


@pytest.mark.parametrize(
    ("kernel", "done"), kernels_with(product((True, False), repeat=2))
)
def test_the_terms_of_every_score_sum_up_to_it(kernel, done):
    center, normalised = done
    X = np.random.default_rng(1).normal(size=(30, 2)) + 0.5
    found = derived(
        X,
        kernel.family.name,
        analysis={"center": center, "normalised": normalised},
        new_points=((0.3, 2),),
        **kernel.values,
    )
    for j in range(2):
        told = explain.of_score(found, 4, j)
        assert total(told) == pytest.approx(found.scores[4, j], abs=1e-8)
        sizes = [abs(term.value) for term in told.terms[:-1]]
        assert sizes == sorted(sizes, reverse=True)
        assert len(told.terms) == MOST_TERMS + 1
        assert told.terms[-1].label == "18 others"
        told = explain.of_new_score(found, 0, j)
        assert total(told) == pytest.approx(found.new_rows[0].scores[j], abs=1e-8)
        told = explain.of_new_centred(found, 0, 3)
        if center:
            assert total(told) == pytest.approx(found.new_rows[0].centred[3])
    assert explain.of_new_entry(found, 0, 3).rows == (3,)


def test_a_score_says_its_sum():
    found = derived(THREE, "poly", **SQUARE)
    told = explain.of_score(found, 0, 0)
    assert told.title == "z₁ of row 1 = −√2/3"
    assert told.lines == (
        "z₁ = Σᵢ αᵢ K̃ᵢ,₁, over all 3 rows.",
        "The sum is −√2/3.",
    )
    assert told.terms[0].label == "α₂·K̃₂₁"
    assert total(told) == pytest.approx(-(2**0.5) / 3)


def test_a_new_point(guide):
    assert explain.of_new_entry(guide, 0, 2).lines == ("(1 + 5·1 + 6·1)² = 12² = 144",)
    told = explain.of_new_centred(guide, 0, 0)
    assert told.lines[1] == "16 − 168 − 74.7 + 965.8 = 739.1"
    assert "training" in told.lines[2]
    assert explain.of_new_score(guide, 0, 0).title == "z₁ of the new point = −28.6"


def test_the_centring_of_a_new_point_is_forgotten():
    found = derived(
        GUIDE,
        "poly",
        gamma=1,
        degree=2,
        coef0=1,
        new_points=((1, 1),),
        analysis={"centers_new": False},
    )
    told = explain.of_new_centred(found, 0, 0)
    assert told.title == "k̃(x₁, x*) = 16"
    assert told.lines == ("The centring of the new row is forgotten.",)
    told = explain.of_new_score(found, 0, 0)
    assert told.lines[-1] == "The centring of the new row is forgotten."
    assert total(told) == pytest.approx(found.new_rows[0].scores[0])


def test_scaled_values_are_said_to_be_scaled():
    found = derived(GUIDE, gamma=1, scaling="standardise")
    assert explain.of_entry(found, 0, 1).lines[-1] == (
        "x and y are the scaled values that the kernel sees."
    )


def test_many_features_are_said_to_be_left_out():
    X = np.random.default_rng(0).normal(size=(3, 12))
    told = explain.of_entry(derived(X, "linear"), 0, 1)
    assert told.lines[-1] == "… stands for the rest of 12 features."


def test_given_matrices():
    kernel = derived([[9, -9], [-9, 9]], kind="kernel")
    assert explain.of_entry(kernel, 0, 1).lines == ("As it was given.",)
    distances = derived([[0, 3], [3, 0]], kind="distances")
    assert explain.of_entry(distances, 0, 1).lines == ("−d²/2 = −3²/2 = −4.5",)


def test_a_model_that_knows_few_digits_says_so(many):
    result = result_of(many, gamma=1, analysis={"solver": "lowrank"})
    rough = replace(result, scores=result.scores * 1.01)
    told = explain.of_score(derive(rough, (3, 600)), 0, 0)
    assert told.lines[-1].endswith(
        "the model of many rows knows the sum to its own digits."
    )


@pytest.mark.journey
def test_of_too_many_rows_those_written_out_have_terms(many, monkeypatch):
    monkeypatch.setattr(kernel_rows, "MOST_ROWS", 600)
    result = result_of(many, gamma=1, analysis={"solver": "lowrank"})
    found = derive(result, (3, 600), ((0.5, 0.5),))
    for told, score in (
        (explain.of_score(found, 1, 0), found.scores[1, 0]),
        (explain.of_new_score(found, 0, 0), found.new_rows[0].scores[0]),
    ):
        assert {term.row for term in told.terms} == {3, 600, None}
        assert told.terms[-1].label == "698 others"
        assert total(told) == pytest.approx(score)
    assert "the solver has found" in explain.of_mean(found, 0).lines[1]
