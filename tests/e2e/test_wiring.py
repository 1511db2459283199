"""Every control can be found, named, reached and used."""

from itertools import pairwise

from PySide6.QtCore import SIGNAL, Qt, QThread
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QFileDialog,
    QLineEdit,
    QMenuBar,
    QScrollBar,
    QWidget,
)

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.settings import DataSettings, SessionSettings, as_values
from kpca_viewer.window.feature import all_actions
from tests.e2e.program import Program

NAMES = (
    "source_combo",
    "samples_slider",
    "noise_slider",
    "seed_field",
    "kernel_combo",
    "gamma_slider",
    "gamma_field",
    "components_field",
    "x_axis_combo",
    "y_axis_combo",
    "z_axis_combo",
    "color_combo",
    "data_view",
    "embedding_view",
    "spectrum_view",
    "gram_view",
    "pca_view",
    "message_bar",
)
"""Controls and plots of the first picture; a polynomial adds two fields."""


def focusable(program: Program) -> list[QWidget]:
    """Return every visible control that takes the focus by the Tab key."""
    return [
        widget
        for widget in program.window.findChildren(QWidget)
        if widget.isVisible()
        and widget.isEnabled()
        and widget.focusPolicy() & Qt.FocusPolicy.TabFocus
        and widget.focusProxy() is None
        and not isinstance(widget, QScrollBar | QMenuBar)
        # The text of a number field is a part of it.
        and not isinstance(widget.parent(), QAbstractSpinBox | QComboBox)
        and not isinstance(widget, QLineEdit)
    ]


def open_everything(program: Program) -> None:
    """Unfold what is folded, so that every control is there to be tried."""
    for card in program.window.sidebar.cards:
        card.set_collapsed(False)
    program.window.findChild(QWidget, "advanced_fold").set_collapsed(False)
    program.press(Qt.Key.Key_3, Qt.KeyboardModifier.ControlModifier)
    program.settle()


def test_the_promised_names_are_there(program):
    for name in NAMES:
        assert program.window.findChild(QWidget, name) is not None, name
    program.press(Qt.Key.Key_2)
    program.settle()
    for name in ("degree_field", "coef0_field"):
        assert program.find(QWidget, name)


def test_every_control_has_a_name_a_tooltip_and_its_turn_in_the_way_of_tab(program):
    open_everything(program)
    check_names_titles_and_tooltips(program)
    check_that_tab_reaches_every_control_and_comes_back(program)
    check_that_tab_goes_down_the_cards(program)


def check_names_titles_and_tooltips(program: Program) -> None:
    controls = set()
    for page in ("table", "gram", "derivation", "pca"):
        program.action(f"page_{page}").trigger()
        controls |= set(focusable(program))
    assert len(controls) > 28
    for widget in controls:
        name = widget.objectName()
        assert name, widget
        assert not name.startswith("qt_"), widget
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        assert widget.accessibleName() or text, name
        # A button of a message says everything in its text.
        kinds = QAbstractButton | QAbstractSpinBox | QAbstractSlider | QComboBox
        if isinstance(widget, kinds) and name != "message_action":
            assert widget.toolTip(), name


def check_that_tab_reaches_every_control_and_comes_back(program: Program) -> None:
    expected = set(focusable(program))
    seen: list[QWidget] = []
    program.focus(program.find(QWidget, "source_combo"))
    for _ in range(4 * len(expected)):
        program.press(Qt.Key.Key_Tab)
        seen.append(program.window.focusWidget())
        if seen[-1].objectName() == "source_combo":
            break
    assert seen[-1].objectName() == "source_combo", "Tab is caught somewhere"
    missed = expected - set(seen)
    assert not missed, [widget.objectName() for widget in missed]


def check_that_tab_goes_down_the_cards(program: Program) -> None:
    program.focus(program.find(QWidget, "source_combo"))
    tops = []
    for _ in range(14):
        focus = program.window.focusWidget()
        if not program.window.sidebar.isAncestorOf(focus):
            break
        tops.append(
            focus.mapTo(program.window.sidebar.widget(), focus.rect().topLeft()).y()
        )
        program.press(Qt.Key.Key_Tab)
    assert len(tops) > 8
    assert all(b >= a - 8 for a, b in pairwise(tops)), tops


def test_every_action_does_something(start, monkeypatch):
    data = DataSettings("circles", as_values({"samples": 60}))
    program = start(SessionSettings(data=data))
    asked = []

    def choose_file(_parent, title, *_arguments):
        asked.append(title)
        return "", ""

    def choose_folder(_parent, title, *_arguments):
        asked.append(title)
        return ""

    for dialog in ("getSaveFileName", "getOpenFileName"):
        monkeypatch.setattr(QFileDialog, dialog, choose_file)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", choose_folder)
    for _, row in all_actions():
        action = program.action(row.key)
        signals = (SIGNAL("triggered(bool)"), SIGNAL("toggled(bool)"))
        assert any(map(action.receivers, signals)), row.key
    last = ["reset_layout", "start_over", "quit"]
    for key in [row.key for _, row in all_actions() if row.key not in last] + last:
        program.action(key).trigger()
        program.until(lambda: not program.viewer.runner.busy)
    assert asked
    assert program.settings == first_session()
    assert not program.window.isVisible()
    assert not program.viewer.runner.findChild(QThread, "kpca-worker").isRunning()


def test_every_kernel_has_a_picture(program):
    for number, name in enumerate(FAMILIES, start=1):
        program.press(Qt.Key(Qt.Key.Key_0 + number))
        program.settle()
        assert program.result.kernel.family.name == name
        assert program.result.settings == program.settings
        assert program.window.message_bar.severity() != "error"
