"""How odd rows are, against sums written out with NumPy."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features import registry
from kpca_viewer.features.outliers.compute import (
    LISTED,
    MOVING_ROWS,
    PAGE,
    measure_new,
)
from kpca_viewer.features.outliers.stages import NEW_LISTED, ODD_LIST, ODD_ROWS
from kpca_viewer.features.outliers.text import explanation, summary
from tests.analyses import analysed

CIRCLES = SessionSettings(data=DataSettings("circles", as_values({"samples": 60})))
RNG = np.random.default_rng(5)
TABLE = Dataset(
    np.vstack((RNG.normal(size=(49, 4)), [[0.1, 0.0, 12.0, -0.2]])),
    name="planted",
    feature_names=("a", "b", "planted", "c"),
)


def measured(dataset=None, settings=CIRCLES, cache=None, page=PAGE, **values):
    return analysed(settings, dataset, cache, page=page, **values)


def by_hand(result, X, kernel, components):
    """T², SPE and cos² of rows X by the centred kernel matrix of all training rows."""
    own = result.points.dense()
    K = kernel(own, own)
    n = len(K)
    H = np.eye(n) - 1 / n
    values, V = np.linalg.eigh(H @ K @ H)
    values, V = values[::-1], V[:, ::-1]
    k = kernel(X, own)
    centred = (k - K.mean(axis=0)) @ H
    Z = centred @ V[:, components] / np.sqrt(values[components])
    itself = np.array([kernel(x[None], x[None])[0, 0] for x in X])
    lengths = itself - 2 * k.mean(axis=1) + K.mean()
    inside = np.square(Z).sum(axis=1)
    t2 = (np.square(Z) / (values[components] / n)).sum(axis=1)
    return t2, lengths - inside, inside / lengths


def rbf(gamma):
    return lambda A, B: np.exp(-gamma * np.square(A[:, None] - B).sum(axis=2))


def polynomial(A, B):
    return (0.5 * A @ B.T + 1.0) ** 2


@pytest.mark.parametrize("by", ["shown", "all"])
def test_the_numbers_of_training_rows(by):
    settings = replace(CIRCLES, view=ViewSettings(odd_by=by, axes=(2, 0, 1)))
    result = measured(settings=settings)
    gamma = result.kernel.values["gamma"]
    wanted = [0, 2] if by == "shown" else list(range(10))
    assert list(result.get(ODD_ROWS).components) == wanted
    t2, spe, cos2 = by_hand(result, result.points.dense(), rbf(gamma), wanted)
    np.testing.assert_allclose(result.get(ODD_ROWS).numbers.t2, t2, rtol=1e-6)
    np.testing.assert_allclose(result.get(ODD_ROWS).numbers.spe, spe, atol=1e-9)
    np.testing.assert_allclose(result.get(ODD_ROWS).numbers.cos2, cos2, atol=1e-9)
    # Over training rows the mean of T² is the number of components.
    assert result.get(ODD_ROWS).numbers.t2.mean() == pytest.approx(len(wanted))


@pytest.mark.journey
def test_a_kernel_of_dot_products_and_new_rows():
    kernel = KernelSettings("poly", as_values({"gamma": 0.5, "coef0": 1, "degree": 2}))
    new = Dataset(np.array([[0.0, 0, 0, 0], [3, -2, 1, 9]]), name="more")
    settings = SessionSettings(kernel=kernel)
    result = measured(TABLE, settings, new_rows=new)
    scaled = result.scaler.apply(new.points)
    t2, spe, cos2 = by_hand(result, scaled, polynomial, [0, 1])
    found = result.joined.get(ODD_ROWS)
    assert len(found.numbers.t2) == 52
    np.testing.assert_array_equal(
        found.numbers.t2[:50], result.get(ODD_ROWS).numbers.t2
    )
    np.testing.assert_allclose(found.numbers.t2[50:], t2, rtol=1e-6)
    np.testing.assert_allclose(found.numbers.spe[50:], spe, rtol=1e-6)
    np.testing.assert_allclose(found.numbers.cos2[50:], cos2, rtol=1e-6)
    told = measure_new(result, new.points)
    np.testing.assert_array_equal(told.t2, found.numbers.t2[50:])


@pytest.mark.journey
def test_a_training_row_that_comes_again_has_its_own_numbers():
    result = measured(TABLE, SessionSettings())
    again = measure_new(result, TABLE.points)
    np.testing.assert_allclose(again.spe, result.get(ODD_ROWS).numbers.spe, atol=1e-9)
    np.testing.assert_allclose(again.t2, result.get(ODD_ROWS).numbers.t2, rtol=1e-6)


@pytest.mark.journey
def test_dropped_points_follow_the_rows():
    result = measured()
    dropped = with_points(result, [(0.0, 0.0), (5.0, 5.0)])
    odd = dropped.all_rows.get(ODD_ROWS)
    assert len(odd.numbers.spe) == 62
    np.testing.assert_allclose(
        odd.numbers.spe[60:], measure_new(result, np.array([[0, 0], [5, 5.0]])).spe
    )


def test_rows_that_only_all_components_show_are_spoken_of():
    wide = np.random.default_rng(2).normal(size=(200, 4)) * [10, 9, 5, 0.1]
    data = Dataset(wide, name="wide")
    settings = SessionSettings(
        kernel=KernelSettings("linear"), analysis=AnalysisSettings(components=4)
    )
    new = Dataset(np.array([[0.0, 0, 0, 5], [1.0, 2, 3, 0.1]]), name="more")
    odd = measured(data, settings, new_rows=new).all_rows.get(ODD_ROWS)
    t2 = np.square(5 - wide[:, 3].mean()) / wide[:, 3].var()
    times = odd.by_all.oddness[200]
    assert odd.oddness[200] < 1
    assert 0.9 * t2 < times * odd.by_all.t2_limit.value < 1.1 * t2
    told = f"; by all components 1 more row has {times:.0f} times its limit"
    assert told in summary(odd)
    two = replace(new, points=new.points[[0, 0]])
    told = f"; by all components 2 more rows have up to {times:.0f} times their limit"
    assert told in summary(
        measured(data, settings, new_rows=two).all_rows.get(ODD_ROWS)
    )
    assert "by all" not in summary(measured(data, settings).get(ODD_ROWS))
    settings = replace(settings, view=ViewSettings(odd_by="all"))
    every = measured(data, settings, new_rows=new).all_rows.get(ODD_ROWS)
    assert every.by_all is None
    np.testing.assert_array_equal(every.oddness, odd.by_all.oddness)
    assert "by all" not in summary(every)


def test_usual_new_rows_are_listed_behind_odd_ones():
    rows = np.vstack((np.random.default_rng(3).normal(size=(90, 3)), np.eye(3) * 9))
    data = Dataset(rows, name="many")
    new = Dataset(rows[:30] * 0.01, name="more")
    result = measured(data, SessionSettings(), new_rows=new)
    listed = [each.row for each in result.get(ODD_LIST).rows]
    assert len([row for row in listed if row >= 93]) == NEW_LISTED
    assert {row for row in listed if row < 93} == set(
        np.flatnonzero(result.get(ODD_ROWS).oddness[:93] > 1)
    )
    told = result.all_rows.get(ODD_ROWS).oddness[listed]
    assert (np.diff(told) <= 0).all()
    best = np.sort(result.all_rows.get(ODD_ROWS).oddness[93:])[::-1][:NEW_LISTED]
    np.testing.assert_allclose(np.sort(told[-NEW_LISTED:])[::-1], best)


def test_it_costs_nothing_for_nobody():
    for page in ("", "pca", "gram", "rebuild"):
        result = measured(page=page)
        assert result.get(ODD_ROWS) is None
        assert result.get(ODD_LIST) is None
    assert measured(page="table").get(ODD_ROWS) is not None
    assert measured(page="table").get(ODD_LIST) is None
    colored = replace(CIRCLES, view=ViewSettings(color_by="odd:spe"))
    assert measured(settings=colored, page="").get(ODD_ROWS) is not None


def test_it_is_remembered_and_published_before_the_list():
    cache, published = StageCache(), []
    request = AnalysisRequest(CIRCLES, page=PAGE, stages=registry.stages())
    first = run(request, cache, publish=published.append)
    before = [result for result in published if result.get(ODD_LIST) is None]
    assert before[-1].get(ODD_ROWS) is first.get(ODD_ROWS)
    assert first.get(ODD_LIST) is not None
    again = run(request, cache)
    assert again.get(ODD_ROWS) is first.get(ODD_ROWS)
    assert again.get(ODD_LIST) is first.get(ODD_LIST)


def test_while_a_slider_moves_the_list_follows_for_few_rows_only():
    few = measured(moving=True)
    assert few.get(ODD_LIST) is not None
    samples = as_values({"samples": MOVING_ROWS + 10})
    many = replace(CIRCLES, data=DataSettings("circles", samples))
    moving = measured(settings=many, moving=True)
    assert moving.get(ODD_ROWS) is not None
    assert moving.get(ODD_LIST) is None
    assert not moving.at_rest


def test_the_planted_row_is_first_and_its_column_is_named():
    result = measured(TABLE, SessionSettings())
    listed = result.get(ODD_LIST)
    assert listed.rows[0].row == 49
    cause = listed.rows[0].causes[0]
    assert cause.name == "planted"
    assert cause.value == 12.0
    column = TABLE.points[:, 2]
    # The largest of the five rows inside of the limits that are nearest without it.
    inside = result.get(ODD_ROWS).oddness <= 1
    z = TABLE.points[inside] / TABLE.points[inside].std(axis=0)
    away = np.delete(z - TABLE.points[49] / TABLE.points[inside].std(axis=0), 2, axis=1)
    near = np.argsort(np.square(away).sum(axis=1))[:5]
    typical = column[inside][near].max()
    assert cause.typical == pytest.approx(typical)
    assert cause.spreads == pytest.approx((12 - typical) / column.std())
    # The fall is what the model says of the row with that value instead.
    other = TABLE.points[[49]].copy()
    other[0, 2] = typical
    told = measure_new(result, other)
    left = max(
        told.t2[0] / result.get(ODD_ROWS).t2_limit.value,
        told.spe[0] / result.get(ODD_ROWS).spe_limit.value,
    )
    assert cause.fall == pytest.approx(1 - left / result.get(ODD_ROWS).oddness[49])
    times = [each.oddness for each in listed.rows]
    assert times == sorted(times, reverse=True)
    assert min(times) > 1


@pytest.mark.journey
def test_a_value_between_two_lumps_is_named():
    """The median of the column lies there too, and would make the row odder."""
    random = np.random.default_rng(4)
    X = random.normal(size=(80, 3)) + 6 * random.choice([-1, 1], (80, 1))
    X[7, 1] = 0.0
    result = measured(Dataset(X, name="lumps"), SessionSettings())
    listed = {each.row: each for each in result.get(ODD_LIST).rows}
    cause = listed[7].causes[0]
    assert (cause.name, cause.value) == ("x2", 0.0)
    assert abs(cause.typical - X[7, 0]) < 3
    assert cause.fall > 0.5


@pytest.mark.journey
def test_a_list_that_is_cut_says_of_how_many():
    X = np.random.default_rng(0).normal(size=(1200, 3))
    result = measured(Dataset(X, name="many"), SessionSettings())
    odd, listed = result.get(ODD_ROWS), result.get(ODD_LIST)
    beyond = int((odd.oddness > 1).sum())
    assert len(listed.rows) == LISTED < beyond
    said = f"The list has the {LISTED} oddest of {beyond} rows beyond a limit, "
    assert said in explanation(odd, listed)


def test_limits_are_what_they_say():
    result = measured(TABLE, SessionSettings())
    odd = result.get(ODD_ROWS)
    assert odd.t2_limit.value == pytest.approx(np.quantile(odd.numbers.t2, 0.95))
    assert odd.t2_limit.how == "empirical"
    shuffled, _ = result.get(ODD_LIST).shuffled
    assert shuffled.how == "permutation"
    beyond = (odd.numbers.t2 > odd.t2_limit.value) | (
        odd.numbers.spe > odd.spe_limit.value
    )
    assert summary(odd) == (
        f"{beyond.sum()} of 50 rows lie beyond the 95 % quantile of T² or SPE, "
        "as one row of twenty does for each."
    )
    # One number, one list.
    assert {each.row for each in result.get(ODD_LIST).rows} == set(
        np.flatnonzero(beyond)
    )
    assert "columns were shuffled" in explanation(odd, result.get(ODD_LIST))
    assert "rows like it" in explanation(odd, result.get(ODD_LIST))


def test_an_indefinite_kernel_has_leverage_alone():
    settings = SessionSettings(
        kernel=KernelSettings("sigmoid", as_values({"gamma": 1.0, "coef0": -1.0}))
    )
    result = measured(TABLE, settings)
    odd = result.get(ODD_ROWS)
    assert odd.numbers.spe is None
    assert odd.spe_limit is None
    assert [n.key for n, _ in odd.known()] == ["t2"]
    assert "negative eigenvalues" in explanation(odd, result.get(ODD_LIST))
    words = summary(odd)
    assert "beyond the 95 % quantile of T², as one row of twenty" in words
    assert "T² only" in words
    assert result.get(ODD_LIST).rows


@pytest.mark.parametrize("kind", ["kernel", "distances"])
def test_a_given_matrix_has_rows_but_no_columns(kind):
    X = TABLE.points
    squares = np.square(X[:, None] - X).sum(axis=2)
    matrix = np.exp(-0.1 * squares) if kind == "kernel" else np.sqrt(squares)
    given = Dataset(matrix, kind=kind, name="matrix")
    result = measured(given, SessionSettings())
    K = matrix if kind == "kernel" else -0.5 * squares
    H = np.eye(50) - 1 / 50
    centred = H @ K @ H
    values, V = np.linalg.eigh(centred)
    top = V[:, ::-1][:, :2] * np.sqrt(values[::-1][:2])
    spe = np.diag(centred) - np.square(top).sum(axis=1)
    np.testing.assert_allclose(result.get(ODD_ROWS).numbers.spe, spe, atol=1e-6)
    assert result.get(ODD_LIST).shuffled is None
    assert "no columns" in result.get(ODD_LIST).why_no_columns
    assert "shuffled" not in summary(result.get(ODD_ROWS))


def test_landmarks_say_how_far_their_mean_may_be_off():
    analysis = AnalysisSettings(solver="lowrank", components=3)
    result = measured(settings=replace(CIRCLES, analysis=analysis))
    exact = measured(
        settings=replace(CIRCLES, analysis=replace(analysis, solver="dense"))
    )
    assert result.decomposition.landmark_map is not None
    np.testing.assert_allclose(
        result.get(ODD_ROWS).numbers.spe, exact.get(ODD_ROWS).numbers.spe, atol=1e-3
    )
    assert result.get(ODD_ROWS).mean_error > 0
    assert "Landmarks carry" in explanation(result.get(ODD_ROWS), result.get(ODD_LIST))
    assert "distances may be wrong by up to" in summary(result.get(ODD_ROWS))
    assert "lengths" not in summary(exact.get(ODD_ROWS))


def test_a_model_that_misses_nothing_ranks_by_leverage_alone():
    settings = SessionSettings(
        kernel=KernelSettings("linear"), view=ViewSettings(odd_by="all")
    )
    result = measured(TABLE, settings)
    assert not result.get(ODD_ROWS).numbers.spe.any()
    best = int(result.get(ODD_ROWS).numbers.t2.argmax())
    assert result.get(ODD_LIST).rows[0].row == best


def test_forgotten_steps_do_not_make_rows_odd():
    forgotten = replace(CIRCLES, analysis=AnalysisSettings(normalised=False))
    a, b = measured(settings=forgotten), measured()
    np.testing.assert_allclose(
        a.get(ODD_ROWS).numbers.t2, b.get(ODD_ROWS).numbers.t2, rtol=1e-6
    )


def test_a_row_of_zeros_has_no_cosine_and_says_so():
    points = np.array([[1.0, 0.0], [2.0, 1.0], [0.0, 2.0], [-1.0, 0.0], [0.0, -3.0]])
    settings = SessionSettings(kernel=KernelSettings("cosine"))
    result = measured(Dataset(points, name="zeros"), settings)
    assert result.get(ODD_ROWS) is not None
    assert result.get(ODD_LIST).rows
