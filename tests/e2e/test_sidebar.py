"""The sidebar under the hands: the wheel, undo and wrong numbers."""

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QComboBox, QLabel, QPushButton, QWidget

from kpca_viewer.widgets.controls import Switch
from tests.e2e.files import accept, drop
from tests.e2e.program import CTRL, LEFT, NO_KEY, SHIFT


@pytest.fixture
def program(same_program):
    return same_program


def enter_number(program, name: str, text: str) -> QWidget:
    """Click into a field, type over what is there and press Enter."""
    field = program.find(QWidget, name)
    program.click(field)
    program.press(Qt.Key.Key_A, CTRL)
    program.type(text)
    program.press(Qt.Key.Key_Return)
    program.settle()
    return field


def test_scrolling_the_sidebar_changes_nothing(program):
    program.window.resize(1366, 600)
    program.unfold("components")
    sidebar, before = program.window.sidebar, program.settings
    combo = program.find(QComboBox, "x_axis_combo")
    card = program.find(QWidget, "components_card")
    # Between the cards, from where a choice slides under the pointer.
    at = card.mapTo(program.window, QPoint(card.width() - 60, -4))
    QTest.mouseMove(program.window.windowHandle(), at)
    for _ in range(20):
        QTest.wheelEvent(program.window.windowHandle(), QPointF(at), QPoint(0, -120))
    bar = sidebar.verticalScrollBar()
    assert bar.value() == bar.maximum() > 0
    assert program.settings == before
    assert not combo.hasFocus()


def test_undo_after_a_number_was_typed_or_half_typed(program):
    suggested = program.result.kernel.values["gamma"]
    field = enter_number(program, "gamma_field", "7.25")
    assert program.result.kernel.values["gamma"] == 7.25
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.result.kernel.values["gamma"] == suggested
    assert field.text() != "7.25"
    program.press(Qt.Key.Key_Z, CTRL | SHIFT)
    program.settle()
    assert field.text() == "7.25"
    # What is half typed is taken back in the field alone.
    program.click(field)
    program.type("8")
    program.press(Qt.Key.Key_Z, CTRL)
    assert field.text() == "7.25"
    assert dict(program.settings.kernel.values) == {"gamma": 7.25}


WRONG = [
    ("gamma_field", "0", "Gamma γ must be between 1e-10 and 1e9; it stays 2."),
    ("gamma_field", "2/3", "“2/3” is not a number; Gamma γ stays 2."),
    (
        "samples_field",
        "5000000",
        "Samples n must be between 3 and 1,000,000; it stays 400.",
    ),
    ("sweep_steps_field", "0", "Sweep steps must be between 1 and 500; it stays 30."),
    ("seed_field", "-1", "Seed must be between 0 and 999,999; it stays 0."),
]


def test_a_wrong_number_is_said(program):
    for name, text, sentence in WRONG:
        enter_number(program, "gamma_field", "2")
        before = program.settings
        enter_number(program, name, text)
        assert program.message() == sentence
        assert program.settings == before
        enter_number(program, "gamma_field", "3")
        assert program.message() == "", "the message outlived its reason"


def click_window(program, widget: QWidget, at: QPoint) -> None:
    """Click where the window system does, whatever takes it."""
    spot = widget.mapTo(program.window, at)
    QTest.mouseClick(program.window.windowHandle(), LEFT, NO_KEY, spot)


def test_digits_choose_kernels_once_a_number_is_entered(program):
    field = program.find(QWidget, "samples_field")
    rows = program.result.dataset.n
    for samples, how in enumerate(("enter", "escape", "card", "status", "plot"), 120):
        program.click(field)
        program.press(Qt.Key.Key_A, CTRL)
        program.type(str(samples))
        assert field.text() == str(samples), "digits belong to a field that is typed in"
        if how == "enter":
            program.press(Qt.Key.Key_Return)
        elif how == "escape":
            program.press(Qt.Key.Key_Escape)
        elif how == "plot":
            canvas = program.board.spectrum.view
            click_window(program, canvas, canvas.rect().center())
        else:
            name = {"card": "data_card", "status": "status_label"}[how]
            widget = program.find(QWidget, name)
            click_window(program, widget, QPoint(4, widget.height() - 4))
        assert not field.hasFocus(), how
        program.press(Qt.Key.Key_1)
        program.settle()
        assert program.settings.kernel.family == "linear", how
        rows = rows if how == "escape" else samples
        assert program.result.dataset.n == rows, how
        program.press(Qt.Key.Key_3)
        program.settle()
        assert program.settings.kernel.family == "rbf", how


def test_a_refused_number_keeps_the_keys(program):
    field = enter_number(program, "gamma_field", "0")
    assert field.hasFocus()
    program.press(Qt.Key.Key_Escape)
    assert not field.hasFocus()


def test_escape_and_tab_leave_a_field(program):
    program.action("select_all").trigger()
    field = program.find(QWidget, "seed_field")
    program.click(field)
    program.press(Qt.Key.Key_Escape)
    assert not field.hasFocus()
    assert program.board.linking.selection is not None
    program.press(Qt.Key.Key_Escape)
    assert program.board.linking.selection is None
    # Tab goes on from a field that was entered.
    program.focus(program.find(QWidget, "samples_field"))
    program.type("120")
    program.press(Qt.Key.Key_Return)
    program.settle()
    program.press(Qt.Key.Key_Tab)
    assert program.window.focusWidget().objectName() == "noise_slider"


def test_a_suggestion_says_what_it_knows_and_can_be_undone(program):
    enter_number(program, "gamma_field", "12")
    button = program.find(QPushButton, "suggest_button")
    assert button.toolTip().endswith(
        "Here it is based on the held-out classes of 400 rows: 100 ± 0.3 % balanced "
        "accuracy on two components, guessing 50 %. Ctrl+Z brings the value before "
        "back."
    )
    program.click(button)
    program.settle()
    suggested = program.result.kernel.values["gamma"]
    assert suggested == program.result.suggested["gamma"]
    assert program.message().startswith("γ = ")
    assert program.message().endswith(
        " is based on the held-out classes of 400 rows: 100 ± 0.3 % balanced accuracy "
        "on two components, guessing 50 %."
    )
    program.click(program.buttons()["Undo"])
    program.settle()
    assert program.result.kernel.values["gamma"] == 12
    assert program.message() == ""
    # The way back is offered for as long as it leads there.
    program.click(button)
    program.settle()
    program.press(Qt.Key.Key_R)
    program.settle()
    assert "Undo" not in program.buttons()


def test_few_rows_have_few_components(program, tmp_path):
    path = tmp_path / "few.csv"
    points = np.random.default_rng(0).normal(size=(6, 3))
    np.savetxt(path, points, delimiter=",", header="a,b,c", comments="")
    drop(program, path)
    accept(program)
    program.activate()
    program.unfold("components")
    field = program.find(QWidget, "components_field")
    program.window.sidebar.ensureWidgetVisible(field)
    assert field.text() == "5"
    assert program.result.scores.shape == (6, 5)
    assert program.find(QComboBox, "x_axis_combo").count() == 5
    enter_number(program, "components_field", "6")
    assert program.message() == (
        "Components must be between 2 and 5 (6 rows have no more once centred); it "
        "stays 5."
    )
    program.press(Qt.Key.Key_Escape)
    program.press(Qt.Key.Key_C)
    program.settle()
    assert program.result.scores.shape == (6, 6)
    assert field.text() == "6"
    # Ten were asked for, and there are ten again where there are rows enough.
    program.choose("source_combo", "Circles")
    program.settle()
    assert field.text() == "10"


@pytest.fixture
def matrices(tmp_path):
    """Return files with a kernel matrix and with distances of the same points."""
    points = np.random.default_rng(0).normal(size=(12, 2))
    kernel, distances = tmp_path / "kernel.csv", tmp_path / "distances.csv"
    np.savetxt(kernel, points @ points.T, delimiter=",")
    np.savetxt(distances, np.hypot(*(points[:, None] - points).T), delimiter=",")
    return {"kernel": kernel, "distances": distances}


def test_a_given_matrix_is_named_in_place_of_a_kernel(program, matrices):
    names = ("kernel_combo", "kernel_formula", "gamma_row", "suggest_button")
    for kind, title in (
        ("kernel", "Kernel matrix from the file"),
        ("distances", "Distances from the file"),
    ):
        parts = [program.find(QWidget, name) for name in names]
        drop(program, matrices[kind])
        accept(program)
        program.settle()
        assert program.result.dataset.kind == kind
        assert program.find(QLabel, "given_matrix_label").text().startswith(title)
        assert not any(part.isVisible() for part in parts)
        center = program.find(Switch, "center_switch")
        assert center.isChecked()
        assert center.isEnabled() == (kind == "kernel")
        program.activate()
        program.choose("source_combo", "Circles")
        program.settle()
        assert all(part.isVisible() for part in parts[:2])
        assert center.isEnabled()


def test_distances_are_centred_whatever_was_chosen_before(program, matrices):
    program.click(program.find(Switch, "center_switch"))
    drop(program, matrices["distances"])
    accept(program)
    program.settle()
    assert program.find(Switch, "center_switch").isChecked()
    assert "not centred" not in program.window.status_text()
    assert "Not centred" not in program.caption("embedding")


def test_the_component_of_another_axis_trades_places(program):
    program.unfold("components")
    program.choose("x_axis_combo", "PC 2")
    program.settle()
    assert program.settings.view.axes == (1, 0, 2)
    assert program.find(QComboBox, "y_axis_combo").currentText().startswith("PC 1")
    program.choose("x_axis_combo", "PC 5")
    program.settle()
    assert program.settings.view.axes == (4, 0, 2)
    program.press(Qt.Key.Key_Z, CTRL)
    program.press(Qt.Key.Key_Z, CTRL)
    assert program.settings.view.axes == (0, 1, 2)
    program.settle()


def test_features_of_the_data_trade_places_too(program):
    program.choose("source_combo", "Iris")
    program.settle()
    first, second = (
        program.find(QComboBox, f"data_{axis}_combo").currentData() for axis in "xy"
    )
    program.choose("data_x_combo", program.result.dataset.feature_names[second])
    assert program.settings.view.data_axes[:2] == (second, first)


def test_other_data_begin_with_what_suits_them_and_one_button_keeps_the_rest(program):
    program.drag_slider("gamma_slider", 0.7)
    program.settle()
    before = program.settings.kernel
    program.choose("source_combo", "Moons")
    program.settle()
    assert program.settings.kernel.values == ()
    assert "suggested for Moons now" in program.message()
    (keep,) = (
        b for text, b in program.buttons().items() if text.startswith("Keep γ = ")
    )
    program.click(keep)
    program.settle()
    assert program.settings.kernel == before
    assert program.settings.data.source == "moons"
    assert program.message() == ""
    # Both steps go back, one after the other.
    for _ in range(2):
        program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings.data.source == "circles"
    assert program.settings.kernel == before


def test_without_centring_the_kernel_matrix_is_the_one_in_use(program):
    program.board.compare.show_page("gram")
    gram, switch = (
        program.board.compare.views["gram"].view,
        program.find(Switch, "center_switch"),
    )
    assert gram.caption() == "centred kernel matrix"
    program.click(switch)
    program.settle()
    assert gram.caption() == "kernel matrix"
    sentence = program.result.mean.sentence
    assert sentence.startswith("Not centred: PC 1 is nearly the mean of the points")
    assert program.caption("embedding").endswith(sentence)
    # Who wants to see the other one still can.
    program.click(program.find(QWidget, "gram_centring").button("centred"))
    assert gram.caption() == "centred kernel matrix"
    program.click(switch)
    program.settle()
    assert gram.caption() == "centred kernel matrix"
    assert sentence not in program.caption("embedding")
    for _ in range(3):
        program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings.analysis.center
    assert program.settings.view.gram_centred


def stretch(view) -> float:
    """Return how many pixels a unit of y has for one of x."""
    frame = view.area.frame
    (x0, x1), (y0, y1) = frame.x_range, frame.y_range
    return (frame.height / (y1 - y0)) / (frame.width / (x1 - x0))


def test_units_are_equally_long_unless_the_panel_is_filled(program):
    views = program.board.embedding.view, program.board.compare.pca
    assert [stretch(view) for view in views] == pytest.approx([1, 1])
    assert all(inside(view) for view in views)
    program.window.resize(1100, 780)
    assert [stretch(view) for view in views] == pytest.approx([1, 1])
    program.unfold("appearance")
    switch = program.find(Switch, "fills_switch")
    program.window.sidebar.ensureWidgetVisible(switch)
    with program.never_busy():
        program.click(switch)
    assert program.settings.view.fills
    assert program.window.actions_table["fill_panel"].isChecked()
    stretched = [stretch(view) for view in views]
    assert all(abs(each - 1) > 0.05 for each in stretched), stretched
    assert all(inside(view) for view in views)
    program.press(Qt.Key.Key_Z, CTRL)
    assert not switch.isChecked()
    assert [stretch(view) for view in views] == pytest.approx([1, 1])
    program.press(Qt.Key.Key_F, on=program.window)
    assert switch.isChecked()


def inside(view) -> bool:
    return all(view.area.frame.contains(x, y) for x, y in view.pixels())


def test_an_axis_whose_component_goes_shows_another(program):
    program.unfold("components")
    program.choose("x_axis_combo", "PC 5")
    program.settle()
    enter_number(program, "components_field", "3")
    program.settle()
    assert program.settings.view.axes == (0, 1, 2)
    assert program.find(QComboBox, "x_axis_combo").currentText().startswith("PC 1")
    assert np.ptp(program.embedding, axis=0).min() > 0
    assert program.caption("data").startswith("Isolines of PC 1.")
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings.view.axes == (4, 1, 2)
    assert program.settings.analysis.components == 10
