"""Two pins side by side: names, rows, colours, scale and what is different."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtWidgets import QComboBox, QLabel

from kpca_viewer.engine.settings import DataSettings, as_values
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.features.pins.compute import difference
from kpca_viewer.features.pins.page import CompareView
from kpca_viewer.features.pins.pins import Pin, Pins, subject
from kpca_viewer.features.pins.text import apart_text, measured_text, pin_names
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.widgets.plots.coloring import coloring
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.widgets.theme import DARK
from kpca_viewer.widgets.thumbnails import Shades

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
    view.follow(None, replace(shades, subject=subject(settings.data)))
    view.set_pins([pin, of_data(pin, "moons")])
    yield view
    view.close()


def test_the_comparison_names_the_data(compare):
    combo = compare.findChild(QComboBox, "compare_b_combo")
    assert combo.currentText() == f"2  Moons · {TITLE}"


def test_names_without_room_show_what_tells_the_pins_apart(compare, pin):
    titles = [f"Polynomial, γ = 1, c = 1, p = {p}" for p in (2, 3)]
    compare.set_pins([replace(pin, title=title) for title in titles])
    combos = [compare.findChild(QComboBox, f"compare_{c}_combo") for c in "ab"]
    for combo in combos:
        combo.resize(150, combo.height())
    assert [combo.shown_text() for combo in combos] == ["1 p = 2", "2 p = 3"]
    for combo in combos:
        combo.resize(600, combo.height())
    assert [combo.shown_text()[2:] for combo in combos] == titles


def test_a_narrow_page_has_room_for_both_names(compare, qtbot):
    combos = [compare.findChild(QComboBox, f"compare_{c}_combo") for c in "ab"]
    compare.resize(300, 500)
    compare.show()
    qtbot.waitUntil(lambda: combos[0].y() < combos[1].y())
    assert all(combo.width() > 150 for combo in combos)
    compare.resize(700, 500)
    qtbot.waitUntil(lambda: combos[0].y() == combos[1].y())


def test_rows_of_other_data_are_not_laid_over_each_other(compare):
    assert compare.words == (
        "Not the same rows: Circles in A, Moons in B. Compare the measures only."
    )
    assert compare.difference is None


def test_more_noise_moves_the_same_rows(compare, pin):
    compare.set_pins([pin, of_data(pin, noise=0.2)])
    assert compare.difference is not None


def test_a_selection_marks_no_rows_of_other_data(compare, linking):
    mask = np.arange(80) < 10
    linking.apply_selection(mask, "replace")
    left, right = (view.area.cloud.selected for view in views(compare))
    assert (left == mask).all()
    assert right is None


def test_pins_of_other_data_than_those_that_are_open_say_of_which(compare, pin):
    compare.set_pins([pin, pin])
    combo = compare.findChild(QComboBox, "compare_b_combo")
    compare.follow(pin.settings.data, Shades())
    assert combo.currentText() == f"2  {TITLE}"
    combo.setCurrentIndex(0)
    compare.follow(DataSettings("moons"), Shades())
    assert combo.currentText() == f"1  Circles · {TITLE}"
    # Of the same rows, whatever is open.
    assert compare.difference is not None
    noisy = DataSettings("circles", (("samples", 80.0), ("noise", 0.2)))
    compare.follow(noisy, Shades())
    assert combo.currentText().startswith("1  Circles, noise 0.05 · ")


def test_a_file_with_other_content_has_other_rows(compare, pin, linking, shades):
    pins = [replace(of_data(pin, "wine.csv"), content=key) for key in ("old", "new")]
    compare.set_pins(pins)
    assert "“wine.csv” has changed between the two pins" in compare.words
    assert compare.difference is None
    data = pins[1].settings.data
    compare.follow(None, replace(shades, subject=subject(data, "new")))
    mask = np.arange(80) < 10
    linking.apply_selection(mask, "replace")
    left, right = (view.area.cloud.selected for view in views(compare))
    assert left is None
    assert (right == mask).all()


def test_the_table_says_on_what_it_was_measured(compare, pin):
    label = compare.findChild(QLabel, "compare_measured_label")
    compare.set_pins([pin, pin])
    assert label.text() == "Measured on PC 1–2, all 80 rows."
    held = {"rows": 2000, "labelled": 1500, "first": 5}
    of_sample = replace(pin, measures=held, count=10_000)
    assert measured_text((pin, of_sample)) == (
        "Measured on PC 1–2, all 80 rows (A), on PC 1–5, 2,000 of 10,000 rows, "
        "classes on 1,500 of 10,000 rows (B)."
    )
    compare.set_pins([])
    assert label.text() == ""


def views(compare):
    return [
        compare.findChild(ScatterView, f"compare_{side}_view") for side in ("a", "b")
    ]


def test_two_pins_share_a_scale_and_have_a_difference(compare, pin):
    compare.set_pins([])
    empty = [view.area.overlay.empty_text for view in views(compare)]
    assert empty == ["Pin a first picture (P)"] * 2
    compare.set_pins([pin])
    assert views(compare)[1].area.overlay.empty_text == "Pin a second picture (P)"
    assert compare.words.startswith("Pin two pictures")
    half = replace(pin, coordinates=pin.coordinates / 2)
    compare.set_pins([pin, half])
    assert compare.words == "The pictures are the same."
    assert len({view.view_range() for view in views(compare)}) == 1
    compare.resize(300, 90)
    compare.set_pins([half, pin])
    compare.resize(600, 700)
    frame = views(compare)[1].area.frame
    shown = [high - low for low, high in (frame.x_range, frame.y_range)]
    assert (np.ptp(pin.coordinates, axis=0) / shown).max() > 0.7
    compare.set_pins([pin, replace(pin, coordinates=40 * pin.coordinates)])
    assert "Each has its own scale: B is 40 times as wide." in compare.words
    assert len({view.view_range() for view in views(compare)}) == 2
    compare.set_theme(DARK)
    assert not compare.grab().isNull()


def test_a_selection_reaches_the_comparison_and_comes_from_it(compare, linking, pin):
    compare.set_pins([pin, pin])
    mask = np.arange(80) == 3
    views(compare)[1].selected.emit(mask, "replace")
    np.testing.assert_array_equal(linking.selection, mask)
    views(compare)[0].hovered.emit(5)
    assert linking.hovered == 5
    assert views(compare)[1].area.cloud.hovered == 5


def test_pins_are_taken_back_and_removed(compare, pin):
    said, removed = [], []
    compare.adopted.connect(lambda settings, gesture: said.append(settings))
    compare.removed.connect(removed.append)
    compare.set_pins([pin, of_data(pin, "moons")])
    for name in ("take", "remove"):
        compare.findChild(IconButton, f"compare_{name}_button").click()
    assert said == [removed[0].settings] == [compare.pins[1].settings]
    compare.set_pins([pin])
    assert not compare.findChild(IconButton, "compare_remove_button").isEnabled()


def test_other_numbers_of_rows_are_not_compared(compare, pin):
    few = Pin("few", pin.settings, np.zeros((5, 2)), np.arange(5), 5)
    compare.set_pins([pin, few])
    assert "Not the same rows: 80 rows in A, 5 in B" in compare.words
    assert compare.difference is None


def test_a_difference_undoes_rotation_mirror_and_scale():
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 2))
    turn = np.array([[0.6, 0.8], [0.8, -0.6]])
    same = difference(5 * X @ turn + 3, X)
    assert (same.residual, same.neighbours) == pytest.approx((0, 1), abs=1e-9)
    flat = np.pad(X, ((0, 0), (0, 1)))
    assert difference(flat, X).residual == pytest.approx(0, abs=1e-9)
    other = difference(rng.normal(size=(60, 2)), X)
    assert other.residual > 0.8
    assert apart_text(other) == (
        "The pictures show different things: 15 % of nearest neighbours are the same."
    )
    assert difference(np.zeros((1, 2)), np.zeros((1, 2))).neighbours == 1


@pytest.mark.parametrize(
    ("noise", "words"),
    [
        (0.0, "The pictures are the same."),
        (0.04, "details only: 8"),
        (0.1, "alike at large, not in detail: 62 %"),
        (0.35, "alike in part: 20 %"),
    ],
)
def test_differences_in_words(noise, words):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(500, 2))
    assert words in apart_text(difference(X + noise * rng.normal(size=X.shape), X))


def test_a_pin_that_is_early_gets_its_measures_later(qtbot, analysis, settings):
    pins = Pins(SessionStore(settings), {})
    told = []
    pins.pins_changed.connect(told.append)
    pins.add(Pin.of_result(replace(analysis, comparison=None)))
    (early,) = told[0]
    assert "silhouette" not in early.measures
    qtbot.waitUntil(lambda: told[-1][0].is_scored)
    (whole,) = told[-1]
    quality = analysis.comparison.kernel
    assert whole.measures["silhouette"] == pytest.approx(quality.silhouette)
    np.testing.assert_array_equal(whole.coordinates, early.coordinates)
    pins.close()


def test_the_share_of_the_largest_class_stands_below_the_accuracies(compare, pin):
    wide = replace(pin, measures={**pin.measures, "chance": 0.9})
    compare.set_pins([pin, wide])
    shown = [label.text() for label in compare.findChildren(QLabel) if label.text()]
    place = shown.index("Largest class")
    assert shown[place : place + 3] == ["Largest class", "50.0 %", "90.0 %"]
    assert shown.index("k-NN accuracy (rows)") == place - 3
    assert pin.largest_class == 0.5
