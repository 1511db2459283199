"""The page Derivation, and a hand over its numbers."""

from collections.abc import Callable, Iterator

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
)
from kpca_viewer.features.derivation.grid import MatrixGrid
from kpca_viewer.features.derivation.page import DerivationPage
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene
from tests.left_over import discard

LEFT = Qt.MouseButton.LeftButton
NO_KEY = Qt.KeyboardModifier.NoModifier
CORNER = QPoint(1, 1)
"""Beside all numbers; a place of zeros would be the middle for QTest."""


class Derived:
    """The page in front of somebody who reads it."""

    def __init__(self, qtbot) -> None:
        self._qtbot = qtbot
        self.linking, self.changes = Linking(), Changes()
        self.page = DerivationPage(self.linking, self.changes)
        self.view = self.page.view
        qtbot.addWidget(self.view)
        self.view.resize(1300, 900)
        self.scene = Scene()
        self.refused: list[str] = []
        self.copied: list[str] = []
        self.changes.settings_requested.connect(self._on_requested)
        self.changes.refused.connect(self.refused.append)
        self.view.points_requested.connect(self.drop)
        self.changes.text_copied.connect(self.copied.append)

    def reset(self, qtbot) -> None:
        self._qtbot = qtbot
        self.scene = self.scene.changed(notes=Notes())
        self.linking.reset(self.linking.count)
        self.linking.set_names({})
        for key in list(self.view.covered):
            self.page.uncover(key)
        self.page.highlight("")
        self.page.set_folded(())
        self.page.let_go()
        if self.view.shown is not None:
            # Of no number, nothing is pointed at or kept.
            self.view.explainer.set_grids({})
        self.view.resize(1300, 900)
        self.refused.clear()
        self.copied.clear()
        QTest.mouseMove(self.view, CORNER)

    def show(self, data: Dataset, settings: SessionSettings) -> None:
        """Analyse data and show the page."""
        if data.n != self.linking.count:
            self.linking.reset(data.n)
        self.data = data
        self._take(settings)
        lines = self.view.steps.lines.values()
        self._qtbot.waitUntil(lambda: all(line.formula.is_settled() for line in lines))

    def _take(self, settings: SessionSettings) -> None:
        result = analyse(self.data, settings)
        self._publish(settings=settings, result=result)

    def _publish(self, **changes) -> None:
        self.scene = self.scene.changed(**changes)
        self.page.show_scene(self.scene)

    def _on_requested(self, settings: SessionSettings, _gesture: str | None) -> None:
        self._take(settings)

    def drop(self, places, _gesture=None) -> None:
        """Let there be new points, and no others."""
        self._publish(notes=Notes(new_points=tuple(places)))

    @property
    def result(self):
        return self.scene.result

    def grid(self, key: str) -> MatrixGrid:
        return self.view.grid(key)

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

    def hover(self, key: str, cell: tuple[int, int]) -> None:
        """Move the mouse to a number until it is there, wherever that moves."""
        grid, away = self.grid(key), 0

        def is_there() -> bool:
            nonlocal away
            # A hand trembles: a mouse that does not move at all sends no event.
            away = 1 - away
            self.view.scrolled.ensureWidgetVisible(grid)
            QTest.mouseMove(grid, self.place(key, cell) + QPoint(away, 0))
            return grid.pointed == cell and grid.size() == grid.sizeHint()

        self._qtbot.waitUntil(is_there)

    def leave(self, key: str) -> None:
        QTest.mouseMove(self.grid(key), CORNER)

    def click(self, key: str, cell: tuple[int, int]) -> None:
        self.hover(key, cell)
        QTest.mouseClick(self.grid(key), LEFT, NO_KEY, self.place(key, cell))


@pytest.fixture(scope="module")
def shared(request, qapp) -> Iterator[Derived]:
    """One page for all tests of a module."""
    derived = Derived(QtBot(request))
    derived.view.show()
    yield derived
    discard(derived.view)


@pytest.fixture
def derived(shared, qtbot, settled) -> Derived:
    """The page, without what other tests have done to it."""
    shared.reset(qtbot)
    return shared


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
