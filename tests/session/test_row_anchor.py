"""Rows are found again by their name or their values, never by their place."""

import json

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.document.arrays import pack_keys, unpack_keys
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.notes import Notes, Selected, follow
from kpca_viewer.engine.rows.row_set import RowAnchor, row_keys

POINTS = np.random.default_rng(0).normal(size=(50, 3))
NAMES = tuple(f"r{i}" for i in range(50))


def dataset(order, names=None, points=POINTS):
    chosen = None if names is None else [names[i] for i in order]
    return Dataset(points[order], row_names=chosen)


def shuffled(seed=1):
    return np.random.default_rng(seed).permutation(50)


@pytest.mark.parametrize("names", [None, NAMES])
def test_rows_in_another_order_with_some_gone(names):
    anchor = RowAnchor.of(dataset(np.arange(50), names), "old")
    assert anchor.by == ("content" if names is None else "name")
    order = shuffled()[:40]
    rows = np.arange(0, 50, 3)
    found = anchor.find(rows, dataset(order, names))
    there = {int(row): place for place, row in enumerate(order)}
    assert found.tolist() == [there.get(int(row), -1) for row in rows]


def test_names_count_more_than_values():
    anchor = RowAnchor.of(dataset(np.arange(50), NAMES), "old")
    order = shuffled()
    other = dataset(order, NAMES, points=POINTS + 1)
    found = anchor.find(np.array([7]), other)
    assert order[found[0]] == 7


def test_names_that_occur_twice_tell_nothing():
    anchor = RowAnchor.of(dataset(np.arange(50), ("same",) * 50), "old")
    assert anchor.by == "content"
    order = shuffled()
    assert order[anchor.find(np.array([7]), dataset(order))[0]] == 7


def test_without_its_names_a_row_is_not_guessed():
    anchor = RowAnchor.of(dataset(np.arange(50), NAMES), "old")
    assert anchor.find(np.array([7]), dataset(shuffled())).tolist() == [-1]


def test_rows_that_are_alike_stay_or_keep_their_order():
    points = np.repeat(np.eye(3), 2, axis=0)  # a a b b c c
    anchor = RowAnchor.of(Dataset(points), "old")
    rows = np.array([2, 3])
    assert anchor.find(rows, Dataset(points)).tolist() == [2, 3]
    later = Dataset(np.concatenate([np.ones((3, 3)), points]))
    assert anchor.find(rows, later).tolist() == [5, 6]
    fewer = Dataset(points[[0, 2, 4]])
    assert sorted(anchor.find(rows, fewer).tolist()) == [-1, 1]


def test_keys_are_the_same_on_every_machine_and_for_every_length():
    points = np.array([[1.5, -0.0, np.nan], [2.0, 0.0, 1.0]])
    keys = row_keys(Dataset(points, row_names=("a", "bcd")), "content")
    assert keys.tolist() == row_keys(Dataset(points + 0.0), "content").tolist()
    short = row_keys(Dataset(np.eye(2), row_names=("é", "b")), "name")
    long = row_keys(Dataset(np.eye(2), row_names=("é", "b" * 40)), "name")
    assert short[0] == long[0]
    assert short[0] == 3366007655283134767


def test_keys_differ():
    points = np.random.default_rng(0).integers(0, 9, size=(5000, 4)).astype(float)
    distinct = len(np.unique(points, axis=0))
    assert len(np.unique(row_keys(Dataset(points), "content"))) == distinct
    swapped = Dataset(np.array([[1.0, 2.0], [2.0, 1.0]]))
    assert len(set(row_keys(swapped, "content").tolist())) == 2


def test_some_keys_go_through_a_file():
    anchor = RowAnchor.of(dataset(np.arange(50)), "old")
    again = unpack_keys(pack_keys(anchor.some(np.array([3, 9]))))
    assert (again.stamp, again.by, again.rows.tolist()) == ("old", "content", [3, 9])
    order = shuffled()
    found = again.find(np.array([3, 5, 9]), dataset(order))
    assert order[found[[0, 2]]].tolist() == [3, 9]
    assert found[1] == -1  # its key was not kept


@pytest.mark.parametrize("value", [None, 3, {}, {"hash": "a", "by": "b"}, "cut"])
def test_a_session_with_damaged_keys_has_none(value):
    anchor = RowAnchor.of(dataset(np.arange(50)), "old")
    body = json.loads(to_bytes(Document(notes=Notes(((3, "odd"),), anchor=anchor))))
    keys = body["row_keys"]
    body["row_keys"] = {**keys, "keys": keys["keys"][:-8]} if value == "cut" else value
    notes = from_bytes(json.dumps(body).encode()).notes
    assert notes.row_names == ((3, "odd"),)
    assert notes.anchor is None


def test_notes_follow_and_say_what_is_lost():
    anchor = RowAnchor.of(dataset(np.arange(50)), "old")
    mask = np.zeros(50, dtype=bool)
    mask[[2, 3, 49]] = True
    notes = Notes(((1, "odd"), (49, "last")), selected=Selected.of(mask), anchor=anchor)
    other = dataset(np.arange(49)[::-1])
    moved, lost = follow(notes, other, RowAnchor.of(other, "new"))
    assert moved.row_names == ((47, "odd"),)
    assert np.flatnonzero(moved.selected.mask()).tolist() == [45, 46]
    assert moved.anchor.stamp == "new"
    assert lost.text("tea") == (
        "Not in “tea” any more: the row named “last” and 1 of 3 selected rows."
    )
    back, lost = follow(moved, dataset(np.arange(50)), anchor)
    assert back.row_names == ((1, "odd"),)
    assert not lost
