"""Two pictures are pinned in the real window and compared."""

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel

from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.widgets.controls import IconButton
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from tests.e2e.files import accept, drop

CTRL = Qt.KeyboardModifier.ControlModifier
SMOOTH = KernelSettings(values=(("gamma", 1.205),))


@pytest.fixture
def circles(start):
    """Rings that a smooth kernel parts by its third component only."""
    return start(SessionSettings(kernel=SMOOTH))


def pin(program):
    """Pin what is there, with all that is measured of it."""
    program.settle()
    program.until(lambda: program.result.comparison is not None)
    program.press(Qt.Key.Key_P)


def comparison(program):
    return program.viewer.controllers["pins"].view


def looks(view):
    """Return colour and shape of every point of a plot, (n, 4)."""
    cloud = view.area.cloud
    return np.column_stack([cloud.colors, cloud.shapes])


def test_a_pin_shows_the_components_that_were_measured(circles):
    circles.action("embedding_3d").trigger()
    pin(circles)
    circles.action("embedding_3d").trigger()
    pin(circles)
    view = comparison(circles)
    circles.until(view.isVisible)
    first, second = view.pins
    assert first.measures["linear_accuracy"] > second.measures["linear_accuracy"] + 0.3
    left, right = (
        view.findChild(ScatterView, f"compare_{side}_view") for side in ("a", "b")
    )
    assert (left.is_flat, right.is_flat) == (False, True)
    assert view.words == ("Different components: PC 1–3 in A, PC 1–2 in B.")
    texts = [label.text() for label in view.findChildren(QLabel)]
    assert {"A · PC 1–3", "B · PC 1–2"} <= set(texts)
    names = [
        view.findChild(QComboBox, f"compare_{side}_combo").currentText()
        for side in ("a", "b")
    ]
    assert names == [
        "1  RBF (Gaussian), γ = 1.21 · PC 1–3",
        "2  RBF (Gaussian), γ = 1.21 · PC 1–2",
    ]


def test_two_pins_in_space_are_compared_in_space(circles):
    circles.action("embedding_3d").trigger()
    pin(circles)
    pin(circles)
    view = comparison(circles)
    assert view.words == "The pictures are the same."
    assert [pinned.coordinates.shape[1] for pinned in view.pins] == [3, 3]


def test_a_pin_keeps_its_colours_when_other_data_are_shown(start):
    program = start(SessionSettings(data=DataSettings("digits")))
    pin(program)
    seen = looks(program.board.embedding.view)
    assert len(np.unique(seen, axis=0)) == 10
    program.choose("source_combo", "Moons")
    pin(program)
    view = comparison(program)
    left = view.findChild(ScatterView, "compare_a_view")
    np.testing.assert_array_equal(looks(left), seen)


def test_removing_a_pin_does_not_look_like_closing(circles):
    pin(circles)
    pin(circles)
    view = comparison(circles)
    remove = view.findChild(IconButton, "compare_remove_button")
    assert (remove.icon_name(), remove.toolTip()) == ("bin", "Remove the pin B")
    QTest.mouseClick(remove, Qt.MouseButton.LeftButton)
    assert view.isVisible()
    assert len(view.pins) == 1


def test_a_pin_in_space_comes_back_with_the_session(circles, restart):
    circles.action("embedding_3d").trigger()
    pin(circles)
    before = comparison(circles).pins[0]
    again = restart(circles)
    again.until(lambda: bool(comparison(again) and comparison(again).pins))
    after = comparison(again).pins[0]
    np.testing.assert_allclose(after.coordinates, before.coordinates, atol=1e-5)
    assert after.coordinates.shape[1] == 3
    assert dict(after.measures) == dict(before.measures)
    np.testing.assert_array_equal(after.shades.codes, before.shades.codes)


def test_a_pin_whose_file_was_gone_has_its_picture_once_it_is_open(
    start, restart, tmp_path
):
    path = tmp_path / "flowers.csv"
    rows = [f"{j % 7},{j % 11},{'ab'[j % 2]}" for j in range(60)]
    path.write_text("long,wide,kind\n" + "\n".join(rows))
    program = start()
    drop(program, path)
    accept(program)
    program.settle()
    program.viewer.controllers["pins"].pin()
    assert program.viewer.store.notes.pins
    program.choose("source_combo", "Circles")
    program.settle()
    again = restart(program)
    pins = again.viewer.controllers["pins"].pins
    again.until(lambda: bool(pins.lost))
    assert not pins.pictures
    drop(again, path)
    accept(again)
    again.until(lambda: len(pins.pictures) == 1 and not pins.busy)


def test_scores_of_a_pin_are_not_those_of_a_file_that_has_changed_since(
    start, restart, tmp_path
):
    path = tmp_path / "flowers.csv"

    def write(distance):
        rows = (
            f"{j % 7 + distance * (j % 2)},{j % 11},{'ab'[j % 2]}" for j in range(60)
        )
        path.write_text("long,wide,kind\n" + "\n".join(rows))

    write(distance=0)
    program = start()
    drop(program, path)
    accept(program)
    program.settle()
    program.until(lambda: program.result.comparison is not None)
    program.viewer.controllers["pins"].pin()
    (before,) = comparison(program).pins
    assert before.measures["rows"] == before.measures["labelled"] == 60
    write(distance=50)
    again = restart(program)
    again.until(lambda: bool(comparison(again) and comparison(again).pins))
    (after,) = comparison(again).pins
    assert after.measures["linear_accuracy"] == 1 > before.measures["linear_accuracy"]
    assert after.content != before.content
    again.window.message_bar.next_requested.emit()
    assert again.message().startswith("“flowers.csv” has changed since it was pinned")
