"""Rows of a second file, and dropped points, as rows beside those of the data."""

from dataclasses import replace

import numpy as np
import pytest
from sklearn.datasets import load_wine
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis

from kpca_viewer.data.dataset import Dataset, without
from kpca_viewer.data.metadata import MetaColumn
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.export.result_tables import coordinates
from kpca_viewer.features.table.columns import cell_text, columns_of

X, Y = load_wine(return_X_y=True)
KINDS = ("a", "b", "c")


def part(rows, names=None, **columns) -> Dataset:
    return Dataset(X[rows], Y[rows], KINDS, row_names=names, columns=columns, name="w")


@pytest.fixture(scope="module")
def result():
    order = np.random.default_rng(0).permutation(len(X))
    first, second = order[:128], order[128:]
    words = MetaColumn.of_words(["red", "blue"] * 64)
    data = part(first, None, year=np.arange(128.0), colour=words)
    new = part(
        second, tuple(f"n{i}" for i in range(50)), colour=["blue"] * 49 + ["green"]
    )
    # One of an unknown class, and one of none.
    labels = new.labels.copy()
    labels[0], labels[1] = 3, -1
    new = replace(new, labels=labels, label_names=(*KINDS, "other"))
    settings = SessionSettings(data=DataSettings("w", scaling="standardise"))
    return run(AnalysisRequest(settings, {"w": data}, new), StageCache())


def test_they_are_scored_as_sklearn_would(result):
    right = result.new_rows.labels[2:]
    for scores, new, found in (
        (result.scores, result.new_scores, result.new_accuracy.kernel),
        (
            result.linear.scores,
            result.joined.linear.scores[128:],
            result.new_accuracy.linear,
        ),
    ):
        model = LinearDiscriminantAnalysis().fit(scores[:, :2], result.dataset.labels)
        assert found == model.score(new[2:, :2], right)
    assert result.new_accuracy.rows == 48
    assert result.new_accuracy.kernel > 0.9


def test_rows_keep_their_numbers_beside_new_ones():
    left_out = np.zeros(128, dtype=bool)
    left_out[:5] = True
    kept = without(part(np.arange(128)), left_out)
    settings = SessionSettings(data=DataSettings("w"))
    request = AnalysisRequest(settings, {"w": kept}, part(np.arange(128, 140)))
    result = run(request, StageCache())
    assert result.all_rows.dataset.row_number(0) == 6
    names = dict(coordinates(result).columns)["row"]
    assert names[0] == 6
    assert names[123] == 1
    # New rows keep theirs, where their file has others between them.
    new = replace(part(np.arange(128, 131)), file_numbers=[2, 5, 9])
    result = run(replace(request, new_rows=new), StageCache())
    assert dict(coordinates(result).columns)["row"][123:].tolist() == [2, 5, 9]
    row = columns_of(result)[0]
    data = result.all_rows.dataset
    assert cell_text(data, 123, row, 124, {}) == "new 5"
    assert cell_text(data, 123, row, 0, {}) == "6"


def test_they_stand_behind_the_rows_with_everything_that_is_known(result):
    everything = result.joined.dataset
    assert everything.n == 178
    np.testing.assert_array_equal(everything.points[128:], result.new_rows.points)
    assert everything.label_names == (*KINDS, "other")
    assert everything.row_names[126:130] == ("127", "128", "n0", "n1")
    assert everything.columns["colour"].texts(np.array([0, 128, 177])) == (
        "red",
        "blue",
        "green",
    )
    assert np.isnan(everything.columns["year"].values[128:]).all()


def test_coordinates_say_which_set_a_row_is_of(result):
    table = coordinates(result, features=True)
    columns = dict(table.columns)
    assert table.rows == 178
    assert columns["set"] == ("training",) * 128 + ("new",) * 50
    np.testing.assert_allclose(columns["PC1"][128:], result.new_scores[:, 0])
    assert columns["label"][128:130] == ("other", "")
    assert not columns["selected"].any()
    # A selection is one of the data.
    mask = np.arange(128) < 3
    chosen = dict(coordinates(result, mask, only_selected=True).columns)
    assert chosen["set"] == ("training",) * 3


def test_without_new_rows_there_is_no_such_column(result):
    alone = replace(result, joined=None)
    assert "set" not in dict(coordinates(alone).columns)


def test_points_that_were_dropped_are_rows_too():
    request = AnalysisRequest(SessionSettings(), {})
    result = run(request, StageCache())
    places = ((0.1, 0.2), (1.5, -0.5))
    table = dict(coordinates(with_points(result, places), features=True).columns)
    n = result.dataset.n
    assert table["set"][n - 1 :] == ("training", "new", "new")
    assert table["row"][-3:].tolist() == [n, 1, 2]
    assert table["x1"][n:].tolist() == [0.1, 1.5]
    expected = result.project(np.array(places))
    np.testing.assert_allclose(table["PC2"][n:], expected[:, 1])


def test_numbers_that_were_words_before_are_the_same_words():
    """A column of ids and words may come as nothing but numbers."""
    days = MetaColumn.of_words(["20241105", "20241106", "unknown"] + ["20241105"] * 125)
    data = part(np.arange(128), None, day=days)
    later = np.full(50, 20241106.0)
    later[0] = np.nan
    request = AnalysisRequest(
        SessionSettings(data=DataSettings("w", scaling="standardise")),
        {"w": data},
        part(np.arange(128, 178), None, day=later),
    )
    column = run(request, StageCache()).all_rows.dataset.columns["day"]
    assert set(column.words) == set(days.words)
    assert column.text(129) == "20241106"
    assert column.text(128) == ""
