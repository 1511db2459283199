"""What a notebook has becomes what its file would be."""

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
import scipy.sparse

import kpca_viewer
from kpca_viewer.data.files import read_table
from kpca_viewer.data.frames import of_arrays
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.support.errors import DataError

N = 40
IDS = 2**53 + 1 + 2 * np.arange(N)


def mixed_frame():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "height": random.normal(size=N),
            "count": pd.array(random.integers(0, 99, N), dtype="Int64"),
            "price": [f"${value:,.2f}" for value in random.uniform(10, 3000, N)],
            "number": IDS,
            "smokes": random.integers(0, 2, N).astype(bool),
            "kind": random.choice(["a", "b", "c"], N),
            "grade": pd.Categorical(random.integers(1, 5, N)),
        },
        index=pd.Index([f"s{row}" for row in range(N)], name="sample"),
    )
    frame.loc["s3", "height"] = np.nan
    frame.loc["s4", "count"] = pd.NA
    return frame


def test_points_alone():
    dataset = of_arrays([[1, 2], [3, 4], [5, 6]], name="mine")
    assert (dataset.n, dataset.d, dataset.name) == (3, 2, "mine")
    assert dataset.labels is None


def test_classes_of_any_kind_are_numbered_in_order():
    dataset = of_arrays(np.eye(3), ["b", "a", "b"])
    assert dataset.labels.tolist() == [1, 0, 1]
    assert dataset.label_names == ("a", "b")


def test_a_frame_names_the_features():
    frame = pd.DataFrame({"height": [1.0, 2.0], "width": [3.0, 4.0]})
    assert of_arrays(frame, [0, 1]).feature_names == ("height", "width")


def test_a_frame_gives_what_its_file_gives(tmp_path):
    frame = mixed_frame()
    frame.to_parquet(tmp_path / "data.parquet")
    table = read_table(tmp_path / "data.parquet")
    wanted = to_dataset(table, guess_import(table))
    with pytest.warns(UserWarning, match="^data: ") as said:
        dataset = of_arrays(frame)
    assert dataset.same(wanted)
    assert dataset.left_out == wanted.left_out == 2
    assert dataset.feature_names == ("height", "count", "price [$]", "smokes")
    assert dataset.label_names == ("1", "2", "3", "4")  # no feature, though of numbers
    assert dataset.row_names[:2] == ("s0", "s1")
    assert dataset.columns["number"].text(0) == str(IDS[0])
    assert [str(warning.message) for warning in said] == [
        "data: units stay in the names: “price [$]”.",
        "data: whole numbers beyond 2⁵³ kept as text in “number”.",
        'data: 2 rows with gaps are left out; missing="median" fills them.',
    ]


def test_gaps_of_many_rows_are_filled_as_in_a_file(tmp_path):
    frame = pd.DataFrame(
        np.random.default_rng(1).normal(size=(20, 3)), columns=[*"abc"]
    )
    frame.iloc[:5, 1] = frame.iloc[5:8, 2] = np.nan
    frame.to_csv(tmp_path / "data.csv", index=False)
    table = read_table(tmp_path / "data.csv")
    with pytest.warns(UserWarning, match="8 gaps in 2 columns are filled by the medi"):
        dataset = of_arrays(frame)
    assert dataset.same(to_dataset(table, guess_import(table)))
    assert dataset.filled == (8, 2)


def test_an_array_with_a_column_of_gaps_keeps_its_rows():
    points = np.random.default_rng(4).normal(size=(50, 4))
    points[:40, 1] = np.nan
    with pytest.warns(UserWarning, match="40 gaps in 1 column are filled"):
        assert of_arrays(points).n == 50
    with pytest.warns(UserWarning, match="“b” holds nothing in 80 % of its rows and"):
        dataset = of_arrays(pd.DataFrame(points, columns=[*"abcd"]))
    assert dataset.feature_names == ("a", "c", "d")
    assert (of_arrays(points, missing="drop").n, dataset.n) == (10, 50)
    assert of_arrays(points, missing="columns").d == 3
    with pytest.raises(DataError, match="“mode” is no way to treat gaps; choose one"):
        of_arrays(points, missing="mode")


def test_a_label_beside_a_frame_leaves_its_numbers_features():
    frame = pd.DataFrame(
        {"x": np.arange(20.0), "on": [0, 1] * 10, "word": ["u", "v"] * 10}
    )
    dataset = of_arrays(frame, pd.Series(["k", "l"] * 10, name="kind"))
    assert dataset.feature_names == ("x", "on")
    assert dataset.label_names == ("k", "l")
    assert "word" in dataset.columns


def test_rows_keep_the_numbers_of_their_index():
    frame = pd.DataFrame(np.random.default_rng(2).normal(size=(9, 2))).iloc[[1, 4, 7]]
    dataset = of_arrays(frame)
    assert dataset.feature_names == ("0", "1")
    assert dataset.row_names == ("1", "4", "7")


def test_sparse_matrices_arrow_tables_and_arrays_with_gaps():
    sparse = scipy.sparse.random(30, 4, 0.5, format="csr", random_state=0)
    np.testing.assert_array_equal(of_arrays(sparse).points, sparse.toarray())
    table = pa.table({"a": [1.0, 2.0, 3.0], "b": [3, 5, 9]})
    assert of_arrays(table).feature_names == ("a", "b")
    points = np.random.default_rng(3).normal(size=(60, 3))
    points[2, 1] = np.nan
    with pytest.warns(UserWarning, match="^data: 1 row with gaps is left out; missin"):
        dataset = of_arrays(points, points[:, 0])
    assert (dataset.n, dataset.d, dataset.left_out) == (59, 3, 1)
    assert dataset.scale == "class"  # a quantity


def test_analyse_takes_a_frame():
    frame = mixed_frame().drop(columns=["price", "number"])
    result = kpca_viewer.analyse(frame, missing="drop")
    assert (result.dataset.n, result.dataset.d) == (38, 3)
    assert result.settings.data.scaling == "standardise"
    assert kpca_viewer.analyse(result.dataset).settings.data.scaling == "none"


@pytest.mark.parametrize(
    ("X", "y", "words"),
    [
        ([["a", "b"]], None, "only one row"),
        ([1, 2, 3], None, "1 dimensions instead of two"),
        (np.eye(3), [1, 2], r"labels of shape \(2,\) for 3 rows"),
        (pd.DataFrame({"a": []}), None, "empty"),
    ],
)
def test_what_cannot_be_used_is_refused_with_a_sentence(X, y, words):
    with pytest.raises(DataError, match=words):
        of_arrays(X, y)
