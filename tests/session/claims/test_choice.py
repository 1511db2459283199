"""Reasons are made of numbers."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_iris, make_circles

from kpca_viewer import choose
from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row, Tried
from kpca_viewer.engine.choice_note import ChoiceNote, kernel_words
from kpca_viewer.engine.claims import Claim
from kpca_viewer.engine.claims.choice import (
    facts,
    is_beyond_guessing,
    is_recommended,
    reason,
    score_text,
    tried_words,
    verdict,
)
from kpca_viewer.engine.notes import Notes, PinNote, SweepNote
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings

RBF = Line("rbf", scanned="gamma")


def row(line=RBF, value=4.1, components=1, **others):
    return Row(line, value, components, 1.0, 0.0, **others)


def test_a_reason_has_score_guessing_window_and_real_components():
    first = row(components=3, real=3, stable=(1.6, 9.0))
    choice = Choice("classes", (first,), chance=0.5)
    assert reason(choice.chosen, choice) == (
        "RBF γ = 4.1: 100 ± 0 % balanced accuracy held out, guessing 50 %, with three "
        "components, stable for γ 1.6 … 9; three components are real"
    )


def test_what_is_unknown_is_not_said():
    choice = Choice("classes", (row(),))
    text = "RBF γ = 4.1: 100 ± 0 % balanced accuracy held out, with one component"
    assert reason(choice.chosen, choice) == text


def test_a_line_that_was_not_refined_says_why():
    one = row(Line("matern", (("nu", 0.5),), "length_scale"), 2.0, refined=False)
    choice = Choice("classes", (row(), one))
    text = reason(one, choice)
    assert text.startswith("Matérn ν = 0.5, ℓ = 2: ")
    assert text.endswith("clearly worse than others, and tried on few values")


@pytest.mark.parametrize(
    ("evidence", "components", "real", "end"),
    [
        ("classes", 1, 3, "are real, fewer predict held-out classes"),
        ("target", 4, 3, "are real, smaller ones help to predict the held-out target"),
        ("structure", 1, 3, "are real, and fewer have as much within one standard err"),
        ("classes", 1, 0, "which says nothing of groups or rings in the picture"),
    ],
)
def test_another_number_of_real_components_is_explained(
    evidence, components, real, end
):
    one = row(components=components, real=real)
    assert end in reason(one, Choice(evidence, (one,)))


def test_other_evidence_has_other_units():
    one = Row(RBF, 1.0, 12, 0.1234, 0.0056)
    target, structure = (Choice(kind, (one,)) for kind in ("target", "structure"))
    assert reason(one, target) == (
        "RBF γ = 1: R² 0.123 ± 0.006 held out, with 12 components"
    )
    assert "12.3 ± 0.6 % of the variance beyond" in reason(one, structure)


LINEAR = Row(Line("linear"), None, 2, 0.97, 0.01)


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (
            Choice("classes", (LINEAR, row()), best=1, highest=(6.2, 0.981, 0.01)),
            "Use linear PCA with two components: it is within one standard error of "
            "the highest score, 98.1 ± 1 % of RBF γ = 6.2. The scores are those that "
            "it was chosen by.",
        ),
        (
            Choice("classes", (row(),), highest=(4.1, 1.0, 0.0), corrected=0.9),
            "Use RBF γ = 4.1 with one component: no other setting scores higher. "
            "What is chosen without the rows that it predicts has 90 % balanced "
            "accuracy.",
        ),
        (
            Choice("structure", (LINEAR, row()), highest=(None, 0.98, 0.01)),
            "Use linear PCA with two components: it is within one standard error of "
            "the highest score, its own 98 ± 1 % with more components.",
        ),
        (
            Choice(
                "target", (Row(RBF, 4.1, 1, 0.8, 0.1),), highest=(9.0, 0.9, 0.1), n=99
            ),
            "Use RBF γ = 4.1 with one component: it is within one standard error of "
            "the highest score, its own 0.900 ± 0.100 at γ = 9. The scores are those "
            "that it was chosen by.",
        ),
    ],
)
def test_a_verdict_says_how_the_first_row_stands_to_the_highest_score(choice, told):
    assert verdict(choice) == Claim("use", told)
    assert is_recommended(0, choice)


def test_no_other_scores_higher_is_said_only_where_none_does():
    """The first row is the simplest: a row below it may well have a higher score."""
    first, second = Row(RBF, 4.1, 1, 0.95, 0.02), replace(LINEAR, score=0.96)
    choice = Choice("classes", (first, second), highest=(9.0, 0.97, 0.02))
    assert "scores higher" not in verdict(choice).text


def test_the_highest_score_is_told_in_the_row_that_has_it():
    first = Row(RBF, 4.1, 1, 0.98, 0.02)
    choice = Choice("structure", (first, LINEAR), highest=(9.0, 0.99, 0.02))
    told = "; the highest score of all, 99 ± 2 %, is its own at γ = 9"
    assert reason(choice.chosen, choice).endswith(told)
    assert "highest" not in reason(LINEAR, choice)
    with_more = replace(choice, highest=(4.1, 0.99, 0.02))
    assert reason(with_more.chosen, with_more).endswith("its own with more components")


@pytest.mark.journey
def test_sentence_and_row_speak_of_the_same_highest_score():
    """Rings, where a kernel once had its peak at another value than its row."""
    X, y = make_circles(60, factor=0.3, noise=0.05, random_state=0)
    found = choose(X, y, threads=1)
    assert "no other setting scores higher" in verdict(found).text
    assert (found.best, found.chosen.score) == (0, 1.0)
    X, y = load_iris(return_X_y=True)
    found = choose(X[::2], y[::2], kernels=["rbf", "matern"], threads=1)
    best = found.rows[found.best]
    assert found.best > 0
    assert found.highest == (best.value, best.score, best.error)
    score = f"{score_text(best.score, best.error, 'classes')} of {kernel_words(best)}"
    assert score in verdict(found).text
    assert reason(best, found).endswith("; no other setting scores higher")


@pytest.mark.parametrize(
    ("choice", "told"),
    [
        (
            Choice(
                "classes",
                (Row(RBF, 1.0, 2, 0.62, 0.04),),
                highest=(1.0, 0.64, 0.04),
                chance=0.5,
                corrected=0.52,
                n=80,
            ),
            "Nothing to choose: what is chosen without the rows that it predicts has "
            "52 % balanced accuracy, guessing 50 %; clearly better than guessing would "
            "be 66.8 %.",
        ),
        (
            Choice("target", (Row(RBF, 1.0, 2, 0.1, 0.1),), corrected=-0.05, n=80),
            "Nothing to choose: what is chosen without the rows that it predicts has "
            "R² −0.050; clearly better than the mean of the target would be 0.335.",
        ),
        (
            Choice("structure", (replace(LINEAR, score=0.0),)),
            "Nothing to choose by: under no kernel is an eigenvalue larger than "
            "independent columns have. That is about single components; “Is it real?” "
            "looks for groups in the picture.",
        ),
        (
            Choice("structure", (LINEAR,), luck=0.31),
            "Nothing to choose by: independent columns stand out as much under one of "
            "these kernels in 31 % of tables. That is about single components; “Is it "
            "real?” looks for groups in the picture.",
        ),
    ],
)
def test_where_nothing_can_be_told_nothing_is_recommended(choice, told):
    assert verdict(choice) == Claim("nothing to choose", told)
    assert not is_recommended(0, choice)


def test_few_rows_are_no_proof_whatever_the_folds_say():
    """Of eight rows all may be right by chance, in every fold."""
    choice = Choice("classes", (row(),), chance=0.5, corrected=1.0, n=8)
    assert not is_beyond_guessing(choice)
    assert is_beyond_guessing(replace(choice, n=40))


def test_what_was_tried_in_the_session_is_known():
    data = DataSettings("wine")
    assert tried_words(Notes(), data) == ()
    base = SessionSettings(data=data)
    sweep = SweepSettings.along(SweepAxis("gamma", 0.1, 10.0, 5))
    note = SweepNote(sweep, base)
    notes = Notes(sweep=note, pins=(PinNote("one", base),))
    assert tried_words(notes, data) == (
        "a sweep over 5 values of γ, 0.1 … 10.",
        "one pinned picture to compare.",
    )
    assert tried_words(Notes(sweep=note), DataSettings("iris")) == ()
    other = Notes(choice=ChoiceNote.of(Choice("classes", (row(),)), data))
    assert (
        "a search over kernels on other data"
        in tried_words(other, DataSettings("iris"))[0]
    )


def test_fixed_values_are_named():
    poly = Line("poly", (("degree", 2.0),), "gamma")
    assert kernel_words(row(poly, 0.5)) == "Polynomial γ = 0.5, p = 2"


def test_facts_have_no_times():
    one = row(seconds=3.0, tried=(Tried(RBF, 4.1, np.ones(1), np.zeros(1)),))
    told = facts(Choice("classes", (one,)))
    assert told["ranked"][0]["tried"][0]["scores"] == [1.0]
    assert "seconds" not in str(told)
