"""Tests that share what was computed notice everything that could make it differ."""

import numpy as np
import pytest

from kpca_viewer.core.kernels.kernel import Kernel
from kpca_viewer.core.methods.quality import Scorer
from kpca_viewer.core.methods.refits import Refits
from kpca_viewer.data.preparation import Scaler
from kpca_viewer.support.errors import Cancelled
from tests.memory import PURE, Memory, content, holder, memory


@pytest.fixture
def counted():
    """A function that is remembered, and its calls."""
    calls = []

    def double(X, should_stop=lambda: False):
        calls.append(X)
        return 2 * X

    return Memory(), double, calls


def test_equal_content_is_computed_once(counted):
    memory, double, calls = counted
    remembered = memory.remembering(double)
    first = remembered(np.arange(3))
    assert remembered(np.arange(3)) is first
    assert remembered(np.arange(4)).tolist() == [0, 2, 4, 6]
    assert len(calls) == 2
    memory.used = False
    assert remembered(np.arange(3)) is not first


def test_what_is_to_be_stopped_is_stopped(counted):
    memory, double, _ = counted
    remembered = memory.remembering(double)
    remembered(1.0)
    with pytest.raises(Cancelled):
        remembered(1.0, lambda: True)


@pytest.mark.parametrize(
    ("change", "used"),
    [
        (lambda patch: patch.setenv("SOME", "value"), True),
        (lambda patch: patch.setitem({}, "some", "value"), False),
        (lambda patch: patch.setattr(Memory, "install", print), False),
        (lambda patch: patch.setattr("tests.memory.PURE", ()), False),
    ],
)
def test_a_test_that_changes_names_remembers_nothing(monkeypatch, change, used):
    assert memory.used
    change(monkeypatch)
    assert memory.used == used


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (1, True),
        (0.0, -0.0),
        (np.arange(4.0), np.arange(4)),
        (np.arange(4.0), np.arange(4.0).reshape(2, 2)),
        (np.ones((2, 2)), np.asfortranarray(np.ones((2, 2)))),
        (Kernel("rbf", gamma=1.0), Kernel("rbf", gamma=2.0)),
        (Scorer(6, original=np.eye(6)), Scorer(6, original=np.diag(np.arange(6)))),
        (Scorer(6, labels=np.arange(6) % 2), Scorer(6, labels=np.arange(6) // 3)),
        (
            Refits(np.eye(3), Kernel("linear"), [0], center=True).of_column(0),
            Refits(np.eye(3), Kernel("linear"), [0], center=True).of_column(1),
        ),
        (
            Scaler.learn(np.eye(2), "minmax").apply,
            Scaler.learn(2 * np.eye(2), "minmax").apply,
        ),
    ],
)
def test_what_differs_is_told_apart(one, other):
    assert content(one) != content(other)
    assert content(one) == content(one)


@pytest.mark.parametrize(("module", "name"), PURE)
def test_what_is_remembered_is_called_by_that_name(module, name):
    assert hasattr(getattr(*holder(module, name)), "__wrapped__")
