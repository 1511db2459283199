"""Columns of a result by their influence: order, units, evidence and states."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.decomposition import PCA

from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.columns import compute as columns_module
from kpca_viewer.features.columns.compute import measure_columns, why_no_columns
from kpca_viewer.features.columns.evidence import Comparison
from kpca_viewer.features.columns.text import MORE, caveats, direction_words, what_moves
from kpca_viewer.support.errors import Cancelled, DataError, KernelError


def evidence(measured, columns):
    """Compare columns with noise, as far as it takes."""
    comparison = Comparison(measured.result, measured.components)
    for column in columns:
        comparison.settle(measured, column)
    return comparison.null()


def opened(points, **options):
    return Dataset(points, name="table", **options)


def test_columns_of_the_linear_kernel_are_ranked_by_loadings(analysed):
    result = analysed("iris", "linear")
    loadings = PCA(2).fit(result.dataset.points).components_
    ranked = measure_columns(result).ranked(0)
    assert [c.column for c in ranked.columns] == np.argsort(-abs(loadings[0])).tolist()
    assert [c.strength for c in ranked.columns] == pytest.approx(
        sorted(abs(loadings[0]), reverse=True), abs=1e-6
    )
    assert sum(c.share for c in ranked.columns) == pytest.approx(1)
    first = ranked.columns[0]
    assert (first.agreement, first.steadiness) == (1, pytest.approx(1))
    assert first.stands_out is None
    assert first.name == result.dataset.feature_names[first.column]
    assert first.name in what_moves(ranked).text
    assert "PC 1: the largest influence is that of “" in what_moves(ranked).text


def test_the_picture_is_ranked_by_its_components_together(analysed):
    result = analysed("iris", "rbf", gamma=0.1)
    measured = measure_columns(result)
    assert measured.components == (0, 1)
    ranked = measured.ranked()
    found = measured.influence
    wanted = sorted(found.together, reverse=True)
    assert [c.strength for c in ranked.columns] == pytest.approx(wanted)
    assert all(c.direction == 0 for c in ranked.columns)
    assert what_moves(ranked).text.startswith("PC 1 and PC 2: the largest")
    one = measure_columns(result, [1]).ranked()
    assert one.components == (1,)
    assert {c.column: c.strength for c in one.columns} == pytest.approx(
        dict(enumerate(found.rms[1]))
    )


@pytest.mark.parametrize("scaling", ["none", "standardise", "minmax", "unit"])
def test_original_units_are_those_of_the_table(analysed, scaling):
    result = analysed("iris", "rbf", gamma=0.5, scaling=scaling)
    found = measure_columns(result, units="original").influence
    step = 1e-5
    X = result.dataset.points
    slopes = []
    for move in step * np.eye(4):
        change = result.project(X + move) - result.project(X - move)
        slopes.append(change[:, :2] / (2 * step))
    wanted = np.sqrt(np.square(slopes).mean(axis=1)).T
    assert found.rms == pytest.approx(wanted, rel=1e-4, abs=1e-8)


def test_evidence_is_in_the_list(analysed):
    random = np.random.default_rng(0)
    X = random.normal(size=(40, 6))
    X[:, 2:5] += random.choice([-1, 1], (40, 1)) * (3, 2, 2)
    X[:, 3:] /= X[:, 3:].std(axis=0)
    X[:, 2] /= 0.9 * X[:, 2].std()
    data = opened(X, feature_names=tuple("abcdef"))
    result = analysed("table", "rbf", opened=[data], gamma=0.05)
    measured = measure_columns(result, [0])
    ranked = measured.ranked(0, evidence(measured, [2, 1, 0]))
    by_name = {c.name: c for c in ranked.columns}
    assert ranked.columns[0].name == "c"
    assert by_name["c"].stands_out
    assert by_name["a"].stands_out is False
    assert by_name["f"].stands_out is None
    assert ranked.null_rows == 40
    said = what_moves(ranked).text
    assert said.startswith("PC 1: the largest influence is that of “c” (")
    assert "“a”" not in said
    picture = measure_columns(result)
    null = evidence(picture, [2])
    by_name = {c.name: c for c in picture.ranked(None, null).columns}
    bands = np.linalg.norm(null.draws[0][:, 0], axis=1)
    assert by_name["c"].noise == pytest.approx(bands.max())
    # By one standard deviation it is as far beyond the noise as by one unit.
    by_spread = measure_columns(result, [0], units="spread")
    first = by_spread.ranked(0, evidence(by_spread, [2])).columns[0]
    assert first.strength == pytest.approx(X[:, 2].std() * ranked.columns[0].strength)
    assert first.noise == pytest.approx(
        X[:, 2].std() * evidence(measured, [2]).draws[0][:, 0].max()
    )
    assert first.share > ranked.columns[0].share
    # No common measure: a unit of the table may be anything.
    units = measure_columns(result, [0], units="original")
    assert units.ranked(0, evidence(measured, [2])).columns[0].noise is None


def test_noise_has_no_more_than_in_random_order(analysed):
    data = opened(np.random.default_rng(3).normal(size=(30, 8)))
    measured = measure_columns(analysed("table", opened=[data], gamma=0.05), [0])
    ranked = measured.ranked(0, evidence(measured, range(8)))
    assert [c.stands_out for c in ranked.columns] == [False] * 8
    nearest = max(ranked.columns, key=lambda c: abs(c.correlations[0]))
    r = nearest.random_correlations[0]
    assert what_moves(ranked).text.endswith(
        f" No column has {MORE}, in which |r| of “{nearest.name}” is up to {r:.2f}."
    )
    some = (replace(ranked.columns[0], noise=None), *ranked.columns[1:])
    some = replace(ranked, columns=(*some[1:], some[0]))
    assert f" None of the 7 strongest of 8 columns has {MORE}" in what_moves(some).text
    related = replace(ranked, are_related=True)
    assert MORE not in what_moves(related).text


def test_constant_columns_come_last_and_are_named(analysed):
    X = np.random.default_rng(0).normal(size=(20, 3))
    X[:, 1] = 5
    data = opened(X, feature_names=("a", "b", "c"))
    result = analysed("table", "poly", opened=[data], gamma=1, degree=2, coef0=1)
    ranked = measure_columns(result).ranked()
    assert ranked.columns[-1].name == "b"
    assert ranked.columns[-1].constant
    assert caveats(ranked) == ("“b” is constant: nothing in these rows comes from it.",)
    X[:, 0] = 1
    result = analysed("table", opened=[opened(X)], gamma=1)
    assert caveats(measure_columns(result).ranked()) == (
        "2 columns are constant: nothing in these rows comes from them.",
    )


def test_a_component_without_variance_is_moved_by_nothing(analysed):
    data = opened(np.outer(np.arange(5.0), [1, 2]))
    result = analysed("table", "linear", opened=[data])
    ranked = measure_columns(result, [1]).ranked()
    assert what_moves(ranked).text == "PC 2 has no variance: no column moves it."
    assert direction_words(ranked.columns[0]) == "no direction"


@pytest.mark.journey
def test_a_sample_and_an_edge_are_said(analysed, monkeypatch):
    monkeypatch.setattr(columns_module, "MOST_TERMS", 1)
    monkeypatch.setattr(columns_module, "FEWEST_ROWS", 30)
    ranked = measure_columns(analysed(family="laplacian", gamma=1)).ranked()
    assert (ranked.rows, ranked.is_sampled) == (30, True)
    assert caveats(replace(ranked, null_rows=20))[-1] == (
        "Random orders are those of a sample of 20 rows: what columns have in them is "
        "approximate."
    )
    sampled, edge = caveats(ranked)
    assert sampled == "Measured at 30 of 400 rows, a fixed sample."
    assert edge.startswith("This kernel has an edge at every row")


def test_directions_are_said_with_their_rows(analysed):
    result = analysed("iris", "linear")
    ranked = measure_columns(result).ranked(0)
    column = ranked.columns[0]
    verb = "grows" if column.direction > 0 else "falls"
    assert direction_words(column) == f"{verb} with it in 100 % of the rows"
    r = np.corrcoef(result.scores[:, 0], result.dataset.points[:, column.column])[0, 1]
    assert column.correlations == pytest.approx((r,))
    assert f"“{column.name}” (73.4 %, r = {r:.2f})" in what_moves(ranked).text


@pytest.mark.parametrize(
    ("kind", "words"), [("distances", "distances"), ("kernel", "kernel values")]
)
def test_a_given_matrix_has_no_columns(analysed, kind, words):
    matrix = np.abs(np.subtract.outer(np.arange(4.0), np.arange(4.0)))
    if kind == "kernel":
        matrix = np.eye(4)
    result = analysed("table", opened=[opened(matrix, kind=kind)])
    with pytest.raises(DataError, match=f"a matrix of {words}, which has no columns"):
        measure_columns(result)
    assert "open the table" in why_no_columns(result)


def test_one_row_and_no_gradient_are_refused(analysed):
    one = analysed("table", opened=[opened(np.ones((1, 2)))], gamma=1)
    with pytest.raises(DataError, match="one row only"):
        measure_columns(one)
    two = analysed("table", opened=[opened(np.eye(2))], gamma=1)
    assert why_no_columns(two) == ""
    with pytest.raises(DataError, match="2 rows are too few"):
        evidence(measure_columns(two, [0]), [0])
    family = replace(FAMILIES["rbf"], name="stepped", title="Stepped", slope=None)
    with FAMILIES.with_row(family):
        result = analysed(family="stepped", gamma=1)
        with pytest.raises(KernelError, match="has no gradient"):
            measure_columns(result)
        assert "choose another kernel" in why_no_columns(result)


def test_it_stops_when_nobody_wants_it(analysed):
    with pytest.raises(Cancelled):
        measure_columns(analysed(gamma=1), should_stop=lambda: True)
