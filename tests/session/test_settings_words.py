"""Every step of the history reads like a sentence of the window, not like code."""

from dataclasses import fields, replace

import pytest

from kpca_viewer.data.drawn import Drawn
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.rows.row_set import Excluded, RowSet
from kpca_viewer.engine.settings import (
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.text.undo_titles import WORDS, describe_change
from tests.session.changes import START, changed

PARTS = [field.name for field in fields(START)]
FIELDS = [(part, f.name) for part in PARTS for f in fields(getattr(START, part))]

OTHER = {
    "values": (("noise", 0.1),),
    "scaling": "standardise",
    "importing": ImportSettings(),
    "groups": (RowGroup("group", "odd", RowSet(8, b"\x80")),),
    "excluded": Excluded(RowSet(8, b"\x80")),
    "drawn": Drawn(),
    "family": "laplacian",
    "solver": "dense",
    "axes": (1, 0, 2),
    "data_axes": (1, 0, 2),
    "color_by": "component:0",
    "spectrum": "log",
    "flipped": (0,),
    "linear_flipped": (1,),
    "lift": "square",
    "lift_axes": (2, 1, 3),
    "raised": 0.5,
    "pair": ((1.0, 2.0), (0.5, -1.0)),
    "columns": "groups",
    "columns_of": 1,
    "column_units": "original",
    "compared": (0, -1),
    "column": 2,
    "arrows": "field",
    "preimage": "ridge",
    "held": "mean",
    "image_size": (8, 8),
}
"""Another value where the type alone does not give one."""


def coloured(key):
    return changed("view", color_by=key)


def another(part, name):
    if name in OTHER:
        return OTHER[name]
    value = getattr(getattr(START, part), name)
    if isinstance(value, bool):
        return not value
    return f"{value} again" if isinstance(value, str) else value + 1


@pytest.mark.parametrize(("part", "name"), FIELDS)
def test_every_field_has_a_word(part, name):
    assert name in WORDS, f"say in WORDS what a person calls {part}.{name}"
    text = describe_change(START, changed(part, **{name: another(part, name)}))
    assert text != "nothing"
    assert "_" not in text
    assert ":" not in text
    if name != "values":
        assert text.startswith(WORDS[name])


def test_no_word_is_left_from_a_field_that_is_gone():
    assert set(WORDS) == {name for _, name in FIELDS}


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [
        ("label", "component:0", "colour by class → PC 1"),
        ("component:11", "feature:2", "colour by PC 12 → feature 3"),
        ("feature:0", "column:tube angle", "colour by feature 1 → tube angle"),
        ("column:a:b", "none", "colour by a:b → nothing"),
        ("none", "label", "colour by nothing → class"),
        ("label", "component:x", "colour by class → component:x"),
        ("label", "column:", "colour by class → column:"),
    ],
)
def test_colours_are_named_as_in_the_sidebar(old, new, text):
    assert describe_change(coloured(old), coloured(new)) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"cumulative": False}, "cumulative line off"),
        ({"motion": False}, "animation off"),
        ({"fills": True}, "fill the panel on"),
        ({"point_size": 4.25}, "point size 7 → 4.25"),
    ],
)
def test_the_view_is_named_as_in_the_window(values, text):
    assert describe_change(START, changed("view", **values)) == text


@pytest.mark.parametrize(
    ("family", "name", "symbol"),
    [
        ("rbf", "gamma", "γ"),
        ("poly", "degree", "p"),
        ("sigmoid", "coef0", "c"),
        ("matern", "nu", "ν"),
        ("matern", "length_scale", "ℓ"),
        ("rational_quadratic", "mixture", "a"),
    ],
)
def test_kernel_parameters_go_by_their_symbol(family, name, symbol):
    old, new = (
        SessionSettings(kernel=KernelSettings(family, as_values({name: value})))
        for value in (0.5, 2.5)
    )
    assert describe_change(old, new) == f"{symbol} 0.5 → 2.5"


@pytest.mark.parametrize(
    ("name", "old", "new", "text"),
    [
        ("axes", (0, 1, 2), (3, 1, 2), "x axis PC 1 → PC 4"),
        ("axes", (0, 1, 2), (1, 0, 2), "axes PC 1, 2, 3 → PC 2, 1, 3"),
        ("data_axes", (0, 1, 2), (0, 4, 2), "y axis of the data feature 2 → feature 5"),
        ("data_axes", None, (0, 1, 3), "axes of the data automatic → feature 1, 2, 4"),
    ],
)
def test_axes_are_named_and_counted_from_one(name, old, new, text):
    steps = (changed("view", **{name: value}) for value in (old, new))
    assert describe_change(*steps) == text


@pytest.mark.parametrize(
    ("values", "text"),
    [
        ({"roles": (("a", "feature"), ("b", "label"))}, "“b” feature → label"),
        ({"missing": "median"}, "gaps left out → filled"),
    ],
)
def test_columns_of_a_file_are_named(values, text):
    first = ImportSettings((("a", "feature"), ("b", "feature")))
    old, new = (
        changed("data", importing=importing)
        for importing in (first, replace(first, **values))
    )
    assert describe_change(old, new) == f"columns of the file, {text}"
