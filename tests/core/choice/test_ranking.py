"""The rule of one standard error on tables that were made up."""

import numpy as np

from kpca_viewer.core.methods.kernel_ranking import (
    Line,
    Tried,
    at_peak,
    place_of_best,
    ranked,
)

LINEAR = Line("linear")
RBF = Line("rbf", scanned="gamma")
MATERN = Line("matern", (("nu", 1.5),), "length_scale")
COSINE = Line("cosine")


def tried(line, value, scores, error=0.02):
    return Tried(line, value, np.array(scores), np.full(len(scores), error))


def test_the_simplest_within_one_error_of_the_best_is_taken():
    rows = ranked(
        [
            tried(LINEAR, None, [0.5, 0.7, 0.75]),
            # The best is 0.95; what has 0.93 or more is as good.
            tried(RBF, 1.0, [0.5, 0.929, 0.94]),
            tried(RBF, 2.0, [0.6, 0.93, 0.94]),
            tried(RBF, 4.0, [0.6, 0.94, 0.95]),
        ]
    )
    chosen = rows[0]
    # Two components before three, and of these the smaller γ.
    assert (chosen.line, chosen.value, chosen.components) == (RBF, 2.0, 2)
    assert chosen.score == 0.93


def test_linear_pca_is_taken_where_it_is_as_good():
    rows = ranked(
        [
            tried(RBF, 1.0, [0.95, 0.95, 0.95]),
            tried(LINEAR, None, [0.5, 0.8, 0.935]),
        ]
    )
    assert rows[0].line == LINEAR
    assert rows[0].components == 3
    assert place_of_best(rows) == 1


def test_the_row_that_others_are_held_against_is_at_its_peak():
    rows = ranked(
        [
            tried(LINEAR, None, [0.5, 0.8, 0.935]),
            tried(RBF, 1.0, [0.94, 0.94, 0.94]),
            tried(RBF, 4.0, [0.6, 0.95, 0.95]),
        ]
    )
    assert (rows[1].value, rows[1].components) == (1.0, 1)
    peaked = at_peak(rows[1])
    assert (peaked.value, peaked.components, peaked.score) == (4.0, 2, 0.95)
    assert at_peak(peaked) is peaked


def test_of_equal_scores_the_first_row_has_the_highest():
    rows = ranked(
        [
            tried(MATERN, 0.4, [1.0, 1.0], 0.0),
            tried(MATERN, 27.0, [0.5, 1.0], 0.0),
            tried(RBF, 1.0, [1.0, 1.0], 0.0),
            tried(LINEAR, None, [0.5, 0.5], 0.0),
        ]
    )
    assert place_of_best(rows) == 0
    assert at_peak(rows[0]) is rows[0]


def test_linear_pca_is_left_where_it_is_worse():
    rows = ranked([tried(LINEAR, None, [0.5, 0.92]), tried(RBF, 1.0, [0.5, 0.95])])
    assert [row.line for row in rows] == [RBF, LINEAR]


def test_a_definite_kernel_is_taken_before_one_that_is_not():
    sigmoid = Line("sigmoid", scanned="gamma")
    rows = ranked([tried(sigmoid, 1.0, [0.95, 0.95]), tried(RBF, 1.0, [0.5, 0.94])])
    assert [row.line for row in rows] == [RBF, sigmoid]


def test_a_longer_length_is_the_smoother_kernel():
    rows = ranked(
        [
            tried(MATERN, 1.0, [0.9]),
            tried(MATERN, 4.0, [0.9]),
            tried(MATERN, 9.0, [0.8]),
        ]
    )
    assert rows[0].value == 4.0


def test_lines_that_are_worse_follow_by_their_score_each_by_its_own_rule():
    rows = ranked(
        [
            tried(COSINE, None, [0.6, 0.61]),
            tried(LINEAR, None, [0.5, 0.7]),
            tried(RBF, 1.0, [0.95]),
        ]
    )
    assert [row.line for row in rows] == [RBF, LINEAR, COSINE]
    assert rows[2].components == 1


def test_a_setting_without_scores_is_among_the_tried_only():
    refused = Tried(RBF, 9.0, refusal="It overflows.")
    rows = ranked([tried(RBF, 1.0, [0.9]), refused, Tried(COSINE, None, refusal="No.")])
    assert [row.line for row in rows] == [RBF]
    assert rows[0].tried[1] is refused
