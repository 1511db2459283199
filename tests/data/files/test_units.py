"""A unit of a whole column moves into its name; several units are no numbers."""

import numpy as np
import pandas as pd
import pytest

from kpca_viewer.data.files import ReadOptions, read_table, read_text
from kpca_viewer.data.files.units import quantity, with_unit
from kpca_viewer.data.importing import guess_import
from kpca_viewer.data.parts.sampling import sampled_parts


@pytest.mark.parametrize(
    ("cell", "number", "unit"),
    [
        ("12.5 %", "12.5", "%"),
        ("12,5%", "12,5", "%"),
        ("$1,200", "1,200", "$"),
        ("-$1,200.50", "-1,200.50", "$"),
        ("($3)", "-3", "$"),
        ("1.200,50 €", "1.200,50", "€"),
        ("EUR 5", "5", "EUR"),
        ("5 USD", "5", "USD"),
        ("−4 °C", "−4", "°C"),
        ("3cm", "3", "cm"),
        ("1e3 mg/dL", "1e3", "mg/dL"),
        ("5 m²", "5", "m²"),
        ("1 year", "1", "years"),
        ("120 mmHg", "120", "mmHg"),
    ],
)
def test_a_number_with_a_unit(cell, number, unit):
    assert quantity(cell) == (number, unit)


@pytest.mark.parametrize(
    "cell", ["3A", "3 apples", "5 pm", "2nd", "12", "cm", "1 of 3", "3 cm 2", "9" * 99]
)
def test_what_has_no_unit(cell):
    assert quantity(cell) is None


@pytest.mark.parametrize(
    ("name", "unit", "told"),
    [
        ("price", "$", "price [$]"),
        ("price [$]", "$", "price [$]"),
        ("price (USD)", "$", "price (USD)"),
        ("weight_kg", "kg", "weight_kg"),
        ("Share in %", "%", "Share in %"),
        ("percent", "%", "percent"),
        ("time in s", "in", "time in s [in]"),
    ],
)
def test_a_name_has_its_unit_once(name, unit, told):
    assert with_unit(name, unit) == told


@pytest.mark.parametrize(
    "text",
    [
        'share,price,size\n12.5 %,"$1,200.50",3 cm\n7%,$900,4 cm\n8 %,,2.5 cm\n'
        "9 %,$1,2 cm\n",
        "share;price;size\n12,5 %;$1.200,50;3 cm\n7%;$900;4 cm\n8 %;;2,5 cm\n"
        "9 %;$1;2 cm\n",
    ],
)
def test_units_leave_numbers_as_their_file_writes_them(text):
    table = read_text(text)
    assert table.names == ("share [%]", "price [$]", "size [cm]")
    assert {column.kind for column in table.columns} == {"number"}
    values = np.column_stack([column.values for column in table.columns])
    wanted = [[12.5, 1200.5, 3], [7, 900, 4], [8, np.nan, 2.5], [9, 1, 2]]
    np.testing.assert_array_equal(values, wanted)
    assert any("units stay in the names: “share [%]”" in note for note in table.notes)
    assert set(dict(guess_import(table).roles).values()) == {"feature"}
    assert table.column("price").name == "price [$]"


def test_three_digits_of_money_are_thousands_until_somebody_says_otherwise():
    table = read_text("a;b\n1.200 €;1\n3.400 €;2\n5.600 €;4\n")
    assert table.column("a").values.tolist() == [1200, 3400, 5600]
    assert table.questions[0].thousands


def test_thousands_that_may_be_decimals_are_asked_about():
    (question,) = read_text('a,b\n"$1,200",1\n"$3,400",2\n"$5,600",4\n').questions
    assert (question.column, question.thousands) == ("a [$]", True)
    options = ReadOptions(decimals=(("a [$]", ","),))
    again = read_text('a,b\n"$1,200",1\n"$3,400",2\n"$5,600",4\n', options=options)
    assert again.column("a [$]").values.tolist() == [1.2, 3.4, 5.6]


@pytest.mark.parametrize("odd", ["2 in", "2"])
def test_several_units_stay_text_and_that_is_said(odd):
    table = read_text(f"size,x\n3 cm,1\n{odd},2\n4 cm,3\n")
    column = table.column("size")
    assert (column.kind, column.numbers) == ("text", None)
    assert column.values.tolist() == ["3 cm", odd, "4 cm"]
    assert f"“size” holds “3 cm” and “{odd}”: no common unit, so it stays text" in (
        table.notes
    )


def test_an_odd_cell_beside_units_is_one_beside_numbers():
    column = read_text("x,size\n1,3 cm\n2,lost\n4,5 cm\n5,6 cm\n").columns[1]
    assert column.name == "size [cm]"
    np.testing.assert_array_equal(column.numbers, [3, np.nan, 5, 6])


def test_units_tell_a_header_from_rows():
    assert read_text("3 cm,5 kg\n4 cm,6 kg\n5 cm,7 kg\n").n == 3
    assert read_text("10 mg,20 mg\n1.5,2.5\n3.5,4.5\n").names == ("10 mg", "20 mg")
    assert read_text("a;b\n3 cm;4 cm\n5 cm;7 cm\n").names == ("a [cm]", "b [cm]")


def test_another_column_may_have_the_name_already():
    table = read_text("size,size [cm]\n3 cm,7\n4 cm,8\n")
    assert table.names == ("size [cm] (2)", "size [cm]")


def test_an_age_in_years_is_no_year():
    table = read_text("age,x\n31 years,1.5\n42 years,2.5\n1 year,3.5\n")
    assert dict(guess_import(table).roles)["age [years]"] == "feature"


@pytest.mark.parametrize("ending", ["xlsx", "parquet", "json"])
def test_every_format_knows_units(tmp_path, ending):
    path = tmp_path / f"a.{ending}"
    frame = pd.DataFrame({"price": ["$1,200.5", "$3", "$4"], "x": [1.5, 2.5, 3.5]})
    if ending == "xlsx":
        frame.to_excel(path, index=False)
    else:
        getattr(frame, f"to_{ending}")(path)
    assert read_table(path).column("price [$]").values.tolist() == [1200.5, 3, 4]


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_a_part_without_any_value_has_the_unit_of_the_others(tmp_path, ending):
    for number, cells in enumerate((["3 cm", "4 cm"], [None, None], ["5 cm", "6 cm"])):
        frame = pd.DataFrame({"size": cells, "x": [1.5, 2.5]})
        path = tmp_path / f"{number}.{ending}"
        if ending == "csv":
            frame.to_csv(path, index=False)
        else:
            frame.astype({"size": "string"}).to_parquet(path)
    table = sampled_parts(tmp_path, ReadOptions(parts=()))
    values = table.column("size [cm]").values
    np.testing.assert_array_equal(values, [3, 4, np.nan, np.nan, 5, 6])


@pytest.mark.parametrize(
    "text",
    ["a,b\n−1.5,2\n−2.5,−3\n", "a;b\n−1,5;2\n−2,5;−3\n", "a b\n‒1.5 2\n−2.5 −3\n"],
)
def test_a_printed_minus_is_a_minus(text):
    table = read_text(text)
    assert [column.values.tolist() for column in table.columns] == [
        [-1.5, -2.5],
        [2.0, -3.0],
    ]
