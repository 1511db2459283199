"""The line that describes a sweep before it is started."""

from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel

from kpca_viewer.engine.settings import DataSettings, KernelSettings
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from tests.ui.sweep.conftest import show

LEFT_BUTTON = Qt.MouseButton.LeftButton


@pytest.mark.journey
def test_without_a_sweep_it_is_one_line(strip, heard):
    assert strip.sizeHint().height() == 34
    assert strip.minimumSizeHint().width() < 640
    assert not strip.film.isVisible()
    assert strip.result() is None
    assert heard.nothing


def test_start_with_the_default_range(strip, heard):
    QTest.mouseClick(strip.setup.start, LEFT_BUTTON)
    assert heard.started == [SweepSettings("gamma", 0.1, 10, 30)]


def test_start_with_another_range(strip, heard):
    setup = strip.setup
    setup.first.low.setValue(0.5)
    setup.first.high.setValue(5)
    setup.first.steps.setValue(7)
    setup.first.scale.button("linear").click()
    QTest.mouseClick(setup.start, LEFT_BUTTON)
    assert heard.started == [SweepSettings("gamma", 0.5, 5, 7, "linear")]


def type_into(field, text):
    field.setFocus()
    field.selectAll()
    QTest.keyClicks(field, text)


def test_enter_only_takes_the_number(strip, heard):
    field = strip.setup.first.high
    type_into(field, "5")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert field.value() == 5
    assert heard.nothing


def test_what_is_typed_and_not_entered_counts(strip, heard):
    type_into(strip.setup.first.high, "5")
    strip.start()
    assert heard.started == [SweepSettings("gamma", 0.1, 5, 30)]


def test_nonsense_is_said_in_full_below_the_line(strip, heard, qtbot):
    setup = strip.setup
    setup.first.low.setValue(100)
    QTest.mouseClick(setup.start, LEFT_BUTTON)
    assert heard.started == []
    assert setup.trouble() == "100 to 10 runs downwards; give the smaller end first."
    label = setup.findChild(QLabel, "sweep_trouble_label")
    strip.resize(660, strip.sizeHint().height())
    qtbot.waitUntil(lambda: label.width() > 600)
    assert label.fontMetrics().horizontalAdvance(label.text()) < label.width()
    setup.first.low.setValue(1)
    assert not label.isVisible()
    qtbot.waitUntil(lambda: strip.sizeHint().height() == 34)


def test_a_number_that_is_refused_is_explained(strip, heard):
    field = strip.setup.first.steps
    type_into(field, "9000")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert "must be between 1 and 500" in strip.setup.trouble()
    assert heard.nothing


@pytest.mark.parametrize("width", [690, 1030])
def test_a_grid_can_be_chosen_in_a_narrow_window(strip, width, qtbot):
    strip.resize(width, strip.height())
    second = strip.setup.second.parameter
    qtbot.waitUntil(second.isVisible)
    assert second.currentText() == "no grid"


def test_a_typed_range_stays_when_the_value_changes(strip, analysis, settings, heard):
    strip.setup.first.low.setValue(0.33)
    show(
        strip,
        analysis,
        replace(settings, kernel=settings.kernel.with_value("gamma", 5)),
    )
    assert strip.setup.sweep().low == 0.33
    assert heard.nothing


def test_an_untouched_range_follows_the_value(strip, analysis, settings):
    show(
        strip,
        analysis,
        replace(settings, kernel=settings.kernel.with_value("gamma", 5)),
    )
    assert strip.setup.sweep().low == 0.5


def test_a_typed_range_goes_with_its_data_or_kernel(strip, analysis, settings):
    first = strip.setup.first
    first.low.setValue(0.33)
    show(strip, analysis, replace(settings, data=DataSettings("moons")))
    assert strip.setup.sweep().low == 0.1
    first.low.setValue(0.33)
    laplacian = KernelSettings("laplacian", (("gamma", 1.0),))
    show(strip, analysis, replace(settings, kernel=laplacian))
    assert strip.setup.sweep().low == 0.1


def test_a_kernel_without_parameters_leaves_nothing_behind(strip, analysis, settings):
    linear = replace(settings, kernel=KernelSettings("linear"))
    show(strip, analysis, linear)
    assert strip.setup.sweep().parameter == "kernel"
    show(strip, analysis, settings)
    assert strip.setup.sweep().parameter == "gamma"
    # What somebody picked stays, where there is such a thing.
    combo = strip.setup.first.parameter
    combo.setCurrentIndex(combo.findData("components"))
    combo.activated.emit(combo.currentIndex())
    show(strip, analysis, linear)
    assert strip.setup.sweep().parameter == "components"


def test_another_kernel_has_other_parameters(strip, analysis, settings):
    strip.setup.first.low.setValue(0.33)
    matern = replace(settings, kernel=KernelSettings("matern"))
    show(strip, analysis, matern)
    assert strip.setup.sweep().parameter == "length_scale"
    combo = strip.setup.first.parameter
    assert combo.findData("gamma") < 0


def test_kernels_have_no_range(strip, heard):
    setup = strip.setup
    setup.first.parameter.setCurrentIndex(setup.first.parameter.findData("kernel"))
    setup.first.parameter_chosen.emit("kernel")
    assert not setup.first.low.isVisible()
    QTest.mouseClick(setup.start, LEFT_BUTTON)
    assert heard.started[0].parameter == "kernel"


def test_a_second_parameter_makes_a_grid(strip, heard, qtbot):
    setup = strip.setup
    setup.second.parameter_chosen.emit("components")
    assert setup.second.low.isVisible()
    QTest.mouseClick(setup.start, LEFT_BUTTON)
    assert heard.started[0].second == SweepAxis("components", 1, 20, 6, "linear")
    setup.second.parameter_chosen.emit(None)
    assert not setup.second.low.isVisible()
    qtbot.waitUntil(lambda: strip.sizeHint().height() == 34)
