"""Text tables as they are found in the wild."""

import numpy as np
import pytest

from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.support.errors import DataError


@pytest.mark.parametrize(
    ("text", "delimiter"),
    [
        ("a,b\n1.5,2\n3,4.5\n", "comma"),
        ("a;b\n1,5;2\n3;4,5\n", "semicolon"),
        ("a\tb\n1,5\t2\n3\t4,5\n", "tab"),
        ("a|b\n1.5|2\n3|4.5\n", "bar"),
        ("  a    b\n  1.5  2\n  3    4.5\n", "blanks"),
        ("a, b\n1.5, 2\n3, 4.5\n", "comma"),
        ("sep=;\na;b\n1,5;2\n3;4,5\n", "semicolon"),
        ('a,b\n"1,5","2"\n"3","4,5"\n', "comma"),
        ("a,b\r1.5,2\r3,4.5\r", "comma"),
        ("a,b,\n1.5,2,\n3,4.5,\n", "comma"),
        ("a,b\n\n1.5,2\n\n3,4.5\n\n", "comma"),
        ("# note, one\n# note\na,b\n1.5,2\n3,4.5\n", "comma"),
        ("a,b\n1.5,2\n% middle\n3,4.5", "comma"),
    ],
)
def test_delimiters(text, delimiter):
    table = read_text(text)
    assert table.names == ("a", "b")
    assert table.column("a").values.tolist() == [1.5, 3]
    assert table.column("b").values.tolist() == [2, 4.5]
    assert f"columns separated by {delimiter}" in table.notes


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("1,2\n3,4\n", ("x1", "x2")),
        ("x,1\na,2\nb,3\n", ("x1", "x2")),
        ("name,size\na,2\nb,3\n", ("name", "size")),
        ("first,second\na,b\nc,d\n", ("first", "second")),
        ("a,b\na,c\nb,c\n", ("x1", "x2")),
        (",0,1\n0,5,6\n1,7,8\n", ("column 1", "0", "1")),
        ("x,x,x\n1,2,3\n", ("x", "x (2)", "x (3)")),
        ("x,x (2),x\n1,2,3\n", ("x", "x (2)", "x (3)")),
        ("u v\nr1 1 2\nr2 3 4\n", ("name", "u", "v")),
        ("a\nb\n", ("a",)),
    ],
)
def test_headers(text, names):
    assert read_text(text).names == names


def test_a_header_can_be_insisted_on_or_denied():
    text = "2001,2002\n1,2\n3,4\n"
    assert read_text(text, options=ReadOptions(header=True)).names == ("2001", "2002")
    assert read_text("a,b\n1,2\n", options=ReadOptions(header=False)).n == 2


def test_repeated_names_are_noted():
    notes = read_text("x,x\n1,2\n3,4\n").notes
    assert "repeated column names made unique: “x (2)”" in notes


def test_missing_values_and_thousands():
    table = read_text('a;b\nNA;"1,234.5"\n;2.5\n?;3.5\n1.5;-\n')
    np.testing.assert_array_equal(table.column("a").values, [np.nan] * 3 + [1.5])
    np.testing.assert_array_equal(table.column("b").values, [1234.5, 2.5, 3.5, np.nan])
    table = read_text("a;b\n1.234,5;1\n2,5;2\n")
    assert table.column("a").values.tolist() == [1234.5, 2.5]
    table = read_text("a,b\n1,x\nmiss,y\n", options=ReadOptions(na_values=("miss",)))
    assert table.column("a").missing == 1


@pytest.mark.parametrize("cell", ["1_000", "0x1F", "1 2", "--1", "1.2.3"])
def test_what_only_looks_like_a_number_is_text(cell):
    table = read_text(f"a,b\n{cell},1\n2,2\n3,3\n")
    assert table.column("a").kind == "text"
    assert table.column("a").values.tolist() == [cell, "2", "3"]


def test_odd_cells_keep_the_numbers_beside_them():
    column = read_text("a,b\n1.50,x\noops,x\n007,y\n").column("a")
    assert column.values.tolist() == ["1.50", "oops", "007"]
    np.testing.assert_array_equal(column.numbers, [1.5, np.nan, 7])


def test_text_deep_in_a_file_keeps_what_was_written(tmp_path):
    lines = [f"00{k},{k}" for k in range(30_000)]
    lines[25_000] = "oops,25000"
    (tmp_path / "a.csv").write_text("code,k\n" + "\n".join(lines) + "\n")
    table = read_table(tmp_path / "a.csv")
    assert table.column("code").values[7] == "007"
    assert table.column("code").values[25_000] == "oops"
    assert table.column("code").numbers[7] == 7
    assert table.column("k").kind == "number"


def test_gaps_deep_in_a_file_of_numbers(tmp_path):
    lines = [f"{k},{k / 8}" for k in range(30_000)]
    lines[25_000] = ",1"
    (tmp_path / "a.csv").write_text("\n".join(lines))
    table = read_table(tmp_path / "a.csv")
    assert np.isnan(table.columns[0].values[25_000])
    assert table.columns[1].values[29_999] == 29_999 / 8
    assert table.columns[0].missing == 1


def test_columns_of_a_matrix_share_one_block():
    table = read_text("1,2\n3,4\n")
    first, second = table.columns
    assert first.values.base is second.values.base
    assert not first.values.flags.writeable


@pytest.mark.parametrize(
    ("encoding", "note"),
    [
        ("utf-8", None),
        ("utf-8-sig", "encoding utf-8-sig"),
        ("utf-16", "encoding utf-16"),
        ("utf-16-le", "encoding utf-16-le"),
        ("utf-16-be", "encoding utf-16-be"),
        ("latin-1", "encoding latin-1"),
    ],
)
def test_encodings(tmp_path, encoding, note):
    text = "größe;name\n" + "".join(f"{k},5;Zoë\n" for k in range(50))
    (tmp_path / "a.csv").write_bytes(text.encode(encoding))
    table = read_table(tmp_path / "a.csv")
    assert table.names == ("größe", "name")
    assert table.column("name").values[3] == "Zoë"
    assert [n for n in table.notes if "encoding" in n] == ([note] if note else [])


def test_bytes_late_in_the_file_that_are_no_utf8(tmp_path):
    text = b"a,b\n" + b"1,x\n" * 100_000 + b"2,\xe9\n"
    (tmp_path / "a.csv").write_bytes(text)
    table = read_table(tmp_path / "a.csv")
    assert table.column("b").values[-1] == "é"
    assert table.notes.count("columns separated by comma") == 1


@pytest.mark.parametrize("encoding", ["ascii", "utf-16"])
def test_a_wrong_encoding_that_was_asked_for(tmp_path, encoding):
    (tmp_path / "a.csv").write_text("ä,b\n1,2\n", encoding="utf-8")
    with pytest.raises(DataError, match="choose another encoding"):
        read_table(tmp_path / "a.csv", options=ReadOptions(encoding=encoding))


@pytest.mark.parametrize("encoding", ["martian", "base64", "a\0b"])
def test_an_encoding_that_does_not_exist(tmp_path, encoding):
    (tmp_path / "a.csv").write_text("a,b\n1,2\n")
    with pytest.raises(DataError, match="not a text encoding"):
        read_table(tmp_path / "a.csv", options=ReadOptions(encoding=encoding))


@pytest.mark.parametrize("delimiter", ["", "ab", '"', "\n"])
def test_a_delimiter_that_cannot_be_one(delimiter):
    with pytest.raises(DataError, match="cannot separate columns"):
        read_text("a,b\n1,2\n", options=ReadOptions(delimiter=delimiter))


def test_quoted_cells_with_delimiters_and_lines():
    table = read_text('t,v\n"a, ""b""\nc",1\nd,2\n')
    assert table.column("t").values.tolist() == ['a, "b"\nc', "d"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a,b\n1,2\n3,4\n5\n6,7\n", "Line 4 of “clipboard” has 1 value where"),
        ("a,b\n1,2\n3,4\n5,6,7\n", "Line 4 of “clipboard” has 3 values where"),
        ("# c\na,b\n\n1,2\n3\n4,5\n6,7\n", "Line 5 of “clipboard” has 1 value"),
        ("a,b,c,d\n1,2\n3,4\n", "The header of “clipboard” has 4 names but the rows"),
        ('a,b\n1,2\n3,"4\n' + "5,6\n" * 50_000, "quotation mark"),
        ("a,b\n", "no rows of data"),
        ("a,b\n1,\0\n", "binary data"),
    ],
)
def test_broken_lines_are_named(text, message):
    with pytest.raises(DataError, match=message):
        read_text(text)


def test_a_ragged_line_far_down_is_named(tmp_path):
    lines = ["1,2,3"] * 50_000
    lines[41_233] = "1,2"
    (tmp_path / "a.csv").write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"Line 41,234 of .* has 2 values"):
        read_table(tmp_path / "a.csv")


def test_first_rows_and_a_sample(tmp_path):
    path = tmp_path / "a.csv"
    path.write_text("k,t\n" + "".join(f"{k},w{k}\n" for k in range(20_000)))
    first = read_table(path, options=ReadOptions(max_rows=10))
    assert first.column("k").values.tolist() == list(range(10))
    assert "first 10 rows only" in first.notes
    sample = read_table(path, options=ReadOptions(sample=500, seed=3))
    again = read_table(path, options=ReadOptions(sample=500, seed=3))
    values = sample.column("k").values
    np.testing.assert_array_equal(values, again.column("k").values)
    assert "random sample of 500 of 20,000 rows" in sample.notes
    assert (np.diff(values) > 0).all()
    assert 8_000 < values.mean() < 12_000
    assert sample.row_number(7) == values[7] + 1
    assert sample.column("t").values[7] == f"w{values[7]:.0f}"
    assert read_table(path, options=ReadOptions(sample=30_000)).row_numbers is None
