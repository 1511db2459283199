"""The value of a kernel that the best evidence at hand speaks for, and its words."""

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.datasets import load_wine, make_circles, make_moons, make_s_curve

from kpca_viewer import KernelPCA
from kpca_viewer.core.kernels.kernel import FAMILIES, Kernel, suggested_values
from kpca_viewer.core.linalg.gram import PointsGram
from kpca_viewer.core.methods.kernel_prediction import ByPrediction, held_out_classes
from kpca_viewer.core.methods.kernel_ranking import Line
from kpca_viewer.core.methods.kernel_suggestion import by_median, suggested
from kpca_viewer.core.methods.quality import discriminated, linear_accuracy
from kpca_viewer.core.projection import training_scores
from kpca_viewer.core.solvers import Problem, solve
from kpca_viewer.engine.claims.choice import score_text
from kpca_viewer.support.errors import Cancelled
from tests.core.test_cancellation import StopAfter

CIRCLES, RINGS = make_circles(400, factor=0.3, noise=0.05, random_state=0)


def picture(kernel, X):
    points = kernel.points(X, center=True)
    return training_scores(solve(Problem(PointsGram(points, kernel), 2), "dense"))


@pytest.mark.parametrize(
    ("family", "n"), [("rbf", 60), ("rbf", 500), ("laplacian", 60), ("matern", 300)]
)
def test_the_rings_are_apart_with_what_is_suggested(family, n):
    X, y = make_circles(n, factor=0.3, noise=0.05, random_state=1)
    found = suggested(family, X, y)
    assert linear_accuracy(picture(Kernel(family, **found.values), X), y) > 0.97
    assert linear_accuracy(picture(Kernel("linear"), X), y) < 0.7
    assert f"held-out classes of {n} rows: " in found.grounds
    assert found.judged


@pytest.mark.journey
def test_it_is_in_the_middle_of_the_values_that_keep_them_apart():
    (gamma,) = suggested("rbf", CIRCLES, RINGS).values.values()
    assert 2.5 < gamma < 7
    assert suggested("rbf", CIRCLES, RINGS).grounds.endswith(
        " ± 0.3 % balanced accuracy on two components, guessing 50 %"
    )


def test_suggestion_and_search_have_one_error():
    """Where all held-out rows are right, neither says that the next one will be."""
    X, y = make_circles(150, factor=0.3, noise=0.05, random_state=0)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    grounds = suggested("rbf", X, y).grounds
    assert grounds.startswith("the held-out classes of 150 rows: 100 ± 0.9 % balanced")
    by = ByPrediction(X, held_out_classes(y), 2)
    found = by.of(Line("rbf", scanned="gamma"), suggested("rbf", X, y).values["gamma"])
    assert score_text(found.scores[1], found.errors[1], "classes") == "100 ± 0.9 %"


def test_the_unit_of_the_data_does_not_matter():
    (a,) = suggested("rbf", CIRCLES, RINGS).values.values()
    (b,) = suggested("rbf", 1000 * CIRCLES + 7, RINGS).values.values()
    assert b == pytest.approx(a / 1e6)


@pytest.mark.journey
def test_without_classes_it_is_what_independent_columns_do_not_have():
    X = make_moons(300, noise=0.05, random_state=0)[0]
    found = suggested("rbf", X)
    assert found.grounds.startswith("structure beyond independent columns: ")
    assert found.grounds.endswith(" of the variance of 200 rows")
    assert not found.judged
    (gamma,) = suggested("rbf", CIRCLES).values.values()
    assert 1.5 < gamma < 30


def test_the_median_stays_where_nothing_is_better():
    wine = load_wine()
    X = (wine.data - wine.data.mean(axis=0)) / wine.data.std(axis=0)
    found = suggested("rbf", X, wine.target)
    assert dict(found.values) == suggested_values("rbf", X)
    assert found.grounds.startswith("the median distance between the points; by the ")
    assert " by more than one standard error: 9" in found.grounds


@pytest.mark.journey
def test_noise_has_no_value_but_the_median():
    random = np.random.default_rng(0)
    X = random.normal(size=(300, 4))
    for y in (None, random.integers(0, 3, 300)):
        found = suggested("rbf", X, y)
        assert dict(found.values) == suggested_values("rbf", X)
        assert found.grounds.endswith("200 rows stand out from independent columns")
        assert not found.judged


@pytest.mark.journey
def test_luck_among_many_values_is_no_evidence():
    """Labels at random: a dozen and more values are tried, one is always the best."""
    fooled = 0
    for seed in range(10):
        random = np.random.default_rng(seed)
        X, y = random.normal(size=(60, 2)), random.integers(0, 2, 60)
        fooled += suggested("rbf", X, y).judged
    assert fooled <= 1


@pytest.mark.journey
def test_what_is_told_is_no_more_than_new_rows_have():
    """The best of 17 values on all rows had 76 % where new rows have 64 %."""
    told, true = [], []
    for seed in range(8):
        X, y = make_moons(60, noise=0.3, random_state=seed)
        found = suggested("rbf", X, y)
        told.append(float(found.grounds.split(": ")[1].split(" ±")[0]) / 100)
        model = KernelPCA(2, kernel="rbf", **found.values).fit(X)
        new, right = make_moons(500, noise=0.3, random_state=100 + seed)
        guess = discriminated(model.transform(X), y, model.transform(new))
        true.append(np.mean(guess == right))
    assert np.mean(true) - 0.1 < np.mean(told) < np.mean(true) + 0.01


def test_rare_classes_are_judged_by_their_own_rows():
    X, y = make_circles((360, 40), factor=0.3, noise=0.05, random_state=0)
    X[y == 1] += 3
    found = suggested("rbf", X, y)
    assert found.judged
    assert found.grounds.endswith("guessing 50 %")


@pytest.mark.journey
def test_classes_that_were_tried_in_vain_are_told():
    random = np.random.default_rng(0)
    X, y = random.normal(size=(100, 3)), random.integers(0, 2, 100)
    assert suggested("rbf", X, y).rejected == "classes"
    assert suggested("rbf", X).rejected == ""


@pytest.mark.journey
def test_a_quantity_is_held_out_too():
    X, t = make_s_curve(500, random_state=0)
    found = suggested("rbf", X, target=t)
    assert "the held-out quantity of 500 rows" in found.grounds
    assert "R² = 0.9" in found.grounds
    assert found.judged
    # Gaps are no values, and what a picture does not show decides nothing.
    t[::2] = np.nan
    assert "quantity of 250 rows" in suggested("rbf", X, target=t).grounds
    luck = np.random.default_rng(0).normal(size=500)
    assert not suggested("rbf", X, target=luck).judged
    assert not suggested("rbf", X, target=np.ones(500)).judged


def test_a_line_in_a_wide_ring_has_the_r2_of_a_linear_fit():
    """Along a straight line every small γ shows the position."""
    X = np.random.default_rng(0).uniform(size=(200, 1)) * [1.0, 1e-3]
    found = suggested("rbf", X, target=X[:, 0])
    assert dict(found.values) != {}
    assert "R² = 1 ±" in found.grounds


@pytest.mark.journey
def test_rows_without_a_class_and_rare_classes_take_no_part():
    y = RINGS.copy()
    y[:200] = -1
    y[300] = 2
    found = suggested("rbf", CIRCLES, y)
    assert "held-out classes of 199 rows" in found.grounds
    for of_one_kind in (np.zeros(400, dtype=int), np.full(400, -1), np.arange(400)):
        assert not suggested("rbf", CIRCLES, of_one_kind).judged


@pytest.mark.journey
@pytest.mark.parametrize("family", FAMILIES)
def test_every_family_has_the_parameters_that_follow_the_data(family):
    found = suggested(family, CIRCLES, RINGS)
    follows = {p.name for p in FAMILIES[family].parameters if p.follows}
    assert set(found.values) == follows
    assert bool(found.grounds) == bool(follows)
    Kernel(family, **found.values)


def test_equal_rows_few_rows_and_one_column():
    assert suggested("rbf", np.ones((30, 2))).values == {}
    few = suggested("rbf", np.array([[0.0, 1], [2, 3], [4, 6]]))
    assert few == by_median("rbf", np.array([[0.0, 1], [2, 3], [4, 6]]))
    assert few.grounds == "the median distance between the points"
    column = suggested("rbf", np.random.default_rng(0).normal(size=(50, 1)))
    assert column.grounds == "the median distance between the points"
    assert by_median("poly", CIRCLES).grounds == "how far the values spread"


def test_sparse_rows_have_the_suggestion_of_dense_ones():
    dense = suggested("rbf", CIRCLES, RINGS)
    sparse = suggested("rbf", csr_matrix(CIRCLES), RINGS)
    assert sparse.grounds == dense.grounds
    assert dict(sparse.values) == pytest.approx(dict(dense.values))


def test_very_many_columns_are_not_permuted():
    X = np.random.default_rng(0).normal(size=(30, 501))
    X[:, 1] = X[:, 0]
    assert suggested("rbf", X).grounds == "the median distance between the points"


@pytest.mark.journey
def test_it_is_the_same_again_and_can_be_stopped():
    assert suggested("rbf", CIRCLES, RINGS) == suggested("rbf", CIRCLES, RINGS)
    assert suggested("rbf", CIRCLES) == suggested("rbf", CIRCLES)
    for y in (RINGS, None):
        with pytest.raises(Cancelled):
            suggested("rbf", CIRCLES, y, should_stop=StopAfter(3))


def test_equal_rows_are_not_apart_by_rounding():
    X = np.vstack(
        (np.full((360, 2), 0.3), np.random.default_rng(0).normal(size=(40, 2)))
    )
    for shift in (0.0, 1.7, 1e3):
        assert 0.01 < suggested_values("rbf", X + shift)["gamma"] < 100
    assert suggested_values("rbf", X * 1e160) == {}
