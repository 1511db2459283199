"""Every step of the history reads like a sentence of the window, not like code."""

from dataclasses import fields, replace

import pytest

from kpca_viewer.data.drawn import Drawn
from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.rows.row_set import Excluded, RowSet
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.engine.text.undo_titles import WORDS, describe_change
from tests.session.changes import START, changed

PARTS = [field.name for field in fields(START)]
FIELDS = [(part, f.name) for part in PARTS for f in fields(getattr(START, part))]

OTHER = {
    "opacity": 0.4,
    "values": (("noise", 0.1),),
    "scaling": "standardise",
    "column_scaling": (("x1", "robust"),),
    "importing": ImportSettings(),
    "groups": (RowGroup("group", "odd", RowSet(8, b"\x80")),),
    "excluded": Excluded(RowSet(8, b"\x80")),
    "drawn": Drawn(),
    "family": "laplacian",
    "kept": ("gamma",),
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


def kernel(family="rbf", **values):
    return SessionSettings(kernel=KernelSettings(family, as_values(values)))


def data(source="circles", **values):
    return SessionSettings(data=DataSettings(source, as_values(values)))


def view(**values):
    return changed("view", **values)


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
        (kernel(gamma=10), kernel(gamma=12.5), "γ 10 → 12.5"),
        (START, kernel(gamma=0.123456), "γ suggested → 0.1235"),
        (kernel(gamma=1000), START, "γ 1000 → suggested"),
        (kernel("poly", degree=3), kernel("poly", degree=4), "p 3 → 4"),
        (kernel("poly", degree=3), kernel("poly", coef0=2), "c suggested → 2"),
        (START, kernel("laplacian"), "kernel RBF (Gaussian) → Laplacian"),
        (START, kernel("mystery"), "kernel RBF (Gaussian) → mystery"),
        (kernel("mystery"), kernel("mystery", gamma=1), "gamma suggested → 1"),
        (START, kernel(nonsense=1), "nonsense suggested → 1"),
        (START, data("moons"), "data Circles → Moons"),
        (START, data("my file"), "data Circles → my file"),
        (START, data(samples=20_000), "samples 400 → 20000"),
        (data(noise=0.1), START, "noise 0.1 → 0.05"),
        (START, data(turns=2), "turns suggested → 2"),
        (data("my file"), data("my file", noise=1), "noise suggested → 1"),
        (changed("analysis", center=False), START, "centring on"),
        (view(color_by="component:11"), START, "colour by PC 12 → class"),
        (
            view(color_by="feature:0"),
            view(color_by="none"),
            "colour by feature 1 → nothing",
        ),
        (view(color_by="column:a:b"), START, "colour by a:b → class"),
        (view(axes=(3, 1, 2)), START, "x axis PC 4 → PC 1"),
        (
            view(data_axes=(0, 1, 2)),
            view(data_axes=(0, 4, 2)),
            "y axis of the data feature 2 → feature 5",
        ),
        (START, START, "nothing"),
    ],
)
def test_a_step_has_a_name(old, new, text):
    assert describe_change(old, new) == text


@pytest.mark.parametrize(
    ("part", "values", "text"),
    [
        ("data", {"seed": 123456}, "seed 0 → 123456"),
        (
            "data",
            {"scaling": "standardise"},
            "scaling as they are → standardise columns",
        ),
        ("data", {"scaling": "odd"}, "scaling as they are → odd"),
        ("analysis", {"center": False}, "centring off"),
        ("analysis", {"normalised": False}, "division by √μ off"),
        ("analysis", {"centers_new": False}, "centring of new points off"),
        ("analysis", {"components": 4}, "components 10 → 4"),
        ("analysis", {"solver": "dense"}, "solver auto → dense"),
        ("view", {"axes": (1, 0, 2)}, "axes PC 1, 2, 3 → PC 2, 1, 3"),
        (
            "view",
            {"data_axes": (1, 0, 2)},
            "axes of the data automatic → feature 2, 1, 3",
        ),
        ("view", {"embedding_3d": True}, "3-D embedding on"),
        ("view", {"data_3d": True}, "3-D data on"),
        ("view", {"lift": "square"}, "lift off → (xᵀy)²"),
        ("view", {"raised": 0.25}, "height of the lift 1 → 0.25"),
        (
            "view",
            {"lift_axes": (1, 2, 5)},
            "z axis of the lift coordinate 4 → coordinate 6",
        ),
        (
            "view",
            {"pair": ((1.0, 2.0), (-0.5, 0.0))},
            "both sides off → (1, 2) and (−0.5, 0)",
        ),
        ("view", {"isolines": False}, "isolines off"),
        ("view", {"color_by": "none"}, "colour by class → nothing"),
        ("view", {"color_by": "odd:t2"}, "colour by class → T²"),
        ("view", {"color_by": "component:0"}, "colour by class → PC 1"),
        ("view", {"color_by": "component:x"}, "colour by class → component:x"),
        ("view", {"color_by": "column:tube angle"}, "colour by class → tube angle"),
        ("view", {"color_by": "column:"}, "colour by class → column:"),
        ("view", {"spectrum": "log"}, "spectrum linear → log"),
        ("view", {"cumulative": False}, "cumulative line off"),
        ("view", {"gram_centred": False}, "centred kernel matrix off"),
        ("view", {"rebuilt_from": 5}, "parts of the matrix 2 → 5"),
        ("view", {"null": "gaussian"}, "random data permuted columns → gaussian"),
        ("view", {"real": "nine"}, "page Is it real? beside → nine pictures"),
        ("view", {"null_draw": 3}, "draw of random data 0 → 3"),
        ("view", {"bootstrap": True}, "bootstrap ellipses and whiskers on"),
        ("view", {"rebuild": "ways"}, "page Rebuild parts → MDS = PCA"),
        ("view", {"odd_by": "all"}, "odd rows by what is shown → all components"),
        ("view", {"point_size": 4.25}, "point size 7 → 4.25"),
        ("view", {"opacity": 0.4}, "opacity of points automatic → 40 %"),
        ("view", {"motion": False}, "animation off"),
        ("view", {"fills": True}, "fill the panel on"),
    ],
)
def test_a_step_from_the_start_is_named_as_in_the_window(part, values, text):
    assert describe_change(START, changed(part, **values)) == text


def test_values_in_another_order_are_another_state():
    values = (("gamma", 1.0), ("degree", 3.0))
    old = SessionSettings(kernel=KernelSettings("poly", values))
    assert describe_change(old, kernel("poly", gamma=1, degree=3)) == "values"


def test_the_first_of_several_changes_names_the_step():
    new = SessionSettings(
        DataSettings("moons", seed=3),
        KernelSettings("linear"),
        AnalysisSettings(center=False),
        ViewSettings(color_by="none"),
    )
    assert describe_change(START, new) == "data Circles → Moons"


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
    old, new = (kernel(family, **{name: value}) for value in (0.5, 2.5))
    assert describe_change(old, new) == f"{symbol} 0.5 → 2.5"


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
