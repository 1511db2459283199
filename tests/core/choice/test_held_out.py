"""Predictions of held-out rows by the first 1 … k scores, against one k at a time."""

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.metrics import balanced_accuracy_score

from kpca_viewer.core.methods.kernel_prediction import (
    discriminant_accuracy,
    explained_part,
    held_out_classes,
    held_out_target,
)
from kpca_viewer.core.methods.quality import balanced_errors, discriminated
from kpca_viewer.support.errors import DataError


@pytest.fixture
def rows():
    random = np.random.default_rng(3)
    codes = random.integers(0, 3, 150)
    Z = random.standard_normal((150, 6)) + 0.6 * codes[:, None] * [1, 0, 1, 0, 0, 1]
    return Z * [9, 5, 3, 1, 0.1, 0.01], codes


def test_all_counts_of_components_are_those_of_one_at_a_time(rows):
    Z, y = rows
    found = discriminant_accuracy(Z[:100], y[:100], Z[100:], y[100:])
    for k in range(1, 7):
        guessed = discriminated(Z[:100, :k], y[:100], Z[100:, :k], balanced=True)
        expected = balanced_accuracy_score(y[100:], guessed)
        assert found[k - 1] == pytest.approx(expected, abs=1e-12)


def test_a_component_without_scores_changes_nothing(rows):
    Z, y = rows
    Z[:, 3] = 0
    found = discriminant_accuracy(Z[:100], y[:100], Z[100:], y[100:])
    assert found[3] == found[2]


def test_the_explained_part_is_that_of_least_squares(rows):
    Z, _ = rows
    random = np.random.default_rng(1)
    y = Z @ [0.1, 0.0, 0.2, 0.5, 3.0, 8.0] + random.standard_normal(150)
    found = explained_part(Z[:100], y[:100], Z[100:], y[100:])
    for k in range(1, 7):
        model = LinearRegression().fit(Z[:100, :k], y[:100])
        left = np.square(y[100:] - model.predict(Z[100:, :k])).sum()
        total = np.square(y[100:] - y[:100].mean()).sum()
        assert found[k - 1] == pytest.approx(1 - left / total, abs=1e-6)


def test_every_row_is_held_out_once_per_repeat_and_classes_are_spread():
    codes = np.repeat([0, 1, 2], [50, 30, 20])
    held_out = held_out_classes(codes, folds=5, repeats=3, seed=1)
    assert held_out.training.shape == (15, 100)
    for repeat in range(3):
        outside = ~held_out.training[5 * repeat : 5 * repeat + 5]
        assert (outside.sum(axis=0) == 1).all()
        for rows in outside:
            assert np.bincount(codes[rows]).tolist() == [10, 6, 4]
    first, second = held_out.training[:5], held_out.training[5:10]
    assert (first != second).any()


def test_the_error_of_folds_counts_that_they_share_rows():
    held_out = held_out_classes(np.repeat([0, 1], 50), folds=5, repeats=2)
    judged = np.random.default_rng(0).random((10, 3))
    mean, error = held_out.summed_up(judged)
    np.testing.assert_allclose(mean, judged.mean(axis=0))
    # Nadeau and Bengio: 1/10 for the scores, 20/80 for the rows that folds share.
    expected = np.sqrt((0.1 + 0.25) * judged.var(axis=0, ddof=1))
    np.testing.assert_allclose(error, expected)


def test_rows_that_are_all_right_leave_the_error_that_their_number_allows():
    sizes = np.array([50, 50])
    held_out = held_out_classes(np.repeat([0, 1], sizes), folds=5, repeats=2)
    error = held_out.summed_up(np.ones((10, 1)))[1]
    # Agresti and Coull: two wrong rows and two right ones are added.
    assert error == pytest.approx(np.sqrt(102 / 104 * 2 / 104 / 104))
    # Eight rows of one class tell little, however many the other has.
    few = balanced_errors(np.ones(1), np.array([8, 192]))
    assert few > balanced_errors(np.ones(1), np.array([50, 50]))


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: held_out_classes(np.zeros(20, dtype=int)), "one class"),
        (lambda: held_out_classes(np.repeat([0, 1], [17, 3])), "3 rows, fewer than 5"),
        (lambda: held_out_classes(np.repeat([0, 1], 9), folds=1), "1 folds"),
        (lambda: held_out_classes(np.repeat([0, 1], 9), repeats=0), "0 repeats"),
        (lambda: held_out_target(np.arange(6.0)), "6 rows are too few"),
        (lambda: held_out_target(np.ones(50)), "same for all rows"),
    ],
)
def test_what_cannot_be_held_out_is_said(ask, text):
    with pytest.raises(DataError, match=text):
        ask()
