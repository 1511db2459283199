"""What suits the data, in a session: kept under a hand, and in files of before."""

import json
from dataclasses import replace

import pytest

from kpca_viewer.core.kernels.kernel import suggested_values
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.initial_session import for_other_data
from kpca_viewer.engine.notes import Notes, PinNote, SweepNote
from kpca_viewer.engine.settings import (
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.sweep.settings import SweepSettings


def by_the_median(result):
    return suggested_values("rbf", result.points.X)["gamma"]


def test_the_rings_are_apart_with_what_is_suggested(analysed):
    result = analysed("circles")
    assert result.kernel.values["gamma"] == result.suggested["gamma"] > 2
    assert result.comparison.kernel.linear_accuracy > 0.99
    assert result.comparison.linear.linear_accuracy < 0.6


@pytest.mark.journey
def test_classes_decide_where_there_are_any(analysed):
    labelled = replace(analysed("circles").dataset, name="labelled")
    without = replace(labelled, labels=None, label_names=(), name="without")
    apart = analysed("labelled", opened=[labelled]).suggestion
    alone = analysed("without", opened=[without]).suggestion
    assert apart.judged
    assert not alone.judged
    assert apart.values != alone.values


def test_a_quantity_decides_where_there_are_no_classes(analysed):
    result = analysed("s_curve")
    assert result.dataset.target is not None
    assert "held-out quantity of 400 rows" in result.suggestion.grounds


@pytest.mark.journey
def test_while_a_hand_moves_the_data_the_suggestion_waits(analysed, cache):
    before = analysed("circles", values={"noise": 0.05})
    assert cache.made["suggestion"] == 1
    moved = analysed("circles", values={"noise": 0.2}, moving=True)
    assert cache.made["suggestion"] == 1
    assert moved.suggestion == before.suggestion
    assert moved.kernel.values == before.kernel.values
    assert not moved.at_rest
    resting = analysed("circles", values={"noise": 0.2})
    assert cache.made["suggestion"] == 2
    assert resting.at_rest
    # Known by now: nothing has to wait for it.
    again = analysed("circles", values={"noise": 0.2}, moving=True)
    assert again.suggestion == resting.suggestion


def test_what_suited_other_data_is_not_kept(analysed):
    analysed("circles")
    moved = analysed("moons", moving=True)
    assert moved.suggestion == analysed("moons").suggestion


def test_other_data_leave_the_rule_of_before_behind():
    kernel = KernelSettings("poly", as_values({"degree": 2, "gamma": 3}), "median")
    assert for_other_data(kernel) == KernelSettings("poly", as_values({"degree": 2}))


OLD_KERNELS = [
    (KernelSettings(), "median"),
    (KernelSettings("matern", as_values({"nu": 0.5})), "median"),
    (KernelSettings("rbf", as_values({"gamma": 2.0})), "evidence"),
    (KernelSettings("linear"), "evidence"),
]


@pytest.mark.parametrize(("kernel", "rule"), OLD_KERNELS)
def test_sessions_of_before_show_what_they_showed(kernel, rule):
    """Their kernels do not say by what rule values are suggested: the median's."""
    settings = SessionSettings(kernel=kernel)
    pin = PinNote("a pin", settings)
    notes = Notes(pins=(pin,), sweep=SweepNote(SweepSettings(), settings))
    raw = json.loads(to_bytes(Document(settings, notes)))
    for part in (raw, *raw["pins"]):
        del part["settings"]["kernel"]["rule"]
    del raw["sweep"]["base"]["kernel"]["rule"]
    then = from_bytes(json.dumps(raw).encode())
    expected = replace(kernel, rule=rule)
    assert then.settings.kernel == expected
    assert then.notes.pins[0].settings.kernel == expected
    assert then.notes.sweep.base.kernel == expected
    # Saved again, they still say it.
    assert from_bytes(to_bytes(then)).settings.kernel == expected


def test_a_session_of_before_has_the_gamma_of_the_median(request_for, cache):
    request = request_for("circles")
    kernel = KernelSettings(rule="median")
    request = replace(request, settings=replace(request.settings, kernel=kernel))
    result = run(request, cache)
    assert result.kernel.values["gamma"] == by_the_median(result)
    assert result.suggestion.grounds == "the median distance between the points"
