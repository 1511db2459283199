"""Settings are values: equal and hashable, and know what needs an analysis."""

from dataclasses import FrozenInstanceError, replace

import pytest

from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features import registry
from tests.session.changes import START, changed


def kernel(family="rbf", **values):
    return SessionSettings(kernel=KernelSettings(family, as_values(values)))


def test_equal_settings_are_one_key():
    assert SessionSettings() == START
    assert hash(SessionSettings()) == hash(START)
    assert len({kernel(gamma=10), kernel(gamma=10.0), kernel(gamma=12.5)}) == 2


def test_the_order_of_values_does_not_matter():
    a = KernelSettings("poly").with_value("gamma", 2).with_value("degree", 3)
    b = KernelSettings("poly").with_value("degree", 3).with_value("gamma", 2)
    assert a == b
    assert hash(a) == hash(b)
    assert a.values == (("degree", 3.0), ("gamma", 2.0))


def test_nothing_can_be_changed():
    with pytest.raises(FrozenInstanceError):
        START.kernel.family = "linear"


def test_with_value_leaves_the_original_alone():
    old = DataSettings().with_value("noise", 0.1)
    new = old.with_value("noise", 0.2).with_value("samples", 50)
    assert old.values == (("noise", 0.1),)
    assert new.values == (("noise", 0.2), ("samples", 50.0))
    assert new.source == old.source


def test_none_follows_the_suggestion_again():
    chosen = KernelSettings().with_value("gamma", 3)
    assert chosen.with_value("gamma", None) == KernelSettings()
    assert KernelSettings().with_value("gamma", None) == KernelSettings()


@pytest.mark.parametrize(
    ("source", "scaling"),
    [("circles", "none"), ("wine", "standardise"), ("breast_cancer", "standardise")],
)
def test_a_source_is_first_shown_with_a_scaling_that_suits_it(source, scaling):
    settings = DataSettings.of_source(source, seed=4)
    assert (settings.source, settings.seed) == (source, 4)
    assert settings.scaling == scaling
    assert settings.values == ()


def test_other_data_keep_habits_but_not_axes():
    old = ViewSettings(
        axes=(3, 2, 1),
        data_axes=(1, 0, 2),
        color_by="feature:1",
        point_size=3.0,
        spectrum="log",
        embedding_3d=True,
    )
    kept = ViewSettings(point_size=3.0, spectrum="log", embedding_3d=True)
    assert old.for_source("moons") == kept
    assert old.for_source("helix") == replace(kept, data_3d=True)


@pytest.mark.parametrize(
    "new",
    [
        changed("data", seed=1),
        changed("data", scaling="minmax"),
        changed("kernel", family="laplacian"),
        kernel(gamma=2),
        changed("analysis", components=3),
        changed("analysis", center=False),
        changed("analysis", solver="dense"),
        changed("view", axes=(1, 0, 2)),
    ],
)
def test_what_needs_an_analysis(new):
    assert new.needs_analysis(START, registry.stages())
    assert START.needs_analysis(new, registry.stages())


@pytest.mark.parametrize(
    "values",
    [
        {"color_by": "none"},
        {"point_size": 3.0},
        {"axes": (0, 1, 5)},
        {"data_axes": (1, 0, 2)},
        {"spectrum": "log"},
        {"gram_centred": False},
        {"rebuild": "ways"},
        {"rebuilt_from": 5},
        {"null_draw": 5},
        {"real": "nine"},
        {"color_by": "component:3"},
    ],
)
def test_most_of_the_view_needs_none(values):
    assert not changed("view", **values).needs_analysis(START, registry.stages())
    assert not START.needs_analysis(START, registry.stages())


def test_how_odd_rows_are_is_computed_for_whoever_asks():
    colored = changed("view", color_by="odd:spe")
    assert colored.needs_analysis(START, registry.stages())
    assert not START.needs_analysis(colored, registry.stages())
    other = changed("view", color_by="odd:t2")
    assert not other.needs_analysis(colored, registry.stages())
    assert changed("view", odd_by="all").needs_analysis(START, registry.stages())


def test_a_third_axis_needs_an_analysis_where_it_is_shown():
    deep = changed("view", embedding_3d=True)
    assert deep.needs_analysis(START, registry.stages())
    other = changed("view", embedding_3d=True, axes=(0, 1, 5))
    assert other.needs_analysis(deep, registry.stages())


def test_only_showing_isolines_needs_an_analysis():
    hidden = changed("view", isolines=False)
    assert START.needs_analysis(hidden, registry.stages())
    assert not hidden.needs_analysis(START, registry.stages())


@pytest.mark.parametrize(
    ("axes", "count", "within"),
    [
        ((0, 1, 2), 10, (0, 1, 2)),
        ((4, 1, 2), 3, (0, 1, 2)),
        ((4, 0, 5), 3, (1, 0, 2)),
        ((4, 5, 6), 2, (0, 1, 6)),
        ((0, 1, 2), 1, (0, 1, 2)),
    ],
)
def test_axes_are_among_the_components_there_are(axes, count, within):
    assert ViewSettings(axes=axes).within(count).axes == within
