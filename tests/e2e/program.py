"""The running program and the hands of the person in front of it."""

from dataclasses import replace
from typing import TypeVar

import numpy as np
from PySide6.QtCore import QCoreApplication, QPoint, QPointF, QSize, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QPushButton,
    QSplitterHandle,
    QWidget,
)

from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.features.sweep.strip import SweepStrip
from kpca_viewer.widgets.controls.formula_label import FormulaLabel
from kpca_viewer.widgets.controls.value_slider import ValueSlider
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.window.app import Viewer
from kpca_viewer.window.sidebar.settings_card import SettingsCard

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier

SMALL = SessionSettings(data=DataSettings(values=(("samples", 60.0),)))
"""Circles of few points, for tests in which something else takes its time."""


def with_kernel(family: str) -> SessionSettings:
    """Return the few points with another kernel."""
    return replace(SMALL, kernel=KernelSettings(family))


W = TypeVar("W", bound=QWidget)


class Program:
    """A started viewer, worked by mouse and keyboard through its widgets."""

    def __init__(self, qtbot, viewer: Viewer) -> None:
        self.qtbot = qtbot
        self.viewer = viewer
        self.window = viewer.window
        self.board = viewer.window.board
        with qtbot.waitExposed(self.window):
            viewer.show()
        self.activate()

    def activate(self) -> None:
        """Bring the window to the front; offscreen no window manager does that."""
        self.window.activateWindow()
        self.until(lambda: QApplication.activeWindow() is self.window)

    # What can be seen

    @property
    def settings(self):
        return self.viewer.store.settings

    @property
    def result(self):
        return self.viewer.presenter.result

    @property
    def embedding(self) -> np.ndarray:
        """Where the embedding draws its points, (n, 2 or 3)."""
        return self.board.embedding.view.area.placed

    @property
    def strip(self) -> SweepStrip:
        return self.viewer.controllers["sweep"].strip

    def find(self, kind: type[W], name: str) -> W:
        found = [w for w in self.window.findChildren(kind, name) if alive(w)]
        assert len(found) == 1, f"{name}: {found}"
        return found[0]

    @property
    def selected(self) -> list[int]:
        """The rows that are selected."""
        mask = self.board.linking.selection
        return [] if mask is None else np.flatnonzero(mask).tolist()

    def caption(self, panel: str) -> str:
        """Return the line below a plot."""
        host = self.find(QWidget, f"{panel}_panel")
        return host.findChild(QLabel, "panel_caption").text()

    def verdict(self) -> str:
        """Return all that the line above the plots says."""
        line: str = self.find(QWidget, "verdict_line").text()
        return line

    def message(self) -> str:
        bar = self.window.message_bar
        return bar.text() if bar.isVisible() else ""

    def buttons(self) -> dict[str, QPushButton]:
        """Return the buttons of the message by their text."""
        found = self.window.message_bar.findChildren(QPushButton, "message_action")
        return {b.text(): b for b in found if b.isVisible()}

    # What has to be waited for

    def settle(self) -> None:
        """Wait until nothing is computed, and let points be where they glide to."""
        self.until(lambda: not self.viewer.runner.busy and self.board.is_settled())
        self.board.embedding.view.glide.finish()

    def places(self) -> dict[QWidget, tuple[QPoint, QSize]]:
        """Return where every visible control of the window stands, and its size."""
        window = self.window
        return {
            widget: (widget.mapTo(window, QPoint(0, 0)), widget.size())
            for part in (window.sidebar, self.board, self.strip)
            for widget in part.findChildren(QWidget)
            # Handles are made anew when panels are arranged.
            if widget.isVisible() and not isinstance(widget, QSplitterHandle)
        }

    def places_at_rest(self) -> dict[QWidget, tuple[QPoint, QSize]]:
        """Wait until no layout or formula is on its way; return the places then."""

        def is_at_rest() -> bool:
            formulas = self.window.findChildren(FormulaLabel)
            are_set = all(f.is_settled() for f in formulas if f.isVisible())
            before = self.places()
            # Cards ask for their room one after the other, from the inside outwards.
            for _ in range(5):
                QCoreApplication.sendPostedEvents()
            return are_set and self.places() == before

        self.settle()
        self.until(is_at_rest)
        return self.places()

    def until(self, condition) -> None:
        self.qtbot.waitUntil(condition)

    def never_busy(self):
        """Fail if anything is computed inside."""
        return self.qtbot.assertNotEmitted(self.viewer.runner.busy_changed)

    # What the hands do

    def press(self, key, keys=NO_KEY, on: QWidget | None = None) -> None:
        """Press a key where the focus is."""
        QTest.keyClick(on or self.window.focusWidget() or self.window, key, keys)

    def type(self, text: str) -> None:
        QTest.keyClicks(self.window.focusWidget(), text)

    def focus(self, widget: QWidget) -> None:
        """Walk to a widget with the Tab key, as somebody without a mouse does."""
        for _ in range(200):
            if self.window.focusWidget() is widget:
                return
            self.press(Qt.Key.Key_Tab)
        raise AssertionError(f"Tab does not reach {widget.objectName()}")

    def click(self, widget: QWidget) -> None:
        QTest.mouseClick(widget, LEFT, NO_KEY, widget.rect().center())

    def unfold(self, card: str) -> None:
        """Open a card of the sidebar, unless it is open."""
        found = self.find(SettingsCard, f"{card}_card")
        if found.collapsed():
            self.click(found.header)

    def present(self) -> None:
        """Present on the whole screen."""
        self.press(Qt.Key.Key_F11)
        screen = self.window.screen().size()
        self.until(lambda: self.window.size() == screen)

    def action(self, key: str):
        return self.window.actions_table[key]

    def choose(self, name: str, text: str) -> None:
        """Click a combo box and take one of its lines."""
        combo = self.find(QComboBox, name)
        self.click(combo)
        self._take(combo, text)

    def choose_by_keys(self, name: str, text: str) -> None:
        """Walk to a combo box and to one of its lines with keys alone."""
        combo = self.find(QComboBox, name)
        self.focus(combo)
        self.press(Qt.Key.Key_Down, Qt.KeyboardModifier.AltModifier)
        self._take(combo, text)

    def _take(self, combo: QComboBox, text: str) -> None:
        # By keys in both cases: Qt ignores the mouse until it is sure that the click
        # which opened the list is over.
        view = combo.view()
        self.until(view.isVisible)
        target = combo.findText(text, Qt.MatchFlag.MatchStartsWith)
        assert target >= 0, f"{text} is not in {combo.objectName()}"
        for _ in range(combo.count()):
            row = view.currentIndex().row()
            if row == target:
                break
            QTest.keyClick(view, Qt.Key.Key_Down if row < target else Qt.Key.Key_Up)
        QTest.keyClick(view, Qt.Key.Key_Return)
        self.until(lambda: not view.isVisible())
        self.activate()
        assert combo.currentText().startswith(text)

    def drag_slider(self, name: str, share: float, steps: int = 6) -> None:
        """Drag the handle of a slider to a share of its length."""
        slider = self.find(ValueSlider, name)
        y = slider.height() // 2
        last = slider.minimum() + share * (slider.maximum() - slider.minimum())
        start, end = slider.x_of(slider.value()), slider.x_of(round(last))
        QTest.mousePress(slider, LEFT, NO_KEY, QPoint(round(start), y))
        for step in np.linspace(start, end, steps + 1)[1:]:
            QTest.mouseMove(slider, QPoint(round(step), y))
            QTest.qWait(0)
        QTest.mouseRelease(slider, LEFT, NO_KEY, QPoint(round(end), y))

    def drag(self, view: ScatterView, path, keys=NO_KEY) -> None:
        """Drag through a plot along pixels."""
        target = view.canvas.viewport()
        QTest.mousePress(target, LEFT, keys, path[0])
        for point in path[1:]:
            QTest.mouseMove(target, point)
        QTest.mouseRelease(target, LEFT, keys, path[-1])

    def select(self, *rows: int) -> None:
        """Select rows, and no others."""
        mask = np.zeros(self.result.dataset.n, dtype=bool)
        mask[list(rows)] = True
        self.board.linking.apply_selection(mask, "replace")

    def lasso(self, view: ScatterView, rows, keys=NO_KEY) -> None:
        """Draw a loop around rows, close to the outermost of them."""
        pixels = view.pixels()[rows]
        (x0, y0), (x1, y1) = pixels.min(axis=0) - 4, pixels.max(axis=0) + 4
        corners = [(x0, y0), (x1, y0), (x1, y1), (x0, y1), (x0, y0)]
        self.drag(view, [QPointF(*c).toPoint() for c in corners], keys)

    def hover(self, view: ScatterView, row: int) -> None:
        """Move the mouse over a row until it is lit, wherever it moves meanwhile."""
        away = 0

        def lit() -> bool:
            nonlocal away
            # A hand trembles: a mouse that does not move at all sends no event.
            away = 1 - away
            at = QPointF(*view.pixels()[row]).toPoint() + QPoint(away, 0)
            QTest.mouseMove(view.canvas.viewport(), at)
            return self.board.linking.hovered == row

        self.until(lit)

    def pixel(self, view: ScatterView, x: float, y: float) -> QPoint:
        """Return where data coordinates are on the screen."""
        return QPointF(*view.area.frame.to_pixels(np.array([[x, y]]))[0]).toPoint()

    def click_plot(self, view: ScatterView, x: float, y: float) -> None:
        QTest.mouseClick(view.canvas.viewport(), LEFT, NO_KEY, self.pixel(view, x, y))

    def close(self) -> None:
        self.window.close()


def alive(widget: QWidget) -> bool:
    """Return whether a widget is more than the shadow of a removed row."""
    parent = widget.parentWidget()
    return not widget.isHidden() and (parent is None or not parent.isHidden())
