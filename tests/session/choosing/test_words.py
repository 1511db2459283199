"""Reasons are made of numbers."""

import numpy as np

from kpca_viewer.core.choice.results import Choice, Line, Row, Tried
from kpca_viewer.session.choosing.words import facts, kernel_words, reason, verdict

RBF = Line("rbf", scanned="gamma")


def row(line=RBF, value=4.1, components=1, **others):
    return Row(line, value, components, 1.0, 0.0, **others)


def test_a_reason_has_score_window_and_real_components():
    choice = Choice("classes", (row(real=3, stable=(1.6, 9.0)),))
    assert reason(choice.chosen, choice) == (
        "RBF γ = 4.1: 100 ± 0 % held out with one component, stable for γ 1.6 … 9; "
        "three components are real"
    )


def test_what_is_unknown_is_not_said():
    choice = Choice("classes", (row(),))
    text = "RBF γ = 4.1: 100 ± 0 % held out with one component"
    assert reason(choice.chosen, choice) == text


def test_a_line_that_was_not_refined_says_why():
    one = row(Line("matern", (("nu", 0.5),), "length_scale"), 2.0, refined=False)
    choice = Choice("classes", (row(), one))
    text = reason(one, choice)
    assert text.startswith("Matérn ν = 0.5, ℓ = 2: ")
    assert text.endswith("clearly worse than others, and tried on few values")


def test_other_evidence_has_other_units():
    one = Row(RBF, 1.0, 12, 0.1234, 0.0056, real=0)
    target, structure = (Choice(kind, (one,)) for kind in ("target", "structure"))
    assert reason(one, target) == (
        "RBF γ = 1: R² 0.123 ± 0.006 held out with 12 components; none of its "
        "eigenvalues is larger than independent columns have"
    )
    assert "12.3 ± 0.6 % of the variance beyond" in reason(one, structure)


def test_a_verdict_says_plainly_that_linear_pca_will_do():
    linear = Row(Line("linear"), None, 2, 0.97, 0.01)
    choice = Choice("classes", (linear, row()), best=1)
    assert verdict(choice) == (
        "Use linear PCA with two components: it is within one standard error of RBF "
        "γ = 4.1."
    )
    choice = Choice("classes", (linear, row()), best=1, highest=(6.2, 0.981, 0.01))
    assert verdict(choice) == (
        "Use linear PCA with two components: it is within one standard error of the "
        "highest score, 98.1 ± 1 % of RBF γ = 6.2."
    )
    alone = Choice("classes", (row(),))
    assert verdict(alone) == (
        "Use RBF γ = 4.1 with one component: no other kernel scores higher."
    )


def test_nothing_beyond_independent_columns_is_said():
    flat = (Tried(Line("linear"), None, np.zeros(1), np.zeros(1)),)
    one = Row(Line("linear"), None, 1, 0.0, 0.0, real=0, tried=flat)
    assert verdict(Choice("structure", (one,))).startswith("Nothing stands out: ")


def test_fixed_values_are_named():
    poly = Line("poly", (("degree", 2.0),), "gamma")
    assert kernel_words(row(poly, 0.5)) == "Polynomial γ = 0.5, p = 2"


def test_facts_have_no_times():
    one = row(seconds=3.0, tried=(Tried(RBF, 4.1, np.ones(1), np.zeros(1)),))
    told = facts(Choice("classes", (one,)))
    assert told["ranked"][0]["tried"][0]["scores"] == [1.0]
    assert "seconds" not in str(told)
