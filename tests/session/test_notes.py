"""Names, pins and sweeps as values, and the words for their steps."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.importing import ImportSettings
from kpca_viewer.engine.notes import (
    LONGEST_NAME,
    Notes,
    PinNote,
    Selected,
    SweepNote,
    describe_notes,
)
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings

BASE = SessionSettings(kernel=KernelSettings("rbf", (("gamma", 2.5),)))
PIN = PinNote("RBF, γ = 2.5", BASE, (("share_2", 0.8),))
GRID = SweepSettings(second=SweepAxis("components", 2, 5, 4, "linear"))
DROPPED = Notes(new_points=((0.0, 1.0), (2.0, 2.0)))
FULL = Notes(((2, "odd"), (5, "odder")), (PIN,), SweepNote(GRID, BASE))


def test_a_name_is_one_line_of_a_bearable_length():
    named = Notes().with_name(4, "  two\n words ").with_name(1, "x" * 999)
    assert named.row_names == ((1, "x" * LONGEST_NAME), (4, "two words"))
    assert named.with_name(4, "  ").row_names == ((1, "x" * LONGEST_NAME),)


@pytest.mark.parametrize(
    ("change", "kept"),
    [
        ({"scaling": "standardise"}, True),
        ({"seed": 3}, False),
        ({"values": (("samples", 10.0),)}, False),
        ({"source": "moons"}, False),
        ({"importing": ImportSettings(one_hot=False)}, True),
        ({"importing": ImportSettings(sample=10)}, False),
        ({"importing": ImportSettings((("a", "feature"),))}, False),
        ({"importing": ImportSettings((("a", "label"),))}, True),
    ],
)
def test_names_stay_with_the_rows_that_they_name(change, kept):
    old = DataSettings(importing=ImportSettings())
    notes = FULL.for_data(old, replace(old, **change))
    assert notes.row_names == (FULL.row_names if kept else ())
    assert (notes.pins, notes.sweep) == (FULL.pins, FULL.sweep)
    points = DROPPED.for_data(old, replace(old, **change)).new_points
    assert points == (DROPPED.new_points if kept else ())


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        (Notes(), Notes().with_name(2, "odd"), "name “odd”"),
        (Notes().with_name(2, "odd"), Notes(), "removal of the name “odd”"),
        (Notes(), replace(FULL, pins=(), sweep=None), "names of 2 rows"),
        (Notes(), Notes(pins=(PIN,)), "pin RBF, γ = 2.5"),
        (Notes(pins=(PIN,)), Notes(), "removal of pin RBF, γ = 2.5"),
        (Notes(), Notes(new_points=((0.0, 1.0),)), "new point"),
        (DROPPED, Notes(new_points=((0.0, 1.0), (3.0, 2.0))), "move of a new point"),
        (DROPPED, Notes(new_points=((0.0, 1.0),)), "removal of a new point"),
        (DROPPED, Notes(), "removal of all new points"),
        (
            Notes(pins=(replace(PIN, name="a"), PIN)),
            Notes(pins=(PIN,)),
            "removal of pin a",
        ),
        (Notes(), Notes(sweep=FULL.sweep), "sweep over γ Gamma and k Components"),
        (
            Notes(sweep=SweepNote(SweepSettings(), BASE)),
            Notes(),
            "sweep over γ Gamma put away",
        ),
    ],
)
def test_a_step_is_named(old, new, words):
    assert describe_notes(old, new) == words


@pytest.mark.parametrize("rows", [1, 8, 9, 1000])
def test_a_selection_is_kept_in_few_bytes(rows):
    mask = np.random.default_rng(rows).random(rows) < 0.5
    mask[0] = True
    kept = Selected.of(mask)
    np.testing.assert_array_equal(kept.mask(), mask)
    assert len(kept.bits) == -(-rows // 8)
    assert kept == Selected.of(mask.copy())
    assert kept.count == mask.sum()
    assert Selected.of(np.zeros(rows, dtype=bool)) is None


def test_selections_are_steps_with_names():
    one, two = (Selected.of(np.arange(5) < count) for count in (1, 2))
    assert describe_notes(Notes(), Notes(selected=two)) == "selection of 2 rows"
    assert describe_notes(Notes(selected=two), Notes(selected=one)) == (
        "selection of one row"
    )
    assert describe_notes(Notes(selected=one), Notes()) == "clearing of the selection"


def test_keys_are_saved_of_rows_that_are_noted(monkeypatch):
    anchor = RowAnchor("ab", "content", np.arange(10) * 7)
    assert Notes(anchor=anchor).saved_anchor is None
    assert FULL.saved_anchor is None
    selected = Selected.of(np.arange(10) > 6)
    notes = replace(FULL, selected=selected, anchor=anchor)
    assert notes.saved_anchor.rows.tolist() == [2, 5, 7, 8, 9]
    assert notes.saved_anchor.keys.tolist() == [14, 35, 49, 56, 63]
    monkeypatch.setattr("kpca_viewer.engine.notes.MOST_SAVED", 4)
    assert notes.saved_anchor.rows.tolist() == [2, 5]
