"""What a sweep is: its values, their order, and the settings they lead to."""

from itertools import pairwise

import msgspec
import pytest

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.parameters import (
    current_value,
    sweepable,
    title_of,
    value_text,
    with_value,
)
from kpca_viewer.engine.sweep.settings import (
    SweepAxis,
    SweepSettings,
    cell_text,
    default_axis,
)
from kpca_viewer.support.errors import DataError


def test_logarithmic_values_hit_their_ends():
    values = SweepSettings(low=0.01, high=100, steps=5).values()
    assert values == (0.01, 0.1, 1.0, 10.0, 100.0)


def test_linear_values():
    assert SweepAxis("noise", 0, 0.4, 5, "linear").values() == pytest.approx(
        (0, 0.1, 0.2, 0.3, 0.4)
    )


def test_whole_numbers_come_once():
    assert SweepAxis("degree", 1, 4, 30, "linear").values() == (1, 2, 3, 4)
    assert SweepAxis("components", 2, 2, 9, "linear").values() == (2,)


@pytest.mark.parametrize(
    ("low", "high", "kept"),
    [(0.5, 2.5, (0.5, 1.5, 2.5)), (1, 2, (1.5,)), (3, 4, (2.5,))],
)
def test_smoothness_has_three_values(low, high, kept):
    assert SweepAxis("nu", low, high, 9, "linear").values() == kept


def test_kernels_in_turn():
    assert SweepSettings("kernel").values() == tuple(FAMILIES)
    assert SweepSettings("kernel", kernels=("rbf", "poly")).values() == ("rbf", "poly")


def test_a_grid_is_read_row_by_row():
    second = SweepAxis("degree", 2, 3, 2, "linear")
    sweep = SweepSettings("coef0", 0, 2, 3, "linear", second=second)
    assert sweep.shape == (3, 2)
    assert sweep.cells() == ((0, 2), (1, 2), (2, 2), (0, 3), (1, 3), (2, 3))
    assert sweep.cell(4) == (1, 1)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"low": 2, "high": 1}, "smaller end first"),
        ({"low": 0}, "above 0"),
        ({"steps": 0}, "steps"),
        ({"steps": 9999}, "fewer"),
        ({"high": float("inf")}, "finite"),
        ({"parameter": "colour"}, "cannot be swept"),
        ({"parameter": "kernel", "kernels": ("rbf", "x")}, "no kernel"),
        ({"second": SweepAxis("gamma")}, "two different"),
        ({"second": SweepAxis("coef0", 1, 2, 100), "steps": 100}, "fewer steps"),
    ],
)
def test_nonsense_is_refused_with_a_remedy(changes, words):
    with pytest.raises(DataError, match=words):
        SweepSettings(**changes)


def test_json_and_back():
    sweep = SweepSettings(
        second=SweepAxis("coef0", 0, 1, 3, "linear"), measure="silhouette"
    )
    text = msgspec.json.encode(sweep)
    assert msgspec.json.decode(text, type=SweepSettings) == sweep
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"low": 3, "high": 1}', type=SweepSettings)


@pytest.mark.parametrize("current", [None, 0.001, 1.0, 7.0, 1e9])
@pytest.mark.parametrize("steps", [1, 2, 7, 30])
def test_the_order_holds_every_value_once(steps, current):
    sweep = SweepSettings(steps=steps)
    order = sweep.order((current,))
    assert sorted(order) == list(range(len(sweep.values())))
    assert order[0] == sweep.axes[0].nearest(current)


def test_coarse_before_fine_and_near_before_far():
    sweep = SweepSettings(low=1, high=17, steps=17, scale="linear")
    order = sweep.order((9.0,))
    assert order[:3] == [8, 0, 16]
    assert set(order[3:5]) == {4, 12}
    assert set(order[5:9]) == {2, 6, 10, 14}
    assert order[9:11] == [7, 9]


def test_wherever_it_stops_the_gaps_are_even():
    order = SweepSettings(steps=33).order((1.0,))
    there = sorted(order[:9])
    gaps = [b - a for a, b in pairwise(there)]
    assert max(gaps) <= 4


def test_a_grid_begins_where_we_are():
    second = SweepAxis("degree", 1, 5, 5, "linear")
    sweep = SweepSettings("gamma", 0.1, 10, 5, second=second)
    order = sweep.order((10.0, 2.0))
    assert sweep.cell(order[0]) == (4, 1)
    assert sorted(order) == list(range(25))


def test_apply_sets_what_is_swept_and_nothing_else():
    base = SessionSettings()
    sweep = SweepSettings("gamma", 1, 100, 3)
    assert sweep.apply(base, 1) == with_value(base, "gamma", 10)
    assert dict(sweep.apply(base, 2).kernel.values) == {"gamma": 100}
    assert sweep.apply(base, 0).data == base.data


@pytest.mark.parametrize(
    ("parameter", "value", "look"),
    [
        ("components", 4.0, lambda s: s.analysis.components),
        ("noise", 0.2, lambda s: dict(s.data.values)["noise"]),
        ("samples", 70.0, lambda s: dict(s.data.values)["samples"]),
        ("kernel", "poly", lambda s: s.kernel.family),
    ],
)
def test_every_kind_of_parameter(parameter, value, look):
    assert look(with_value(SessionSettings(), parameter, value)) == value


def test_the_kernel_of_now_keeps_its_values():
    base = SessionSettings(kernel=KernelSettings("rbf", (("gamma", 3.0),)))
    assert with_value(base, "kernel", "rbf") == base
    assert with_value(base, "kernel", "laplacian").kernel.values == ()


def test_a_kernel_is_set_before_its_parameter():
    second = SweepAxis("kernel", kernels=("rbf", "laplacian"))
    sweep = SweepSettings("gamma", 1, 2, 2, second=second)
    kernel = sweep.apply(SessionSettings(), 3).kernel
    assert (kernel.family, dict(kernel.values)) == ("laplacian", {"gamma": 2})


def test_what_can_be_swept():
    assert sweepable(SessionSettings())[0] == "gamma"
    matern = SessionSettings(kernel=KernelSettings("matern"))
    assert sweepable(matern)[:2] == ("length_scale", "nu")
    assert "noise" in sweepable(SessionSettings())
    iris = SessionSettings(data=DataSettings("iris"))
    assert "noise" not in sweepable(iris)
    assert sweepable(iris, "kernel") == ("components",)
    opened = SessionSettings(data=DataSettings("mine.csv"))
    assert "samples" not in sweepable(opened)
    linear = SessionSettings(kernel=KernelSettings("linear"))
    assert sweepable(linear)[0] == "kernel"


def test_two_decades_around_the_suggestion():
    axis = default_axis(SessionSettings(), suggested={"gamma": 0.6})
    assert (axis.low, axis.high, axis.steps, axis.scale) == (0.06, 6, 30, "log")


def test_two_decades_around_what_was_set():
    settings = SessionSettings(kernel=KernelSettings("rbf", (("gamma", 20.0),)))
    axis = default_axis(settings, "gamma", {"gamma": 0.6})
    assert (axis.low, axis.high) == (2, 200)


@pytest.mark.parametrize("parameter", ["degree", "components", "samples"])
def test_numbers_far_beyond_a_slider_have_a_default_too(parameter):
    poly = SessionSettings(kernel=KernelSettings("poly"))
    axis = default_axis(with_value(poly, parameter, 394_738.0), parameter)
    assert 1 <= len(axis.values()) <= 30


@pytest.mark.parametrize("family", FAMILIES)
def test_every_default_can_be_started(family):
    settings = SessionSettings(kernel=KernelSettings(family))
    for parameter in sweepable(settings):
        sweep = SweepSettings.along(default_axis(settings, parameter))
        assert 1 < len(sweep.values()) <= 30
        assert title_of(parameter)
        assert cell_text(sweep, sweep.cells()[0])


def test_what_holds_now():
    settings = SessionSettings(data=DataSettings("circles", (("noise", 0.1),)))
    assert current_value(settings, "noise") == 0.1
    assert current_value(settings, "samples") == 400
    assert current_value(settings, "gamma", {"gamma": 2.5}) == 2.5
    assert current_value(settings, "kernel") == "rbf"
    assert current_value(settings, "components") == 10
    assert current_value(settings, "nu") is None


def test_values_in_words():
    assert value_text("gamma", 0.12345) == "0.123"
    assert value_text("samples", 2000.0) == "2,000"
    assert value_text("kernel", "rbf") == "RBF (Gaussian)"
    assert title_of("gamma") == "γ Gamma"
    assert title_of("noise") == "Noise"
    second = SweepAxis("kernel", kernels=("rbf",))
    assert cell_text(SweepSettings(second=second), (0.5, "rbf")) == (
        "γ = 0.5, RBF (Gaussian)"
    )


def test_nearest_on_the_scale_of_the_axis():
    assert SweepAxis("gamma", 1, 100, 3).nearest(25.0) == 1
    assert SweepAxis("gamma", 1, 101, 3, "linear").nearest(25.0) == 0
    assert SweepAxis("kernel").nearest("poly") == tuple(FAMILIES).index("poly")
    assert SweepAxis("kernel").nearest("unknown") == len(FAMILIES) // 2


def test_where_a_value_stands():
    decades = SweepAxis("gamma", 1.0, 100.0, 3)
    assert decades.place_of(10.0) == 1
    assert decades.place_of(10**0.5) == pytest.approx(0.5)
    assert decades.place_of(101.0) is None
    assert decades.place_of(None) is None
    assert SweepAxis("noise", 0.0, 2.0, 3, "linear").place_of(0.25) == 0.25
    kernels = SweepAxis("kernel", kernels=("rbf", "poly"))
    assert kernels.place_of("poly") == 1
    assert kernels.place_of("sigmoid") is None
    assert SweepAxis("gamma", 1.0, 1.0, 1).place_of(2.0) is None


@pytest.mark.parametrize(
    ("parameter", "value", "text"),
    [
        ("gamma", 0.32, "0.32"),
        ("gamma", 3.0, "3"),
        ("gamma", 0.000123456, "0.000123"),
        ("gamma", 4.92e-5, "4.92·10⁻⁵"),
        ("gamma", 1e6, "1·10⁶"),
        ("coef0", -2.0, "−2"),
        ("coef0", -40141.0, "−40,141"),
        ("samples", 1e6, "1,000,000"),
        ("kernel", "rbf", "RBF (Gaussian)"),
    ],
)
def test_values_are_written_as_people_do(parameter, value, text):
    assert value_text(parameter, value) == text
