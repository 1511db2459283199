"""Held-out scores of a setting against a pipeline of scikit-learn on the same folds."""

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.decomposition import KernelPCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.model_selection import cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

from kpca_viewer.core.methods.kernel_prediction import ByPrediction, held_out_classes
from kpca_viewer.core.methods.kernel_ranking import Line, Tried
from kpca_viewer.data.preparation import Scaler

LINEAR = Line("linear")
RBF = Line("rbf", scanned="gamma")


def standardised(rows):
    return Scaler.learn(rows, "standardise").apply


def pipeline_scores(X, y, held_out, k, *, scaled, **kernel):
    folds = [(np.flatnonzero(t), np.flatnonzero(~t)) for t in held_out.training]
    steps = [KernelPCA(k, eigen_solver="dense", **kernel), LinearDiscriminantAnalysis()]
    chain = make_pipeline(*([StandardScaler()] if scaled else []), *steps)
    return cross_val_score(chain, X, y, cv=folds, scoring="balanced_accuracy")


@pytest.mark.parametrize(("line", "value"), [(LINEAR, None), (RBF, 0.05)])
@pytest.mark.parametrize("k", [2, 5])
def test_a_setting_scores_as_a_pipeline_that_is_fitted_in_every_fold(line, value, k):
    X, y = load_wine(return_X_y=True)
    held_out = held_out_classes(y, repeats=2)
    found = ByPrediction(X, held_out, 6, standardised).of(line, value)
    kernel = (
        {"kernel": "linear"} if value is None else {"kernel": "rbf", "gamma": value}
    )
    expected = pipeline_scores(X, y, held_out, k, scaled=True, **kernel)
    assert found.scores[k - 1] == pytest.approx(expected.mean(), abs=0.005)


def test_scaling_is_learnt_from_training_rows_alone():
    random = np.random.default_rng(0)
    y = np.repeat([0, 1], 60)
    # What tells the classes apart is lost once a far row has squeezed its column.
    X = np.column_stack((y + 0.1 * random.standard_normal(120), random.random(120)))
    X[7, 0] = 1e4
    held_out = held_out_classes(y, repeats=1)
    with_far_row = held_out.training[:, 7]
    tries = ByPrediction(X, held_out, 2, standardised)
    found = tries.of(RBF, 1.0)
    expected = pipeline_scores(X, y, held_out, 2, scaled=True, kernel="rbf", gamma=1.0)
    assert found.scores[1] == pytest.approx(expected.mean(), abs=1e-9)
    # The fold that holds it out is not squeezed: a scaling of all rows would be.
    assert expected[~with_far_row] > expected[with_far_row].max() + 0.2


def test_a_kernel_that_overflows_says_so():
    X = np.random.default_rng(0).standard_normal((40, 2)) * 1e60
    tries = ByPrediction(X, held_out_classes(np.repeat([0, 1], 20)), 3)
    found = tries.of(Line("poly", (("degree", 3.0),), "gamma"), 1.0)
    assert not len(found.scores)
    assert "overflows" in found.refusal


@pytest.mark.journey
def test_what_having_been_chosen_adds_is_taken_away():
    """Of many settings that only guess, the best of all folds is lucky there."""
    random = np.random.default_rng(1)
    held_out = held_out_classes(np.repeat([0, 1], 20), repeats=5)
    lucky = [
        Tried(RBF, value, *held_out.summed_up(by_fold), by_fold)
        for value in np.geomspace(1, 2, 60)
        for by_fold in [0.5 + 0.2 * random.standard_normal((25, 1))]
    ]
    tries = ByPrediction(random.standard_normal((40, 2)), held_out, 1)
    assert max(one.scores[0] for one in lucky) > 0.57
    assert tries.corrected(lucky) < 0.54
    sure = Tried(LINEAR, None, np.ones(1), np.zeros(1), np.ones((25, 1)))
    assert tries.corrected([*lucky, sure]) == 1.0
