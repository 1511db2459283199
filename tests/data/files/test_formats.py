"""One test a format, each with a file written by the format's usual library."""

import datetime
import json

import numpy as np
import openpyxl
import pandas as pd
import pytest
import scipy.io
import scipy.sparse
from sklearn.datasets import dump_svmlight_file

from kpca_viewer.data.files import ReadOptions, preview_table, read_table, read_text
from kpca_viewer.support.errors import DataError


@pytest.fixture
def frame():
    random = np.random.default_rng(1)
    return pd.DataFrame(
        {
            "height": random.normal(10, 2, 40).round(3),
            "count": random.integers(0, 9, 40),
            "kind": random.choice(["ash", "elm"], 40),
        }
    )


def assert_same(table, frame):
    assert table.names == tuple(frame.columns)
    assert table.n == len(frame)
    for name in frame.columns:
        column = table.column(name)
        if column.kind == "number":
            np.testing.assert_allclose(column.values, frame[name].astype(float))
        else:
            assert column.values.tolist() == frame[name].tolist()


def test_csv_by_pandas(frame, tmp_path):
    frame.to_csv(tmp_path / "trees.csv", index=False)
    table = read_table(tmp_path / "trees.csv")
    assert_same(table, frame)
    assert table.name == "trees"
    assert table.path == tmp_path / "trees.csv"
    assert len(table.content_hash) == 64
    assert "columns separated by comma" in table.notes


def test_csv_with_the_index_of_pandas(frame, tmp_path):
    frame.to_csv(tmp_path / "trees.csv")
    table = read_table(tmp_path / "trees.csv")
    assert table.names == ("column 1", "height", "count", "kind")


def test_tsv_in_utf16(frame, tmp_path):
    frame.to_csv(tmp_path / "trees.tsv", index=False, sep="\t", encoding="utf-16")
    table = read_table(tmp_path / "trees.tsv")
    assert_same(table, frame)
    assert "encoding utf-16" in table.notes


def test_savetxt(tmp_path):
    values = np.random.default_rng(0).normal(size=(20, 3))
    np.savetxt(tmp_path / "points.txt", values, header="a b c")
    table = read_table(tmp_path / "points.txt")
    assert table.names == ("a", "b", "c")
    assert "header taken from a comment" in table.notes
    np.testing.assert_array_equal(table.columns[1].values, values[:, 1])


def test_excel_by_pandas(frame, tmp_path):
    frame.to_excel(tmp_path / "trees.xlsx", index=False)
    assert_same(read_table(tmp_path / "trees.xlsx"), frame)


def test_excel_sheets_dates_gaps_and_errors(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["nothing"])
    sheet = book.create_sheet("Data")
    sheet.append(["x", "day", "y"])
    sheet.append([1.5, datetime.date(2024, 2, 3), "#DIV/0!"])
    sheet.append([])
    sheet.append([None, datetime.date(2024, 2, 4), 4])
    book.save(tmp_path / "book.xlsx")
    table = read_table(tmp_path / "book.xlsx", options=ReadOptions(sheet="Data"))
    assert (table.parts, table.chosen) == (("Sheet", "Data"), ("Data",))
    assert table.column("day").values[0].startswith("2024-02-03")
    np.testing.assert_array_equal(table.column("x").values, [1.5, np.nan])
    np.testing.assert_array_equal(table.column("y").values, [np.nan, 4])
    with pytest.raises(DataError, match="no sheet “Dats”; choose “Sheet” and “Data”"):
        read_table(tmp_path / "book.xlsx", options=ReadOptions(sheet="Dats"))


def test_excel_numbers_that_come_as_floats(tmp_path):
    book = openpyxl.Workbook()
    book.active.append(["x", "mixed", "zero", "flag", "thousands"])
    cells = [2.0, 0.1, -0.0, 3e15, 2.0**52, "", "NA", True]
    for k in range(1000):
        cell = cells[k % len(cells)]
        row = [k / 4, cell if k else "word", -0.0, k % 3 == 0, "1,234.5" if k else 2.5]
        book.active.append(row if k % 10 else [None, *row[1:]])
    book.save(tmp_path / "book.xlsx")
    table = read_table(tmp_path / "book.xlsx")
    x = np.where(np.arange(1000) % 10, np.arange(1000) / 4, np.nan)
    np.testing.assert_array_equal(table.column("x").values, x)
    # Whole numbers have all their digits as text, and no sign of zero.
    words = ("2", "0.1", "0", "3000000000000000", "4503599627370496", None, None, "1")
    mixed = table.column("mixed").values.tolist()
    assert mixed[1:9] == [*words[1:], "2"]
    assert mixed[-8:] == list(words)
    assert not np.signbit(table.column("zero").values).any()
    assert table.column("flag").values[:4].tolist() == [1, 0, 0, 1]
    assert table.column("thousands").values[:2].tolist() == [2.5, 1234.5]


def test_excel_with_a_title_over_a_header_of_numbers(tmp_path):
    path = tmp_path / "a.xlsx"
    book = openpyxl.Workbook()
    for row in (["Spectra of 2020"], [], ["id", "class", 400, 418, 436.5]):
        book.active.append(row)
    for k in range(9):
        book.active.append([f"s{k}", "ab"[k % 2], 0.1 * k, 0.2, k / (k + 1)])
    book.save(path)
    table = read_table(path)
    assert table.names == ("id", "class", "400", "418", "436.5")
    assert table.top.title == "2 lines above the table skipped (“Spectra of 2020”)"
    assert (table.n, table.options.skip) == (9, 2)
    assert read_table(path, options=table.options).names == table.names
    assert read_table(path, options=ReadOptions(skip=3, header=False)).n == 9


def values(table):
    return np.column_stack([column.values for column in table.columns])


def sparse(rows=60, columns=7):
    random = np.random.default_rng(0)
    gaps = random.random((rows, columns)) > 0.3
    return scipy.sparse.coo_array(np.where(gaps, 0, random.random((rows, columns))))


SQUARE = sparse(9, 9).toarray()


@pytest.mark.parametrize(
    ("matrix", "field"),
    [
        (sparse(), None),
        (sparse(), "pattern"),
        ((100 * sparse()).astype(int), None),
        (sparse().toarray(), None),
        (SQUARE + SQUARE.T, None),
        (SQUARE - SQUARE.T, None),
        (scipy.sparse.coo_array(SQUARE + SQUARE.T), None),
        (scipy.sparse.coo_array(SQUARE - SQUARE.T), None),
    ],
)
def test_matrix_market(tmp_path, matrix, field):
    path = tmp_path / "a.mtx"
    scipy.io.mmwrite(path, matrix, field=field, precision=17)
    wanted = matrix.toarray() if scipy.sparse.issparse(matrix) else matrix
    wanted = wanted != 0 if field == "pattern" else wanted
    table = read_table(path)
    assert table.format == "Matrix Market"
    np.testing.assert_array_equal(values(table), wanted)


@pytest.mark.parametrize("kind", ["csr", "csc", "coo", "bsr", "dia"])
def test_sparse_npz(tmp_path, kind):
    path = tmp_path / "a.npz"
    make = scipy.sparse.csr_matrix if kind == "csr" else scipy.sparse.csr_array
    scipy.sparse.save_npz(path, make(sparse()).asformat(kind))
    np.testing.assert_array_equal(values(read_table(path)), sparse().toarray())
    first = preview_table(path, 5)
    assert (first.n, first.total) == (5, 60)
    np.testing.assert_array_equal(values(first), sparse().toarray()[:5])


def test_excel_without_a_header(tmp_path):
    book = openpyxl.Workbook()
    for row in ([1, 2.5], [3, 4.5], [5, 6.5]):
        book.active.append(row)
    book.save(tmp_path / "book.xlsx")
    table = read_table(tmp_path / "book.xlsx")
    assert (table.names, table.n) == (("x1", "x2"), 3)


def test_parquet_by_pandas(frame, tmp_path):
    frame["kind"] = frame["kind"].astype("category")
    frame["flag"] = frame["count"] > 3
    frame["small"] = frame["height"].astype(np.float32)
    frame.to_parquet(tmp_path / "trees.parquet", row_group_size=7)
    table = read_table(tmp_path / "trees.parquet")
    assert_same(table, frame)
    assert table.format == "Parquet"


def test_parquet_with_nulls_dates_text_numbers_and_lists(tmp_path):
    frame = pd.DataFrame(
        {
            "i": pd.array([1, None, 3], dtype="Int64"),
            "day": pd.to_datetime(["2024-01-01", "2024-01-02", "2024-01-03"]),
            "written": ["1.5", "NA", "2"],
            "list": [[1], [2], [3]],
        }
    )
    frame.to_parquet(tmp_path / "odd.parquet")
    table = read_table(tmp_path / "odd.parquet")
    np.testing.assert_array_equal(table.column("i").values, [1, np.nan, 3])
    assert table.column("day").values[1].startswith("2024-01-02")
    np.testing.assert_array_equal(table.column("written").values, [1.5, np.nan, 2])
    assert "columns with lists or structures left out: “list”" in table.notes


@pytest.mark.parametrize("orient", ["records", "columns", "split", "values"])
def test_json_by_pandas(frame, tmp_path, orient):
    frame.to_json(tmp_path / "trees.json", orient=orient)
    table = read_table(tmp_path / "trees.json")
    if orient == "values":
        assert table.names == ("x1", "x2", "x3")
    else:
        assert_same(table, frame)


def test_json_lines_by_pandas(frame, tmp_path):
    frame.to_json(tmp_path / "trees.jsonl", orient="records", lines=True)
    table = read_table(tmp_path / "trees.jsonl")
    assert_same(table, frame)
    assert table.format == "JSON lines"


def test_json_with_uneven_records(tmp_path):
    records = [{"a": 1, "b": None}, {"a": 2, "c": "x"}, {"c": "y", "d": [1, {"e": 2}]}]
    path = tmp_path / "uneven.json"
    path.write_text(json.dumps({"version": 3, "rows": records}))
    table = read_table(path)
    assert table.names == ("a", "b", "c", "d")
    np.testing.assert_array_equal(table.column("a").values, [1, 2, np.nan])
    assert table.column("d").values[2] == '[1, {"e": 2}]'
    assert "records of “rows”" in table.notes


@pytest.mark.parametrize(
    ("order", "dtype"), [("C", ">f8"), ("F", "f4"), ("F", "i2"), ("C", "?")]
)
def test_npy(tmp_path, order, dtype):
    values = np.arange(12).reshape(4, 3).astype(dtype, order=order)
    np.save(tmp_path / "a.npy", values)
    table = read_table(tmp_path / "a.npy")
    for j, column in enumerate(table.columns):
        np.testing.assert_array_equal(column.values, values[:, j].astype(float))


def test_npy_of_pictures_of_records_and_of_one_column(tmp_path):
    np.save(tmp_path / "a.npy", np.arange(24).reshape(4, 3, 2))
    table = read_table(tmp_path / "a.npy")
    assert len(table.columns) == 6
    assert "3 × 2 values a row, in line" in table.notes
    records = np.array([(1, "ü"), (2, "b")], dtype=[("n", "i4"), ("t", "U2")])
    np.save(tmp_path / "r.npy", records)
    assert read_table(tmp_path / "r.npy").column("t").values.tolist() == ["ü", "b"]
    np.save(tmp_path / "one.npy", np.arange(5))
    assert read_table(tmp_path / "one.npy").names == ("x1",)


def test_npz_guesses_points_and_labels(tmp_path):
    random = np.random.default_rng(0)
    points = random.normal(size=(30, 4))
    np.savez(
        tmp_path / "a.npz", points=points, target=np.arange(30) % 3, weights=np.eye(9)
    )
    table = read_table(tmp_path / "a.npz")
    assert table.names == ("x1", "x2", "x3", "x4", "target")
    assert table.chosen == ("points", "target")
    assert table.parts == ("points", "target", "weights")
    chosen = read_table(tmp_path / "a.npz", options=ReadOptions(arrays=("weights",)))
    assert chosen.n == 9
    with pytest.raises(DataError, match="no usable array “w”; choose “points”"):
        read_table(tmp_path / "a.npz", options=ReadOptions(arrays=("w",)))


def test_npz_of_columns_side_by_side(tmp_path):
    np.savez(tmp_path / "a.npz", u=np.arange(5.0), v=np.ones(5), kind=list("aabbb"))
    table = read_table(tmp_path / "a.npz")
    assert table.names == ("u", "v", "kind")
    assert table.column("kind").values.tolist() == list("aabbb")


def test_npz_with_labels_of_another_length(tmp_path):
    np.savez(tmp_path / "a.npz", X=np.ones((4, 2)), y=np.arange(3))
    with pytest.raises(DataError, match="“y” has 3 values for 4 rows of “X”"):
        read_table(tmp_path / "a.npz", options=ReadOptions(arrays=("X", "y")))


@pytest.mark.parametrize("packed", [False, True])
def test_mat_by_scipy(tmp_path, packed):
    random = np.random.default_rng(0)
    points = random.normal(size=(25, 3))
    words = np.array([["up"], ["down"]], dtype=object)[np.arange(25) % 2]
    scipy.io.savemat(
        tmp_path / "a.mat",
        {"data": points, "labels": words, "note": "hello", "s": {"a": 1}},
        do_compression=packed,
    )
    table = read_table(tmp_path / "a.mat")
    np.testing.assert_array_equal(table.column("x2").values, points[:, 1])
    assert table.column("labels").values.tolist()[:3] == ["up", "down", "up"]


# scipy 1.18 announces that a sparse matrix will be read as a sparse array.
@pytest.mark.filterwarnings("ignore:The default value for .spmatrix.")
@pytest.mark.parametrize(
    "values",
    [
        np.arange(6, dtype=np.uint8).reshape(3, 2),
        np.arange(6, dtype=np.float32).reshape(3, 2),
        np.arange(6, dtype=np.int64).reshape(3, 2) - 3,
        np.array([[True, False], [False, True]]),
        scipy.sparse.csc_matrix(np.diag([1.0, 2.0, 0.0, 3.0])),
    ],
    ids=["uint8", "single", "int64", "logical", "sparse"],
)
def test_mat_types_as_scipy_reads_them(tmp_path, values):
    scipy.io.savemat(tmp_path / "a.mat", {"v": values})
    expected = scipy.io.loadmat(tmp_path / "a.mat")["v"]
    if scipy.sparse.issparse(expected):
        expected = expected.toarray()
    table = read_table(tmp_path / "a.mat")
    found = np.column_stack([column.values for column in table.columns])
    np.testing.assert_array_equal(found, expected)


def test_mat_with_samples_in_columns_and_text_rows(tmp_path):
    scipy.io.savemat(
        tmp_path / "a.mat",
        {"X": np.arange(12.0).reshape(2, 6), "y": np.array(list("ababab"))},
    )
    table = read_table(tmp_path / "a.mat", options=ReadOptions(arrays=("X",)))
    assert table.n == 2
    scipy.io.savemat(
        tmp_path / "b.mat", {"X": np.arange(12.0).reshape(2, 6), "y": np.arange(6)}
    )
    table = read_table(tmp_path / "b.mat")
    assert table.n == 6
    assert "columns are samples: turned" in table.notes


@pytest.mark.journey
def test_mat_complex_and_version_73_and_4(tmp_path):
    scipy.io.savemat(tmp_path / "c.mat", {"X": np.ones((3, 2)) * 1j})
    with pytest.raises(DataError, match=r"“X” of .* is complex"):
        read_table(tmp_path / "c.mat")
    (tmp_path / "h.mat").write_bytes(b"MATLAB 7.3 MAT-file".ljust(512, b" "))
    with pytest.raises(DataError, match="cut short"):
        read_table(tmp_path / "h.mat")
    scipy.io.savemat(tmp_path / "4.mat", {"X": np.ones((3, 2))}, format="4")
    with pytest.raises(DataError, match="MATLAB 4 file"):
        read_table(tmp_path / "4.mat")


def test_arff_as_scipy_reads_it(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text(
        "% made by hand\n@RELATION tests\n"
        "@ATTRIBUTE long_name REAL\n@attribute class {a, b}\n"
        "@attribute n integer\n@DATA\n1.5, a, 2\n?, b, 3\n% no\n2.5,?,4\n"
    )
    data, _ = scipy.io.arff.loadarff(path)
    table = read_table(path)
    assert table.names == ("long_name", "class", "n")
    np.testing.assert_array_equal(table.column("long_name").values, data["long_name"])
    assert table.column("class").values.tolist() == ["a", "b", None]
    assert table.column("class").kind == "text"


def test_arff_quotes_and_escapes(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text(
        "@relation q\n@attribute 'it\\'s long' numeric\n"
        "@attribute c {'b c', \"d\"}\n@attribute s string\n@data\n"
        "1, 'b c', 'x, y'\n2, d, 'it\\'s'\n"
    )
    table = read_table(path)
    assert table.names == ("it's long", "c", "s")
    assert table.column("c").values.tolist() == ["b c", "d"]
    assert table.column("s").values.tolist() == ["x, y", "it's"]


def test_arff_sparse_rows_and_numeric_classes(tmp_path):
    path = tmp_path / "a.arff"
    path.write_text(
        "@relation s\n@attribute x numeric\n@attribute y numeric\n"
        "@attribute c {0,1}\n@data\n{1 2.5, 2 1}\n{0 4}\n{}\n"
    )
    table = read_table(path)
    assert table.column("x").values.tolist() == [0, 4, 0]
    assert table.column("c").values.tolist() == ["1", "0", "0"]


@pytest.mark.parametrize("zero_based", [True, False])
def test_svmlight_by_sklearn(tmp_path, zero_based):
    random = np.random.default_rng(0)
    points = random.normal(size=(30, 6)) * (random.random((30, 6)) < 0.5)
    points[0, 0] = points[-1, -1] = 1.0
    labels = np.arange(30) % 3
    path = tmp_path / "a.svm"
    dump_svmlight_file(points, labels, str(path), zero_based=zero_based, comment="no")
    table = read_table(path)
    found = np.column_stack([column.values for column in table.columns[:-1]])
    np.testing.assert_allclose(found, points)
    np.testing.assert_array_equal(table.column("label").values, labels)


def test_svmlight_with_queries_and_several_labels(tmp_path):
    (tmp_path / "a.svm").write_text("1,2 qid:3 1:0.5 # one\n2 qid:3 3:2\n")
    table = read_table(tmp_path / "a.svm")
    assert table.column("label").values.tolist() == ["1,2", "2"]
    assert table.column("x3").values.tolist() == [0, 2]


def test_clipboard(frame):
    table = read_text(frame.to_csv(sep="\t", index=False))
    assert_same(table, frame)
    assert table.path is None
    assert table.name == "clipboard"
    table = read_text("höhe\tbreite\r\n1,5\t2\r\n2,5\t3\r\n")
    assert table.column("höhe").values.tolist() == [1.5, 2.5]
    with pytest.raises(DataError, match="is empty"):
        read_text("  \n")
