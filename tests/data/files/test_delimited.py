"""Text tables as they are found in the wild."""

import numpy as np
import pytest
from sklearn.datasets import load_digits

from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.resources import asset
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


@pytest.mark.parametrize(
    ("delimiter", "name"), [("\t", "tab"), (";", "semicolon"), (",", "comma")]
)
def test_blanks_inside_of_numbers_do_not_cut_them(delimiter, name):
    rows = [["a", "b", "c"], *([f"{i}", f"-{i}.5", f"1 {i:03d}"] for i in range(20))]
    table = read_text("".join(delimiter.join(row) + "\n" for row in rows))
    assert table.names == ("a", "b", "c")
    assert table.column("a").values.tolist() == list(range(20))
    assert f"columns separated by {name}" in table.notes


def spectra(rows=30, *, title="", names="id,class,400,418,436", cells="s{0},{1},{2}"):
    """Return a table of spectra whose names are wavelengths."""
    random = np.random.default_rng(0)
    values = [",".join(f"{v:.3f}" for v in row) for row in random.random((rows, 3))]
    lines = [cells.format(k, "abc"[k % 3], v) for k, v in enumerate(values)]
    return f"{title}{names}\n" + "\n".join(lines)


@pytest.mark.parametrize(
    ("text", "n"),
    [
        (spectra(), 30),
        (spectra(names="id,class,410,418,437"), 30),
        (spectra(names="400.5,401,401.5", cells="{2}"), 30),
        (spectra(names="country,2000,2001,2002", cells="land {0},{2}"), 30),
        (spectra(names="country,4,1,7", cells="{1},{2}"), 30),
        ("country,2000,2001\nA,5,6.5\nB,8,7\nC,9,4\n", 3),
        ("id,1,2,3\na,yes,no,no\nb,no,yes,no\nc,no,no,yes\nd,yes,yes,no\n", 4),
    ],
)
def test_numbers_that_are_names(text, n):
    table = read_text(text)
    assert (table.n, ",".join(table.names)) == (n, text.partition("\n")[0])
    assert table.top.reason.startswith("the first row (")
    assert table.options.header is True  # pinned, for whoever reads it again
    assert read_text(text, options=ReadOptions(header=False)).n == n + 1


@pytest.mark.parametrize(
    "text",
    [
        "0,1,2,3\n1,0,1,2\n2,1,0,1\n3,2,1,0\n",  # distances on a line
        "0,1,2,3\n4,5,6,7\n8,9,10,11\n",
        spectra(names="s,a,0.1,0.2,0.3", cells="s{0},{1},{2}"),
        "".join(",".join(f"{v:g}" for v in r) + "\n" for r in load_digits().data[:30]),
    ],
)
def test_numbers_that_are_a_row(text):
    table = read_text(text)
    assert table.n == len(text.splitlines())
    assert not table.top.reason


def test_three_numbers_that_rise_evenly_are_said_to_be_data():
    table = read_text("1,2,3\n4,1,7\n0,9,2\n")
    assert table.n == 3
    assert "is taken as data, although its numbers rise evenly" in table.top.reason


TITLED = "x,y,z\n1,2,3\n4,5,7\n0,3,3\n"


@pytest.mark.parametrize(
    ("title", "lines"),
    [
        ("Measured in 2020\n", 1),
        ("\nMeasured in 2020\n\nBy hand, twice\n", 4),
        ("Measured in 2020,,\n,,\n", 1),
        ("# comment\nMeasured\n", 2),
        ("Samples of Smith, Jones, Miller, and others\n", 1),
        ("Date,2020-01-01\nInstrument\n", 2),
    ],
)
def test_a_title_is_skipped_and_said(title, lines):
    table = read_text(title + TITLED)
    assert (table.names, table.n) == (("x", "y", "z"), 3)
    assert table.top.skip == table.options.skip == lines
    first = title.replace("# comment\n", "").strip().partition("\n")[0]
    assert f"above the table skipped (“{first[:30]}" in table.notes[1]
    again = read_text(title + TITLED, options=table.options)
    assert (again.names, again.n, again.top.title) == (table.names, 3, "")


@pytest.mark.parametrize(
    "text",
    ["a,b,,\n1,2,3,4\n5,6,7,8\n", "x\nr1,1\nr2,3\n", "u,v\nr1,1,2\nr2,3,4\n"],
)
def test_a_short_header_is_no_title(text):
    assert read_text(text).top.skip == 0
    assert read_text(text).names[:2] != ("x1", "x2")


def test_lines_are_skipped_as_they_stand_in_the_file():
    text = "one,two,three\n\n# no\n" + TITLED
    table = read_text(text, options=ReadOptions(skip=3))
    assert (table.names, table.n) == (("x", "y", "z"), 3)
    with pytest.raises(DataError, match="Line 8 of “clipboard” has 1 value where"):
        read_text(text + "5\n" + TITLED[6:], options=ReadOptions(skip=3, header=True))
    with pytest.raises(DataError, match="no lines to skip"):
        read_table(asset("data", "rings.parquet"), options=ReadOptions(skip=1))


def test_columns_that_are_samples():
    text = "Title\ngene;s1;s2;s3\nkind;a;b;a\ng1;1,5;;2\n7;5;6;1e-3\n"
    table = read_text(text, options=ReadOptions(transpose=True))
    assert table.names == ("name", "kind", "g1", "7")
    assert table.column("name").values.tolist() == ["s1", "s2", "s3"]
    assert table.column("kind").values.tolist() == ["a", "b", "a"]
    np.testing.assert_array_equal(table.column("g1").values, [1.5, np.nan, 2])
    np.testing.assert_array_equal(table.column("7").values, [5, 6, 1e-3])
    assert table.key != read_text(text).key
    bare = read_text("1,2,3\n4,5,7\n", options=ReadOptions(transpose=True, sample=2))
    assert (bare.names, bare.n) == (("x1", "x2"), 2)
    assert bare.row_numbers is not None
    with pytest.raises(DataError, match="but one column"):
        read_text("a\n1\n2\n", options=ReadOptions(transpose=True))


@pytest.mark.parametrize(
    ("text", "names", "cell"),
    [
        ('"x\\"y, z",b\n1,u\n2,v\n', ('x"y, z', "b"), "u"),
        ('a,b\n1,"x\\"y, z"\n2,v\n', ("a", "b"), 'x"y, z'),
        ('a,b\n1,"x\\"y"\n2,v\n', ("a", "b"), 'x"y'),
        ('a,b\n1,"C:\\"\n2,v\n', ("a", "b"), "C:\\"),
        ('a,b\n1,"x""y\\n, z"\n2,v\n', ("a", "b"), 'x"y\\n, z'),
    ],
)
def test_backslashes_before_quotation_marks(text, names, cell):
    table = read_text(text)
    assert table.names == names
    assert table.columns[1].values[0] == cell


def test_separators_that_are_none():
    assert read_text("sep=\r\na;b\n1;2\n3;4\n").names == ("a", "b")
    table = read_text("a;b\n1,5;2,5\n1,\x1f5;2,5\n3,5;4,5\n")
    assert table.column("a").values[1] == "1,\x1f5"
    assert table.column("b").values.tolist() == [2.5, 2.5, 4.5]


def test_a_header_can_be_insisted_on_or_denied_and_repeats_are_noted():
    text = "2001,2002\n1,2\n3,4\n"
    assert read_text(text, options=ReadOptions(header=True)).names == ("2001", "2002")
    assert read_text("a,b\n1,2\n", options=ReadOptions(header=False)).n == 2
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
    lines = [f"00{k},{k}" for k in range(12_000)]
    lines[11_000] = "oops,11000"
    (tmp_path / "a.csv").write_text("code,k\n" + "\n".join(lines) + "\n")
    table = read_table(tmp_path / "a.csv")
    assert table.column("code").values[7] == "007"
    assert table.column("code").values[11_000] == "oops"
    assert table.column("code").numbers[7] == 7
    assert table.column("k").kind == "number"


def test_gaps_deep_in_a_file_of_numbers(tmp_path):
    lines = [f"{k},{k / 8}" for k in range(12_000)]
    lines[11_000] = ",1"
    (tmp_path / "a.csv").write_text("\n".join(lines))
    table = read_table(tmp_path / "a.csv")
    assert np.isnan(table.columns[0].values[11_000])
    assert table.columns[1].values[11_999] == 11_999 / 8
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


@pytest.mark.journey
def test_bytes_late_in_the_file_that_are_no_utf8(tmp_path):
    text = b"a,b\n" + b"1,x\n" * 30_000 + b"2,\xe9\n"
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
        ('a,b\n1,2\n3,"4\n' + "5,6\n" * 40_000, "quotation mark"),
        ("a,b\n", "no rows of data"),
        ("a,b\n1,\0\n", "binary data"),
    ],
)
def test_broken_lines_are_named(text, message):
    with pytest.raises(DataError, match=message):
        read_text(text)


def test_a_ragged_line_far_down_is_named(tmp_path):
    lines = ["1,2,3"] * 12_000
    lines[11_233] = "1,2"
    (tmp_path / "a.csv").write_text("\n".join(lines))
    with pytest.raises(DataError, match=r"Line 11,234 of .* has 2 values"):
        read_table(tmp_path / "a.csv")


@pytest.mark.journey
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
