"""Discriminants of several dealings of the rows, and tests that no dealing decides."""

import numpy as np
import pytest

from kpca_viewer.core.methods import predictions
from kpca_viewer.core.methods.predictions import (
    Predictions,
    balanced_p,
    mcnemar,
    predict_repeatedly,
)
from kpca_viewer.core.methods.quality import DEALINGS, Scorer, dealt, linear_predictions


@pytest.mark.parametrize(("classes", "k"), [(2, 2), (3, 2), (4, 5)])
def test_every_dealing_is_predicted_as_if_alone(classes, k):
    random = np.random.default_rng(classes)
    y = random.integers(0, classes, 90)
    Z = random.normal(size=(90, k)) + 1.2 * y[:, None] * np.arange(k)
    folds = np.stack([dealt(y, 5, seed) for seed in range(4)])

    found = predict_repeatedly(Z, y, folds)

    for fold, predicted in zip(folds, found.predicted, strict=True):
        alone = linear_predictions(Z, y, fold, balanced=True)
        assert np.array_equal(predicted, alone.predicted)
    assert found.right == pytest.approx((found.predicted == y).mean(axis=0))


def test_dealings_that_do_not_fit_together_are_predicted_one_by_one(monkeypatch):
    random = np.random.default_rng(3)
    y = random.integers(0, 3, 60)
    Z = random.normal(size=(60, 2)) + y[:, None]
    folds = np.stack([dealt(y, 5, seed) for seed in range(5)])
    together = predict_repeatedly(Z, y, folds)

    monkeypatch.setattr(predictions, "MOST_SCORES", 2 * 60 * 5 * 3)

    assert np.array_equal(predict_repeatedly(Z, y, folds).predicted, together.predicted)


def test_rows_in_one_place_are_given_some_class():
    y = np.arange(12) % 2
    folds = np.stack([dealt(y, 5, seed) for seed in range(3)])

    found = predict_repeatedly(np.zeros((12, 2)), y, folds)

    assert set(found.predicted.ravel().tolist()) <= {0, 1}


def test_two_pictures_differ_as_much_in_any_order_of_the_rows():
    random = np.random.default_rng(7)
    y = random.integers(0, 2, 150)
    good = random.normal(size=(150, 2)) + 1.5 * y[:, None]
    worse = good + 0.9 * random.normal(size=(150, 2))
    one, repeated = [], []
    for seed in range(20):
        order = np.random.default_rng(seed).permutation(150)
        scorer = Scorer(150, y[order])
        ours, theirs = (scorer.score(Z[order]) for Z in (good, worse))
        repeated.append(mcnemar(ours.predictions.right, theirs.predictions.right))
        first = (q.predictions.predicted[0] == y[order] for q in (ours, theirs))
        one.append(mcnemar(*first))

    assert len(ours.predictions.predicted) == DEALINGS
    assert np.std(np.log(repeated)) < 0.5 * np.std(np.log(one))


def test_shares_of_zero_and_one_are_tested_as_rows_are():
    random = np.random.default_rng(0)
    ours, theirs = random.random((2, 3000)) < [[0.8], [0.7]]

    assert mcnemar(ours * 1.0, theirs * 1.0) == pytest.approx(mcnemar(ours, theirs))
    assert mcnemar(np.zeros(5), np.zeros(5)) == 1


def test_few_rows_of_a_rare_class_are_no_certainty_about_it():
    y = np.repeat([0, 1], (92, 8))
    ours, theirs = y.copy(), y.copy()
    theirs[:8] = 1
    found = (Predictions(y, ours), Predictions(y, theirs))

    assert mcnemar(*(each.right for each in found)) < 0.01
    assert balanced_p(*found) > 0.3
    assert balanced_p(found[0], found[0]) == 1
