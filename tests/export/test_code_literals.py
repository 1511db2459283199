"""Literals of a script: the same values, in lines that can be read."""

import ast

import pytest

from kpca_viewer.export.text import WIDTH, literal, quoted


@pytest.mark.parametrize(
    "value",
    [
        "plain",
        'with "quotes" and \\',
        (),
        ("one",),
        ["a", "b"],
        [f"column {j}" for j in range(40)],
        tuple((f"a rather long name of column {j} [µmol/L]", "name") for j in range(9)),
        {f"class {j}": j for j in range(30)},
        {"a": 0},
    ],
)
def test_they_are_the_same_values(value):
    text = literal(value, taken=12, indent=4)
    assert ast.literal_eval(text) == value
    assert max(map(len, text.splitlines())) <= WIDTH


def test_a_line_is_left_whole_where_it_fits():
    assert literal(["a", "b"], 10) == '["a", "b"]'
    assert quoted(("a", 1)) == '("a", 1)'


def test_pairs_stand_below_each_other():
    roles = (("alcohol", "feature"), ("class", "label"), ("x" * 60, "ignore"))
    assert literal(roles, 6, 4).splitlines() == [
        "(",
        '        ("alcohol", "feature"),',
        '        ("class", "label"),',
        f'        ("{"x" * 60}", "ignore"),',
        "    )",
    ]
