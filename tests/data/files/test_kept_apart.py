"""What looks alike and is not: rows, ids, times and names that must not be mixed."""

import json

import numpy as np
import pandas as pd
import pytest
import scipy.io

from kpca_viewer.data.files import read_table, read_text
from kpca_viewer.data.importing import guess_import, to_dataset
from kpca_viewer.data.importing.convert import label_codes
from kpca_viewer.data.table import Column

VAST = 12_345_678_901_234_567


def values(table):
    return {column.name: column.values.tolist() for column in table.columns}


def from_json(tmp_path, document):
    path = tmp_path / "a.json"
    path.write_text(json.dumps(document))
    return read_table(path)


def test_columns_of_pandas_are_put_together_by_their_index(tmp_path):
    a = {"0": 1, "1": 2, "2": 3}
    table = from_json(tmp_path, {"a": a, "b": {"2": 30, "0": 10, "1": 20}})
    assert values(table) == {"a": [1, 2, 3], "b": [10, 20, 30]}
    table = from_json(tmp_path, {"b": {"2": 30, "1": 20}, "a": a})
    np.testing.assert_array_equal(table.column("b").values, [np.nan, 20, 30])
    table = from_json(tmp_path, {"a": {"x": 1, "y": 2}, "b": {"y": 20, "x": 10}})
    assert values(table) == {"name": ["x", "y"], "a": [1, 2], "b": [10, 20]}


def test_what_pandas_writes_by_index(tmp_path):
    frame = pd.DataFrame({"a": [1.5, 2.5, 3.5], "b": ["x", "y", "z"]})
    frame.to_json(tmp_path / "a.json", orient="index")
    table = read_table(tmp_path / "a.json")
    assert values(table) == {"a": [1.5, 2.5, 3.5], "b": ["x", "y", "z"]}


@pytest.mark.parametrize("ending", ["csv", "json", "npy", "npz", "mat", "parquet"])
def test_whole_numbers_of_many_digits_stay_different(tmp_path, ending):
    ids = np.array([VAST, VAST + 1, VAST + 2, 5], dtype=np.int64)
    path = tmp_path / f"a.{ending}"
    frame = pd.DataFrame({"id": ids, "v": np.arange(4.0)})
    match ending:
        case "csv":
            frame.to_csv(path, index=False)
        case "json":
            frame.to_json(path, orient="records")
        case "npy":
            np.save(path, np.column_stack([ids, np.arange(4)]))
        case "npz":
            np.savez(path, X=np.ones((4, 2)), y=ids)
        case "mat":
            scipy.io.savemat(path, {"X": np.ones((4, 2)), "y": ids})
        case "parquet":
            frame.to_parquet(path)
    table = read_table(path)
    column = next(column for column in table.columns if column.kind == "text")
    assert column.values.tolist() == [str(value) for value in ids]
    np.testing.assert_array_equal(column.numbers, ids.astype(float))
    codes, names = label_codes(column)
    assert len(names) == 4
    assert len(set(codes)) == 4
    rest = [column for column in table.columns if column.kind == "number"]
    assert rest  # the others are numbers as ever
    assert guess_import(table).role(column.name) != "feature"
    note = f"whole numbers beyond 2⁵³ kept as text in “{column.name}”"
    assert note in table.notes


@pytest.mark.parametrize("digits", ["9007199254740993", "9" * 300, "-" + "9" * 400])
def test_ids_of_any_length_name_rows(digits):
    # The first is one beyond what float64 holds, and rounds to what it does.
    ids = [digits, f"{digits[:-1]}1"]
    table = read_text(f"sample,v\n{ids[0]},1\n{ids[1]},2\n")
    settings = guess_import(table)
    assert settings.role("sample") == "name"
    assert to_dataset(table, settings).row_names == tuple(ids)


def test_vast_numbers_can_still_be_a_feature():
    table = read_text(f"stamp,v\n{VAST},1\n{VAST + 4000},2\n{VAST + 8000},4\n")
    settings = guess_import(table).with_role("stamp", "feature")
    assert to_dataset(table, settings).points[0, 0] == float(VAST)


def test_labels_are_told_apart_by_all_their_digits():
    close = np.array([1234567890123456, 1234567890123457, 0.1, 0.100000000001])
    assert label_codes(Column("y", close))[1] == (
        "0.1",
        "0.100000000001",
        "1234567890123456",
        "1234567890123457",
    )


@pytest.mark.parametrize(
    "text",
    [
        "2024-01-01 08:15\n2024-01-02 08:30\n2024-01-03 09:45\n",
        "3.5 08:15\n4.5 08:30\n5.5 09:45\n",
        "3.5 10:15\n4.5 10:30\n5.5 11:45\n",
        "3.5 10:15 11:30\n4.5 10:30 11:45\n",
        "1 2:1\n2 0:3\n3 1:1\n",
    ],
)
def test_times_and_scores_are_no_sparse_entries(tmp_path, text):
    path = tmp_path / "a.txt"
    path.write_text(text)
    table = read_table(path)
    assert table.format == "Text table"
    assert table.n == len(text.splitlines())
    assert table.columns[1].values[0] == text.split()[1]


def test_sparse_entries_are_known_by_rising_indices_or_by_name(tmp_path):
    (tmp_path / "a.txt").write_text("1 1:0.5 3:2\n-1 2:1\n")
    assert read_table(tmp_path / "a.txt").format == "SVMLight"
    (tmp_path / "a.svm").write_text("1 1:5\n2 2:7\n")
    assert read_table(tmp_path / "a.svm").format == "SVMLight"


def test_an_underscore_is_part_of_a_name(tmp_path):
    (tmp_path / "a.svm").write_text("1_000 1:0.5 3:2\n1000 2:1\n")
    table = read_table(tmp_path / "a.svm")
    assert table.column("label").values.tolist() == ["1_000", "1000"]
    for delimiter in ",\t ;":
        table = read_text(f"1_000{delimiter}2\n3{delimiter}4\n5{delimiter}6\n")
        assert table.columns[0].values.tolist() == ["1_000", "3", "5"]


@pytest.mark.parametrize("delimiter", [",", "\t", ";"])
def test_empty_rows_above_are_passed_and_those_below_are_rows(delimiter):
    lines = ["..", "name.size.rate", "a.1.2", "..", "b.3.4"]
    table = read_text("\n".join(lines).replace(".", delimiter))
    assert table.names == ("name", "size", "rate")
    np.testing.assert_array_equal(table.column("size").values, [1, np.nan, 3])
    table = read_text("..\n1.2.3\n4.5.6\n".replace(".", delimiter))
    assert values(table) == {"x1": [1, 4], "x2": [2, 5], "x3": [3, 6]}


@pytest.mark.parametrize(
    "text",
    [
        "(1,2),(3,4),(5,6)",
        "[(1, 2), (3, 4), (5, 6)]",
        "(1, 2)\n(3, 4)\n(5, 6)\n",
        "array([[1., 2.],\n       [3., 4.],\n       [5., 6.]])",
        "[[1. 2.]\n [3. 4.]\n [5. 6.]]",
        "{{1, 2}, {3, 4}, {5, 6}}",
        "(1; 2), (3; 4), (5; 6)",
    ],
)
def test_points_in_brackets_are_rows(text):
    assert values(read_text(text)) == {"x1": [1, 3, 5], "x2": [2, 4, 6]}


def test_brackets_in_other_text_are_left_alone():
    table = read_text("name,size\nash (old),1\nelm (new),2\n")
    assert table.column("name").values.tolist() == ["ash (old)", "elm (new)"]
