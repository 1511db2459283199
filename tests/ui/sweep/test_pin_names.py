"""Pins of different data beside each other: their names, rows and colours."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QLabel

from kpca_viewer.engine.settings import DataSettings, as_values
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.features.sweep.compare import CompareView
from kpca_viewer.features.sweep.compare_text import measured_text, pin_names
from kpca_viewer.features.sweep.pins import Pin, subject
from kpca_viewer.widgets.plots.coloring import coloring
from kpca_viewer.widgets.thumbnails import Shades
from tests.ui.sweep.windows import views, words

TITLE = "RBF (Gaussian), γ = 1"


@pytest.fixture
def pin(analysis):
    return Pin.of_result(analysis)


def of_data(pin, source="circles", **values):
    data = DataSettings(source, as_values({"samples": 80.0, **values}))
    return replace(pin, settings=replace(pin.settings, data=data))


def test_pins_of_the_same_data_are_named_by_their_kernels(pin):
    assert pin_names([pin, replace(pin, title="Linear")]) == [TITLE, "Linear"]
    assert pin_names([]) == []


def test_pins_of_different_data_name_them(pin):
    names = pin_names([pin, of_data(pin, "moons")])
    assert names == [f"Circles · {TITLE}", f"Moons · {TITLE}"]


def test_pins_of_one_source_say_what_is_different_about_it(pin):
    pins = [pin, of_data(pin, noise=0.2), of_data(pin, "moons")]
    assert pin_names(pins) == [
        f"Circles, noise 0.05 · {TITLE}",
        f"Circles, noise 0.2 · {TITLE}",
        f"Moons · {TITLE}",
    ]


def test_pins_with_and_without_centring_have_names_of_their_own(pin):
    other = replace(pin, settings=pin.settings.with_center(False))
    assert pin_names([pin, other]) == [TITLE, f"{TITLE}, not centred"]
    assert pin_names([other]) == [f"{TITLE}, not centred"]


def test_pins_that_differ_in_nothing_else_tell_their_number_of_components(pin):
    analysis = replace(pin.settings.analysis, components=4)
    other = replace(pin, settings=replace(pin.settings, analysis=analysis))
    assert pin_names([pin, other])[1] == f"{TITLE}, 4 components"


def test_a_file_is_named_without_its_folder(pin):
    other = of_data(pin, "/some/where/wine.csv")
    assert pin_names([pin, other])[1] == f"wine.csv · {TITLE}"


@pytest.fixture
def shades(analysis, settings):
    return Shades.of(coloring(analysis, settings.view))


@pytest.fixture
def compare(qtbot, linking, pin, shades, settings):
    view = CompareView(linking)
    qtbot.addWidget(view)
    view.set_shades(replace(shades, subject=subject(settings.data)))
    view.set_pins([pin, of_data(pin, "moons")])
    yield view
    view.close()


def test_the_comparison_names_the_data(compare):
    combo = compare.findChild(QComboBox, "compare_right_combo")
    assert combo.currentText() == f"2  Moons · {TITLE}"


def test_rows_of_other_data_are_not_laid_over_each_other(compare):
    assert words(compare) == (
        "Not the same rows: Circles on the left, Moons on the right. Compare the "
        "measures only."
    )
    assert compare.difference() is None


def test_more_noise_moves_the_same_rows(compare, pin):
    compare.set_pins([pin, of_data(pin, noise=0.2)])
    assert compare.difference() is not None


def test_a_selection_marks_no_rows_of_other_data(compare, linking):
    mask = np.arange(80) < 10
    linking.apply_selection(mask, "replace")
    left, right = (view.area.cloud.selected for view in views(compare))
    assert (left == mask).all()
    assert right is None


def test_pins_of_other_data_than_those_that_are_open_say_of_which(compare, pin):
    compare.set_pins([pin, pin])
    combo = compare.findChild(QComboBox, "compare_right_combo")
    compare.set_board(pin.settings.data)
    assert combo.currentText() == f"2  {TITLE}"
    combo.setCurrentIndex(0)
    compare.set_board(DataSettings("moons"))
    assert combo.currentText() == f"1  Circles · {TITLE}"
    # Of the same rows, whatever is open.
    assert compare.difference() is not None
    compare.set_board(DataSettings("circles", (("samples", 80.0), ("noise", 0.2))))
    assert combo.currentText().startswith("1  Circles, noise 0.05 · ")


def test_a_file_with_other_content_has_other_rows(compare, pin, linking, shades):
    pins = [replace(of_data(pin, "wine.csv"), content=key) for key in ("old", "new")]
    compare.set_pins(pins)
    assert "“wine.csv” has changed between the two pins" in words(compare)
    assert compare.difference() is None
    data = pins[1].settings.data
    compare.set_shades(replace(shades, subject=subject(data, "new")))
    mask = np.arange(80) < 10
    linking.apply_selection(mask, "replace")
    left, right = (view.area.cloud.selected for view in views(compare))
    assert left is None
    assert (right == mask).all()


def test_the_table_says_on_what_it_was_measured(compare, pin, swept):
    label = compare.findChild(QLabel, "compare_measured_label")
    of_board = replace(pin, measures={**pin.measures, "rows": 80, "labelled": 80})
    compare.set_pins([of_board, Pin.of_point(swept.points[3])])
    assert label.text() == "Measured on PC 1–2, all 80 rows."
    held = Yardstick((0, 1, 2, 3, 4), 2000, 1500)
    of_sample = Pin.of_point(replace(swept.points[3], yardstick=held))
    assert measured_text((of_board, replace(of_sample, count=10_000))) == (
        "Measured on PC 1–2, all 80 rows (left), on PC 1–5, 2,000 of 10,000 rows, "
        "classes on 1,500 of 10,000 rows (right)."
    )
    compare.set_pins([])
    assert not label.isVisibleTo(compare)
