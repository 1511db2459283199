"""From any data to drawn ones: the kernel in use, notes and groups go along."""

from dataclasses import replace

import numpy as np
import pytest

from kpca_viewer.data.drawn import SOURCE, Drawn, places_without
from kpca_viewer.engine.analysis import AnalysisRequest, run
from kpca_viewer.engine.notes import Notes, Selected, kernel_in_use
from kpca_viewer.engine.rows.groups import RowGroup
from kpca_viewer.engine.rows.row_set import Excluded, RowSet
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.features.drawing.compute import (
    change_points,
    editable_plane,
    editable_points,
    start_drawing,
)
from kpca_viewer.support.errors import DataError

CIRCLES = SessionSettings(DataSettings("circles", (("samples", 8.0),)))


def of(settings, cache):
    return run(AnalysisRequest(settings), cache)


def mask(*rows, n=8):
    found = np.zeros(n, dtype=bool)
    found[list(rows)] = True
    return found


def test_the_open_set_is_taken_up_as_it_is(cache):
    result = of(CIRCLES, cache)
    drawn = editable_points(CIRCLES, result)
    assert np.array_equal(drawn.array(), result.dataset.points)
    assert drawn.title == "Circles, edited"
    assert editable_points(CIRCLES, None) is None
    other = replace(CIRCLES, data=DataSettings("moons"))
    assert editable_points(other, result) is None


def test_the_pencil_needs_a_plane(cache):
    iris = SessionSettings(DataSettings("iris"))
    with pytest.raises(DataError, match="Iris has 4 features; type into the table"):
        editable_plane(iris, of(iris, cache))
    assert len(editable_plane(CIRCLES, of(CIRCLES, cache))) == 8


def test_the_value_in_use_is_kept_so_that_nothing_jumps(cache):
    result = of(CIRCLES, cache)
    used = result.kernel.values["gamma"]
    drawn = editable_points(CIRCLES, result).added([(9, 9)], 0)
    settings, _ = change_points(CIRCLES, Notes(), result, drawn)
    kept = KernelSettings("rbf", (("gamma", used),), kept=("gamma",))
    assert settings.kernel == kept
    assert of(settings, cache).kernel.values == result.kernel.values
    # What follows the suggestion since is what the person wanted.
    follows = replace(settings, kernel=KernelSettings())
    assert change_points(follows, Notes(), None, drawn)[0].kernel == KernelSettings()
    other = replace(CIRCLES, kernel=KernelSettings("laplacian"))
    assert kernel_in_use(other, result) == KernelSettings("laplacian")
    chosen = KernelSettings("rbf", (("gamma", 7.0),))
    assert kernel_in_use(replace(CIRCLES, kernel=chosen), result) == chosen


def test_names_selection_and_groups_follow_their_points(cache):
    rows = RowSet.of(mask(1, 5), of(CIRCLES, cache).dataset, "")
    data = replace(CIRCLES.data, groups=(RowGroup("group", "odd", rows),))
    settings = replace(CIRCLES, data=data)
    result = of(settings, cache)
    notes = Notes(((2, "b"), (5, "e")), selected=Selected.of(mask(5, 6)))
    gone = mask(1, 2)
    drawn = editable_points(settings, result).without(gone)
    now, told = change_points(settings, notes, result, drawn, places_without(gone))
    assert told.row_names == ((3, "e"),)
    assert told.selected.mask().tolist() == [0, 0, 0, 1, 1, 0]
    group = of(now, cache).dataset.columns["group"]
    assert [group.text(row) for row in range(6)] == ["", "", "", "odd", "", ""]
    more, told = change_points(now, told, None, drawn.added([(0, 0)], 0))
    assert told.selected.rows == 7
    assert more.data.groups == now.data.groups


def test_a_move_leaves_notes_as_they_are(cache):
    result = of(CIRCLES, cache)
    notes = Notes(((2, "b"),), selected=Selected.of(mask(5)))
    drawn = editable_points(CIRCLES, result).moved(2, (7, 7))
    assert change_points(CIRCLES, notes, result, drawn)[1] is notes


def test_rows_that_are_left_out_stay_out(cache):
    rows = RowSet.of(mask(0, 1), of(CIRCLES, cache).dataset, "")
    settings = replace(CIRCLES, data=replace(CIRCLES.data, excluded=Excluded(rows)))
    result = of(settings, cache)
    drawn = editable_points(settings, result)
    assert len(drawn) == 6
    now, _ = change_points(settings, Notes(), result, drawn.moved(0, (1, 1)))
    assert now.data.excluded is None
    left = replace(now, data=replace(now.data, excluded=Excluded(rows)))
    again = editable_points(left, of(left, cache))
    assert (len(again), again.name) == (4, "Circles, edited")


def test_colours_of_columns_that_are_gone_are_those_of_classes(cache):
    view = ViewSettings(color_by="column:position", label_by="column:group")
    settings = replace(CIRCLES, view=view)
    drawn = editable_points(settings, of(settings, cache))
    now = change_points(settings, Notes(), None, drawn)[0]
    assert (now.view.color_by, now.view.label_by) == ("label", "column:group")


def test_an_empty_plane_keeps_the_kernel_and_forgets_the_rows(cache):
    result = of(CIRCLES, cache)
    notes = Notes(((2, "b"),), new_points=((0.0, 0.0),))
    settings, told = start_drawing(CIRCLES, notes, result)
    assert settings.data == DataSettings.of_source(SOURCE)
    assert settings.data.is_empty
    assert dict(settings.kernel.values) == dict(result.kernel.values)
    assert told == Notes()
    three = Drawn().added([(1, 0)], 0)
    assert start_drawing(CIRCLES, notes, result, three)[0].data.drawn == three
