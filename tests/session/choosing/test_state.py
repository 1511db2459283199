"""What the window of a choice says in each of its states."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row
from kpca_viewer.features.kernel_search.curves import (
    curve_over_components,
    curve_over_values,
)
from kpca_viewer.features.kernel_search.text import (
    EMPTY,
    ChoiceState,
    basis_words,
    outdated_words,
)
from tests.session.choosing.test_note import CHOICE, DATA


def test_every_state_has_a_sentence():
    assert ChoiceState().words == EMPTY
    assert ChoiceState("working").words == "Comparing kernels."
    assert "may still change" in ChoiceState("working", CHOICE).words
    assert ChoiceState("cancelled").words == "Cancelled."
    assert ChoiceState("cancelled", CHOICE).words.startswith(
        "Cancelled: what 3 kernels had scored"
    )
    assert ChoiceState("failed", trouble="All rows are equal.").words == (
        "All rows are equal."
    )
    done = ChoiceState("done", CHOICE)
    assert done.words.startswith("Use RBF γ = 1 with two components")
    old = replace(done, outdated="Out of date: other data are shown now.")
    assert old.words == (
        "Out of date: other data are shown now. Choose again to compare kernels on "
        "what is shown."
    )


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({}, ""),
        ({"source": "iris"}, "Out of date: other data are shown now."),
        ({"scaling": "none"}, "Out of date: the scaling has changed since."),
        ({"seed": 7}, "Out of date: the data have changed since."),
    ],
)
def test_what_has_changed_since_is_said(change, words):
    assert outdated_words(DATA, replace(DATA, **change)) == words


def test_the_basis_of_the_comparison_is_said():
    assert basis_words(CHOICE) == (
        "Held-out balanced accuracy ± one standard error: 5 folds, dealt 3 times, 178 "
        "rows, seed 0. Guessing scores 40 %."
    )
    once = Choice("target", CHOICE.rows, folds=5, repeats=1, n=20)
    assert basis_words(once).startswith(
        "Held-out R² ± one standard error: 5 folds, 20 rows"
    )
    assert "independent columns" in basis_words(Choice("structure", CHOICE.rows, n=20))


def test_the_curve_over_values_has_window_rules_and_what_it_is_held_against():
    curve = curve_over_values(CHOICE.chosen, CHOICE)
    assert curve is not None
    np.testing.assert_array_equal(curve.x, [0.1, 1.0, 10.0])
    np.testing.assert_array_equal(curve.scores, [0.6, 1 / 3, 0.55])
    assert (curve.title, curve.is_log, curve.current) == ("γ", True, 1.0)
    assert curve.stable == (0.1, 1.0)
    assert curve.rules == CHOICE.rules
    # Linear PCA with as many components as the row has.
    assert curve.levels == (("guessing", 0.4), ("linear PCA", 0.6))
    assert curve.nearest(2.0) == 1


def test_rules_are_about_gamma_of_the_rbf_kernel_alone():
    curve = curve_over_values(CHOICE.rows[2], CHOICE)
    assert curve is not None
    assert curve.rules == ()
    far = replace(CHOICE, rules=(("median", 1e6),))
    beyond = curve_over_values(far.chosen, far)
    assert beyond is not None
    assert beyond.rules == ()


def test_a_kernel_without_values_has_a_curve_over_components_only():
    linear = CHOICE.rows[1]
    assert curve_over_values(linear, CHOICE) is None
    curve = curve_over_components(linear, CHOICE)
    assert curve is not None
    np.testing.assert_array_equal(curve.x, [1, 2])
    assert (curve.current, curve.is_whole) == (1, True)
    alone = Row(Line("linear"), None, 1, 0.5, 0.1)
    assert curve_over_components(alone, CHOICE) is None
    assert curve_over_values(alone, CHOICE) is None
