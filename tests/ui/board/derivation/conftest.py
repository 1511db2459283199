"""A board whose page Derivation is in front, and a hand over its numbers."""

from collections.abc import Callable

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.session.analysis import analyse
from kpca_viewer.session.notes import Notes
from kpca_viewer.session.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.ui.board.board import Board
from kpca_viewer.ui.board.derivation.grid import MatrixGrid

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
CORNER = QPoint(1, 1)
"""Beside all numbers; a place of zeros would be the middle for QTest."""


class Derived:
    """A board on which somebody reads the derivation."""

    def __init__(self, qtbot) -> None:
        self._qtbot = qtbot
        self.board = Board()
        qtbot.addWidget(self.board)
        self.board.resize(1300, 900)
        self.board.wishes.settings_wished.connect(self._on_wish)
        self.board.new_points.wished.connect(self._on_points)
        self.refused: list[str] = []
        self.board.wishes.refused.connect(self.refused.append)
        self.copied: list[str] = []
        self.board.compare.text_copied.connect(self.copied.append)
        self.gestures: list[str | None] = []
        self.view = self.board.compare.derivation

    def show(self, data: Dataset, settings: SessionSettings) -> None:
        """Analyse data and turn to the page, which fills the board."""
        self.data = data
        self._take(settings)
        self.board.show()
        if self.board.compare.pages.value() != "derivation":
            self.board.toggle_page("derivation")
        lines = self.body.steps.lines.values()
        self._qtbot.waitUntil(lambda: all(line.formula.is_settled() for line in lines))

    def _take(self, settings: SessionSettings) -> None:
        result = analyse(self.data, settings)
        scene = self.board.scene.changed(settings=settings, result=result)
        self.board.show_scene(scene)
        self.board.settle()

    def _on_wish(self, settings: SessionSettings, _gesture: str | None) -> None:
        self._take(settings)

    def _on_points(self, places, gesture) -> None:
        self.gestures.append(gesture)
        notes = Notes(new_points=places)
        self.board.show_scene(self.board.scene.changed(notes=notes))

    @property
    def body(self):
        assert self.view.body is not None
        return self.view.body

    @property
    def result(self):
        return self.board.scene.result

    def grid(self, key: str) -> MatrixGrid:
        return self.body.grid(key)

    def texts(self, key: str) -> list[list[str]]:
        """Read a matrix as somebody in front of the screen does."""
        grid = self.grid(key)
        content = grid.content
        return [
            [grid.text(i, j) for j in range(content.columns)]
            for i in range(content.lines)
        ]

    def place(self, key: str, cell: tuple[int, int]) -> QPoint:
        return self.grid(key).layout_of_cells.rect(cell).center().toPoint()

    def reach(self, key: str) -> MatrixGrid:
        """Scroll until a matrix can be pointed at."""
        # Rows that have come or gone move what stands below.
        grids = [grid for grid in self.body.steps.grids().values() if grid.isVisible()]
        self._qtbot.waitUntil(lambda: all(g.size() == g.sizeHint() for g in grids))
        self.body.scrolled.ensureWidgetVisible(self.grid(key))
        return self.grid(key)

    def hover(self, key: str, cell: tuple[int, int]) -> None:
        grid = self.reach(key)
        QTest.mouseMove(grid, CORNER)
        QTest.mouseMove(grid, self.place(key, cell))

    def leave(self, key: str) -> None:
        QTest.mouseMove(self.reach(key), CORNER)

    def click(self, key: str, cell: tuple[int, int]) -> None:
        QTest.mouseClick(self.reach(key), LEFT, NO_KEY, self.place(key, cell))


@pytest.fixture
def derived(qtbot) -> Derived:
    """A board without data."""
    return Derived(qtbot)


@pytest.fixture
def derive(derived) -> Callable[..., Derived]:
    """Derive some points, or other data, with a kernel."""

    def derive(
        points, family: str, center: bool = True, labels=None, **values: float
    ) -> Derived:
        data = points
        if not isinstance(points, Dataset):
            data = Dataset(np.array(points, dtype=np.float64), labels=labels)
        settings = SessionSettings(
            DataSettings(data.name),
            KernelSettings(family, tuple(sorted(values.items()))),
            AnalysisSettings(center=center),
        )
        derived.show(data, settings)
        return derived

    return derive


def poly(c: float) -> dict[str, float]:
    """Return the values of ``(c + xᵀy)²``."""
    return {"gamma": 1.0, "coef0": c, "degree": 2.0}


THREE = [[1, 0], [0, 1], [-1, 0]]
STAIRS = [[1, 2], [3, 4], [5, 6]]


def rings(inner: float, outer: float) -> np.ndarray:
    """Two rings of four points each, at 0, 90, 180 and 270 degrees."""
    corners = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0], [0.0, -1.0]])
    return np.vstack([inner * corners, outer * corners])
