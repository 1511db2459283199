"""Copying: the derivation, or one line of it, as LaTeX or as NumPy."""

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QAction, QGuiApplication
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from kpca_viewer.features.derivation.steps import Derivation
from kpca_viewer.features.derivation.view.grid import MatrixGrid
from kpca_viewer.features.derivation.view.lines import LINES
from kpca_viewer.widgets.controls import IconButton

_WAYS = {"latex": "LaTeX", "numpy": "NumPy"}
_STEPS = {"eigen": ("eigenvalues", "vectors")}
"""Steps that share a line."""
_ONLY_WHOLE = ("primal",)
"""Lines that are no step of their own."""


class Copying(QObject):
    """Puts texts onto the clipboard.

    Attributes
    ----------
    derivation : Derivation or None
        What is copied; None before there is anything.
    tool : IconButton
        A button with a menu for the whole derivation.
    """

    copied = Signal(str)
    """What is on the clipboard, in words."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.derivation: Derivation | None = None
        tip = "Copy all steps as LaTeX, or as NumPy code that runs"
        self.tool = IconButton("copy", tip, 18)
        self.tool.setObjectName("derivation_copy_button")
        self.tool.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self.tool.setProperty("arrow", False)
        self._whole = QMenu(self.tool)
        self._fill(self._whole, None)
        self.tool.setMenu(self._whole)
        self._of_line = QMenu(parent)
        self._of_line.setObjectName("derivation_menu")

    def menu(self, line: str | None, grid: MatrixGrid | None = None) -> QMenu:
        """Return a menu for a grid, for its line, by its key, and for all of them."""
        self._of_line.clear()
        if grid is not None:
            what = "the numbers" if grid.selection is None else "the selected numbers"
            numbers = self._of_line.addAction(f"Copy {what}")
            numbers.setObjectName("derivation_copy_numbers")
            numbers.triggered.connect(grid.copy)
            self._of_line.addSeparator()
        if line is not None and line not in _ONLY_WHOLE:
            self._fill(self._of_line, line)
            self._of_line.addSeparator()
        self._fill(self._of_line, None)
        return self._of_line

    def _fill(self, menu: QMenu, line: str | None) -> None:
        what = "all steps" if line is None else f"“{LINES[line].title}”"
        for way, title in _WAYS.items():
            action = menu.addAction(f"Copy {what} as {title}")
            action.setObjectName(f"derivation_copy_{way}_{line or 'all'}")
            action.setData((way, line))
            action.triggered.connect(self._on_triggered)

    def _on_triggered(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            self.copy(*action.data())

    def copy(self, way: str, line: str | None = None) -> None:
        """Put all steps, or one line of them, onto the clipboard."""
        if self.derivation is None:
            return
        # Imported on first use: nobody copies in the first second.
        from kpca_viewer.features.derivation import texts

        write = texts.as_latex if way == "latex" else texts.as_numpy
        steps = [None] if line is None else _STEPS.get(line, (line,))
        written = [write(self.derivation, step) for step in steps]
        QGuiApplication.clipboard().setText("\n".join(written))
        what = "the derivation" if line is None else LINES[line].title.lower()
        self.copied.emit(f"{what} as {_WAYS[way]}")
