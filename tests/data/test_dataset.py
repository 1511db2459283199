"""A Dataset keeps its promises: checked, read-only, hashable by content."""

import copy
import pickle
from dataclasses import FrozenInstanceError, replace

import numpy as np
import pytest

from kpca_viewer.data.dataset import UNLABELLED, Dataset
from kpca_viewer.support.errors import DataError


@pytest.fixture
def dataset():
    return Dataset(
        np.arange(6.0).reshape(3, 2),
        np.array([0, 1, 0]),
        ("no", "yes"),
        columns={"t": np.array([0.1, 0.2, 0.3])},
        name="small",
    )


def test_shape_and_default_names(dataset):
    assert (dataset.n, dataset.d) == (3, 2)
    assert dataset.feature_names == ("x1", "x2")
    assert dataset.row_names is None
    assert dataset.kind == "points"


def test_nothing_can_be_changed(dataset):
    for array in (dataset.points, dataset.labels, dataset.columns["t"].values):
        with pytest.raises(ValueError, match="read-only"):
            array[0] = 7
    with pytest.raises(TypeError):
        dataset.columns["u"] = np.zeros(3)
    with pytest.raises(FrozenInstanceError):
        dataset.name = "other"


def test_arrays_of_the_caller_stay_apart():
    points = np.zeros((3, 2))
    labels = np.zeros(3, dtype=np.int64)
    dataset = Dataset(points, labels)
    points[0, 0] = labels[0] = 9
    assert dataset.points[0, 0] == 0
    assert dataset.labels[0] == 0


def test_a_view_of_a_writable_array_is_copied():
    base = np.zeros((4, 2))
    view = base[:3]
    view.flags.writeable = False
    dataset = Dataset(view)
    base[0, 0] = 9
    assert dataset.points[0, 0] == 0


def test_frozen_arrays_are_shared_not_copied(dataset):
    renamed = replace(dataset, name="other")
    assert renamed.points is dataset.points
    assert renamed.labels is dataset.labels


def test_integers_and_lists_become_float64():
    assert Dataset([[1, 2], [3, 4]]).points.dtype == np.float64
    assert Dataset(np.asfortranarray(np.ones((3, 2)))).points.flags.c_contiguous


def test_missing_values_and_missing_labels_are_allowed():
    dataset = Dataset([[np.nan, 1.0], [2.0, 3.0]], np.array([UNLABELLED, 0]))
    assert dataset.label_names == ("0",)


def test_label_names_default_to_the_codes():
    assert Dataset(np.ones((3, 1)), np.array([2, 0, 1])).label_names == ("0", "1", "2")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"points": np.ones(3)}, "1 dimensions instead of two"),
        ({"points": np.ones((0, 2))}, "empty"),
        ({"points": np.ones((2, 0))}, "empty"),
        ({"points": [["a", "b"]]}, "not all numbers"),
        ({"points": np.ones((2, 2)) * 1j}, "complex"),
        (
            {"points": np.ones((3, 2)), "kind": "kernel"},
            "A kernel matrix must be square, but this one is 3 × 2",
        ),
        (
            {"points": np.ones((3, 2)), "kind": "distances"},
            "A distance matrix must be square, but this one is 3 × 2",
        ),
        ({"points": np.ones((3, 2)), "kind": "graph"}, "not a kind of data"),
        ({"points": np.ones((3, 2)), "labels": np.array([0, 1])}, "for 3 rows"),
        ({"points": np.ones((2, 2)), "labels": np.array([0.0, 1.0])}, "whole numbers"),
        (
            {
                "points": np.ones((2, 2)),
                "labels": np.array([0, 2]),
                "label_names": ("a", "b"),
            },
            "only 2 class names",
        ),
        ({"points": np.ones((2, 2)), "labels": np.array([-2, 0])}, "-2"),
        ({"points": np.ones((2, 2)), "label_names": ("a",)}, "no labels"),
        ({"points": np.ones((2, 2)), "feature_names": ("a",)}, "1 feature names"),
        ({"points": np.ones((2, 2)), "row_names": ("a",)}, "1 row names"),
        ({"points": np.ones((2, 2)), "columns": {"t": np.ones(3)}}, "“t” has shape"),
    ],
)
def test_wrong_input_is_refused_in_one_sentence(arguments, message):
    with pytest.raises(DataError, match=message) as caught:
        Dataset(**arguments)
    text = str(caught.value)
    assert text.endswith(".")
    assert "\n" not in text


def test_hash_follows_the_content_and_not_the_names(dataset):
    same = Dataset(
        np.arange(6.0).reshape(3, 2),
        np.array([0, 1, 0], dtype=np.int32),
        ("nein", "ja"),
        columns={"seen": ["by day", "by night", None]},
        name="another name",
    )
    assert same.content_hash == dataset.content_hash
    assert len(dataset.content_hash) == 64


def test_hash_tells_different_contents_apart(dataset):
    others = [
        replace(dataset, points=dataset.points + 1),
        replace(dataset, labels=np.array([1, 1, 0])),
        replace(dataset, labels=None, label_names=()),
        Dataset(dataset.points, columns={"t": [0.1, 0.2, 0.3]}),
        Dataset(dataset.points, columns={"u": [0.1, 0.2, 0.3]}),
        Dataset(dataset.points.reshape(2, 3)),
        Dataset(np.eye(2)),
        Dataset(np.eye(2), kind="kernel"),
    ]
    hashes = {d.content_hash for d in [dataset, *others]}
    assert len(hashes) == len(others) + 1


def test_hash_is_the_same_in_every_session():
    assert Dataset([[1.0, 2.0], [3.0, 4.0]]).content_hash == (
        "b05a99c2ff1a19e3fa4fbb97cd8b335ac1241952daed2555786f640db2250d13"
    )


def test_copies_are_as_frozen_as_the_original(dataset):
    for other in (pickle.loads(pickle.dumps(dataset)), copy.deepcopy(dataset)):
        assert other.content_hash == dataset.content_hash
        assert not other.points.flags.writeable


def test_repr_does_not_print_the_arrays(dataset):
    assert "array" not in repr(dataset)
    assert "small" in repr(dataset)
