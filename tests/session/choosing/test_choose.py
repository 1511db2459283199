"""What is chosen for data whose answer is known, and what is said of bad data."""

from functools import partial

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import make_blobs, make_circles, make_swiss_roll

from kpca_viewer import Dataset, KernelPCA
from kpca_viewer import choose as fully
from kpca_viewer.engine.claims.choice import facts, verdict
from kpca_viewer.features.kernel_search.choose import fold_classes
from kpca_viewer.support.errors import Cancelled, DataError, KernelError

FEW = ["rbf", "poly", "cosine"]

# Enough folds and components for these tables.
choose = partial(fully, repeats=1, components=5)


@pytest.fixture(scope="module")
def circles():
    return make_circles(120, factor=0.3, noise=0.05, random_state=0)


@pytest.fixture(scope="module")
def published(circles):
    """All that is known of few kernels, from the first setting to the end."""
    seen = []
    return choose(*circles, kernels=FEW, publish=seen.append), seen


@pytest.fixture(scope="module")
def by_rbf(circles):
    return choose(*circles, kernels=["rbf"])


def test_rings_need_a_curved_kernel(published):
    found, _ = published
    assert not found.chosen.line.is_linear
    assert found.chosen.score > 0.98
    assert not found.notes
    linear = next(row for row in found.rows if row.line.is_linear)
    assert linear.score < 0.65
    assert found.evidence == "classes"
    assert found.is_complete


def test_blobs_that_a_line_separates_need_none():
    X, y = make_blobs(150, centers=3, n_features=4, cluster_std=1.0, random_state=3)
    assert choose(X, y, kernels=FEW).chosen.line.is_linear


def test_permuted_classes_are_told_apart_by_chance_only(circles):
    X, y = circles
    shuffled = np.random.default_rng(5).permutation(y)
    found = choose(X, shuffled, kernels=FEW)
    # The best of many settings is above chance, by about its error and no more.
    assert abs(found.chosen.score - found.chance) < 3 * found.chosen.error
    assert found.chosen.score < 0.65
    assert verdict(found).key == "nothing to choose"


def test_a_rare_class_that_is_not_found_is_nothing_to_choose():
    """4 % of the rows, at random: 96 % are right without looking at any."""
    X = np.random.default_rng(0).standard_normal((250, 3))
    found = choose(X, np.arange(250) % 25 == 0, kernels=["rbf"], components=3)
    assert found.chance == 0.5
    assert verdict(found).key == "nothing to choose"


def test_a_target_is_predicted_by_its_explained_part():
    X, t = make_swiss_roll(200, random_state=0)
    found = choose(X, target=t, kernels=["rbf"], components=10)
    assert found.evidence == "target"
    assert found.chance is None
    assert not found.chosen.line.is_linear
    assert 0.7 < found.chosen.score <= 1


def test_without_classes_rings_have_structure_and_noise_has_none(circles):
    found = choose(circles[0], kernels=["rbf"])
    assert found.evidence == "structure"
    assert not found.chosen.line.is_linear
    assert found.chosen.real > 0
    assert verdict(found).key == "use"
    noise = np.random.default_rng(1).standard_normal((100, 3))
    told = choose(noise, kernels=["rbf"])
    assert verdict(told).key == "nothing to choose"


def test_kernels_whose_long_rows_stand_out_are_left_out_without_classes(circles):
    found = choose(circles[0][:40])
    assert {row.line.family for row in found.rows}.isdisjoint({"poly", "paraboloid"})
    assert any("polynomial, sigmoid and paraboloid" in note for note in found.notes)


@pytest.mark.parametrize("threads", [1, 2])
def test_no_digit_depends_on_threads(circles, by_rbf, threads):
    assert facts(choose(*circles, kernels=["rbf"], threads=threads)) == facts(by_rbf)


def test_no_digit_depends_on_what_classes_are_called(circles, by_rbf):
    X, y = circles
    dataset = Dataset(X, labels=y, label_names=("outer", "inner"))
    words = np.array(["zebra", "ant"])[y]
    for named in (choose(X, words, kernels=["rbf"]), choose(dataset, kernels=["rbf"])):
        assert facts(named) == facts(by_rbf)


def test_another_seed_deals_other_folds(circles):
    X, y = circles
    y = y.copy()
    y[::7] = 1 - y[::7]
    first, second = (choose(X, y, kernels=["rbf"], seed=seed) for seed in (0, 1))
    assert first.chosen.error != second.chosen.error


def test_what_is_known_is_published_from_the_first_setting_on(published):
    found, seen = published
    assert len(seen[0].rows) == 1
    assert not any(choice.is_complete for choice in seen)
    counts = [sum(len(row.tried) for row in choice.rows) for choice in seen]
    assert counts == sorted(counts)
    assert facts(seen[-1])["ranked"][0]["score"] == found.chosen.score


def test_a_search_can_be_stopped(circles):
    seen = []
    with pytest.raises(Cancelled):
        choose(*circles, publish=seen.append, should_stop=lambda: len(seen) > 3)
    assert len(seen) == 4


def test_the_best_value_of_a_line_is_looked_for_more_closely(published):
    found, _ = published
    by_family = {row.line.family: row for row in found.rows}
    assert by_family["rbf"].refined
    assert len(by_family["rbf"].tried) > 7
    assert not by_family["linear"].refined


def test_a_choice_becomes_a_model_in_one_line(circles, by_rbf):
    X, row = circles[0], by_rbf.chosen
    model = KernelPCA(row.components, kernel=row.line.family, **row.kernel.values)
    Z = model.fit_transform(X)
    assert Z.shape == (120, row.components)
    assert model.gamma == row.value


def test_a_column_of_numbers_of_a_data_set_is_its_target():
    X, t = make_swiss_roll(120, random_state=0)
    dataset = Dataset(X, columns={"t": t}, scale="t")
    assert choose(dataset, kernels=["rbf"]).evidence == "target"


@pytest.mark.parametrize("scaling", ["standardise", "minmax", "unit"])
def test_every_scaling_is_part_of_the_chain(scaling):
    X, y = make_blobs(60, centers=2, n_features=3, random_state=0)
    X[:, 2] *= 1e3
    found = choose(X, y, kernels=["rbf"], scaling=scaling)
    assert found.chosen.score > 0.9


def test_classes_of_one_row_are_left_out_and_named(circles):
    X, y = circles
    y = y.copy()
    y[0] = 7
    found = choose(X, y, kernels=["rbf"])
    assert found.n == 119
    assert "Class “7” has one row, which cannot be held out" in found.notes[0]


def test_small_classes_make_fewer_folds():
    X, y = make_blobs([20, 3], random_state=0)
    found = choose(X, y, kernels=["rbf"])
    assert found.folds == 3
    assert "Class “1” has 3 rows: 3 folds in the place of 5." in found.notes


@pytest.mark.parametrize(
    ("y", "text"),
    [(np.zeros(40), "one class only"), (np.arange(40), "a class of its own")],
)
def test_classes_that_tell_nothing_apart_are_done_without(y, text):
    X = make_blobs(40, random_state=0)[0]
    found = choose(X, y, kernels=["rbf"])
    assert found.evidence == "structure"
    assert text in found.notes[0]


def test_constant_columns_are_said(circles):
    X, y = circles
    found = choose(np.column_stack((X, np.ones(len(X)))), y, kernels=["rbf"])
    assert "One column is constant and tells nothing." in found.notes
    assert facts(found)["ranked"][0]["score"] > 0.98


def test_of_many_rows_a_sample_is_scored():
    X, y = make_blobs(2100, centers=2, n_features=2, random_state=0)
    found = choose(X, y, kernels=["linear"])
    assert found.n == 2000
    assert "Scores are of 2,000 rows, drawn at random from 2,100." in found.notes


POINTS = np.random.default_rng(0).standard_normal((30, 2))
CLASSES = np.repeat([0, 1], 15)


@pytest.mark.parametrize(
    ("ask", "text"),
    [
        (lambda: choose(POINTS[:5], CLASSES[:5]), "5 rows are too few"),
        (lambda: choose(np.where(POINTS > 1, np.nan, POINTS), CLASSES), "NaN"),
        (lambda: choose(np.ones((30, 2)), CLASSES), "All rows are equal"),
        (lambda: choose(POINTS, CLASSES[:20]), "30 rows, but 20 classes"),
        (lambda: choose(POINTS, CLASSES, target=CLASSES), "not both"),
        (lambda: choose(POINTS, CLASSES, components=0), "components is 0; it must be"),
        (lambda: choose(POINTS, CLASSES, folds=1), "folds is 1; it must be a whole"),
        (lambda: choose(POINTS, CLASSES, components=2.5), "components is 2.5; it must"),
        (lambda: choose(POINTS, CLASSES, components=True), "components is True; it"),
        (
            lambda: choose(POINTS * 1e200, CLASSES),
            "values are too large",
        ),
        (lambda: choose(POINTS, target=POINTS[:, 0] * 1e200), "target is too large"),
        (
            lambda: choose(POINTS, target=np.full(len(POINTS), np.nan)),
            "No row has a finite target",
        ),
        (lambda: choose(POINTS, CLASSES, seed=-1), "seed is -1; it must be"),
        (lambda: choose(POINTS, target=["a"] * 30), "target holds words"),
        (lambda: choose(POINTS, target=np.ones(30)), "same for all rows"),
        (lambda: choose(POINTS[:, 0], CLASSES), "shape"),
        (lambda: choose([["a", "b"]] * 30, CLASSES), "more than numbers"),
        (
            lambda: choose(Dataset(POINTS @ POINTS.T, kind="kernel", labels=CLASSES)),
            "what is left is the number of components",
        ),
        (lambda: choose(POINTS[:, :1]), "Only one column varies"),
    ],
)
def test_bad_data_are_refused_with_a_sentence(ask, text):
    with pytest.raises(DataError, match=text):
        ask()


def test_a_kernel_that_is_not_there_is_refused():
    with pytest.raises(KernelError, match="no kernel “gauss”"):
        choose(POINTS, CLASSES, kernels=["gauss"])


def test_rare_classes_have_rows_in_a_sample():
    rng = np.random.default_rng(0)
    y = np.arange(2400) % 400
    outcome = fold_classes(y, 5, 1, 0)
    assert np.bincount(y[outcome.rows]).min() >= 2
    rare = np.where(rng.random(5000) < 0.001, 1, 0)
    rare[:2] = 1
    assert (rare[fold_classes(rare, 5, 1, 0).rows] == 1).sum() >= 2


def test_words_beside_numbers_and_missing_words_are_classes_and_none():
    mixed = np.array(["a", 1] * 30, dtype=object)
    assert fold_classes(mixed, 5, 1, 0).held_out is not None
    missing = np.array([pd.NA, "a", "b"] * 20, dtype=object)
    assert len(fold_classes(missing, 5, 1, 0).rows) == 40
    nobody = fold_classes(np.full(20, -1), 5, 1, 0)
    assert (nobody.held_out, nobody.notes) == (None, ("No row has a class.",))
