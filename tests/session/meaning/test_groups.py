"""Two groups of rows with the names of their columns, a sentence and a table."""

import csv
from io import StringIO

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.features.columns.content import compare_groups, strength_words
from kpca_viewer.support.errors import DataError

X = np.random.default_rng(0).normal(size=(60, 4))
GROUP = np.arange(60) < 20
X[:20, 2] -= 4
X[:, 3] = 1
DATA = Dataset(X, feature_names=("a", "b\tc", "d", "e"))


def test_the_most_telling_column_is_named():
    found = compare_groups(DATA, GROUP)
    first, *_, last = found.columns
    assert (first.name, first.clear) == ("d", True)
    assert (last.name, last.constant) == ("e", True)
    assert found.sentence.startswith(
        "1 of 4 columns tells the groups of 20 and 40 rows apart with 95 % confidence"
    )
    low, high = first.auc_interval
    part = f"{100 * (1 - first.auc):.0f} %"
    assert f"“d” does so best: it is smaller in the first group for {part}" in (
        found.sentence
    )
    # Nearly all pairs are not all of them.
    assert 0.995 < 1 - low < 1
    assert f"({100 * (1 - high):.0f} % … > 99 %)" in found.sentence


def test_an_interval_whose_ends_read_the_same_is_left_out():
    points = np.random.default_rng(0).normal(size=(4000, 1))
    points[:2000] += 5
    sentence = compare_groups(Dataset(points), np.arange(4000) < 2000).sentence
    assert "for > 99 % of all pairs." in sentence


def test_several_columns_are_counted():
    points = X[:, :3].copy()
    points[:20, 0] += 3
    sentence = compare_groups(Dataset(points), GROUP).sentence
    assert sentence.startswith("2 of 3 columns tell the groups of 20 and 40 rows apart")


def test_where_nothing_tells_them_apart_that_is_said():
    found = compare_groups(Dataset(X[:, :2]), np.arange(60) % 2 == 0)
    assert found.sentence == (
        "No column tells the groups of 30 and 30 rows apart with 95 % confidence, all "
        "columns asked at once."
    )


def test_lines_about_one_column():
    found = {c.name: c for c in compare_groups(DATA, GROUP).columns}
    d = found["d"]
    assert strength_words(d) == (
        f"d = −{abs(d.cohen):.2f}, smaller in {100 * (1 - d.auc):.0f} % of all pairs"
    )
    assert strength_words(found["e"]) == "the same in all rows"
    pair = Dataset(np.array([[1.0], [0.0]]))
    (single,) = compare_groups(pair, np.array([True, False])).columns
    assert strength_words(single) == "larger in 100 % of all pairs"
    apart = Dataset(np.array([[1.0], [1.0], [0.0], [0.0]]))
    (column,) = compare_groups(apart, np.array([True, True, False, False])).columns
    assert strength_words(column) == "d = ∞, larger in 100 % of all pairs"


def test_the_table_can_be_pasted():
    found = compare_groups(DATA, GROUP)
    lines = list(csv.reader(StringIO(found.as_table()), delimiter="\t"))
    assert len(lines) == 1 + 4
    assert {len(line) for line in lines} == {11}
    assert [line[0] for line in lines[1:]] == [
        " ".join(c.name.split()) for c in found.columns
    ]
    assert float(lines[1][3]) == pytest.approx(found.columns[0].cohen, rel=1e-5)
    assert lines[1][-1] == "yes"


def test_a_matrix_has_no_columns_to_tell():
    matrix = Dataset(np.eye(3), kind="kernel")
    with pytest.raises(DataError, match="a matrix without columns"):
        compare_groups(matrix, np.array([True, False, False]))
    with pytest.raises(DataError, match="All rows are selected"):
        compare_groups(DATA, np.ones(60, dtype=bool))
