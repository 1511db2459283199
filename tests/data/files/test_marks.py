"""Thousands are told from decimals by whole columns; what cannot be told is asked."""

import pytest

from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.data.files.marks import says


@pytest.mark.parametrize(
    ("cell", "mark"),
    [
        ("1,234", "?,"),
        ("-12.345", "?."),
        ("1,5", ","),
        ("0,123", ","),
        ("1234,567", ","),
        ("1,234e5", ","),
        ("1.5", "."),
        ("1,234,567", "."),
        ("1.234.567", ","),
        ("1,234.5", "."),
        ("1.234,5", ","),
        ("1234", ""),
        ("1,2,3", ""),
        ("12.05.2024", ""),
        ("1,2x", ""),
        ("1A.", ""),
        ("9" * 50_000 + "," + "9" * 50_000, ""),
    ],
)
def test_what_a_cell_says(cell, mark):
    assert says(cell) == mark


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ('a,b\n"1,234",1.5\n"5,678",2\n', [1234, 5678]),  # points are decimals
        ('a,b\n"1,234",1\n"5,678,901",2\n', [1234, 5678901]),  # two commas
        ('a,b\n"1,234",1\n"5,67",2\n', [1.234, 5.67]),  # no group of three
        ("a\tb\n1,234\t0,5\n5,678\t2\n", [1.234, 5.678]),  # the other column
        ("a\tb\n0,123\t1\n5,678\t2\n", [0.123, 5.678]),  # no group begins with 0
        ("a;b\n1.234;1\n9.99;2,5\n", [1.234, 9.99]),  # each column by itself
        ("a;b\n1.234,5;1\n999;2\n", [1234.5, 999]),
        ("a,b\n1.234,1\n9.999,2\n", [1.234, 9.999]),  # as everywhere
        ("a,b\n1'234,1\n9'999.5,2\n", [1234, 9999.5]),
        ("a;b\n1\u202f234,5;1\n999;2\n", [1234.5, 999]),
    ],
)
def test_columns_that_tell(text, values):
    table = read_text(text)
    assert table.column("a").values.tolist() == values
    assert not table.questions


@pytest.mark.parametrize(
    ("text", "taken", "other", "words"),
    [
        (
            'a,b\n"1,234",1\n"5,678",2\n',
            [1234, 5678],
            [1.234, 5.678],
            "“1,234” in “a” read as 1234 (thousands)",
        ),
        (
            "a\tb\n999\t1\n5,678\t2\n",
            [999, 5678],
            [999, 5.678],
            "“5,678” in “a” read as 5678 (thousands)",
        ),
        (
            "a;b\n1,234;1\n999;2\n",
            [1.234, 999],
            [1234, 999],
            "“1,234” in “a” read as 1.234 (decimals)",
        ),
        (
            "a;b\n1.234;1,5\n999;2\n",
            [1234, 999],
            [1.234, 999],
            "“1.234” in “a” read as 1234 (thousands)",
        ),
        (
            "a;b\n1.234;1\n999;2\n",
            [1.234, 999],
            [1234, 999],
            "“1.234” in “a” read as 1.234 (decimals)",
        ),
    ],
)
def test_columns_that_do_not_tell_are_asked_about(text, taken, other, words):
    table = read_text(text)
    assert table.column("a").values.tolist() == taken
    (question,) = table.questions
    assert str(question) == words
    assert not question.answered
    answer = table.answered(question.mark, thousands=not question.thousands)
    assert answer.column("a").values.tolist() == other
    assert answer.column("b") is table.column("b")
    assert answer.questions[0].answered
    # Read again with what was said, it is the same table.
    again = read_text(text, options=answer.options)
    assert again.column("a").values.tolist() == other
    assert again.questions[0].answered
    assert again.answered(question.mark, thousands=question.thousands).column(
        "a"
    ).values.tolist() == (taken)


@pytest.mark.journey
def test_the_whole_column_decides_not_its_first_rows(tmp_path):
    path = tmp_path / "a.tsv"
    rows = [f"{k % 900}\t{k}\t{1 + k % 9},234" for k in range(9_000)]
    rows[8_000] = "1,234\t5\t1,234"
    rows[8_500] = "7\t5\t1,5"
    path.write_text("a\tb\tc\n" + "\n".join(rows))
    table = read_table(path)
    assert table.column("c").values[0] == 1.234
    # What the third column says about commas holds for the whole file.
    assert table.column("a").values[8_000] == 1.234
    assert not table.questions
    rows[8_500] = "7\t5\t1,500"
    path.write_text("a\tb\tc\n" + "\n".join(rows))
    table = read_table(path)
    assert table.column("c").values[0] == 1234
    assert [question.column for question in table.questions] == ["a", "c"]


def test_one_mark_for_the_whole_file_by_request():
    text = "a\tb\n1,234\t5,678\n999\t1\n"
    table = read_text(text, options=ReadOptions(decimal=","))
    assert table.column("b").values.tolist() == [5.678, 1]
    assert not table.questions


def test_a_requested_mark_wins_over_other_columns_where_a_cell_can_have_it():
    text = "a\tversion\n1,234\t2.1\n5,678\t2.2\n"
    assert read_text(text).column("a").values.tolist() == [1234, 5678]
    table = read_text(text, options=ReadOptions(decimal=","))
    assert table.column("a").values.tolist() == [1.234, 5.678]
    assert table.column("version").values.tolist() == [2.1, 2.2]


@pytest.mark.parametrize("ending", ["json", "parquet", "xlsx"])
def test_text_in_other_formats_is_asked_about_alike(tmp_path, ending):
    import pandas as pd

    frame = pd.DataFrame({"a": ["1,234", "5,678"], "b": [1, 2]})
    path = tmp_path / f"a.{ending}"
    if ending == "json":
        frame.to_json(path, orient="records")
    elif ending == "parquet":
        frame.to_parquet(path)
    else:
        frame.to_excel(path, index=False)
    table = read_table(path)
    assert table.column("a").values.tolist() == [1234, 5678]
    assert [question.cell for question in table.questions] == ["1,234"]
