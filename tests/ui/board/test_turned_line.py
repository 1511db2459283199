"""The line that is turned by hand: its numbers, mouse and keys."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.turned_line.compute import plane_rows
from kpca_viewer.features.turned_line.page import TurnedLinePage
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.widgets.theme import DARK

RINGS = SessionSettings(DataSettings("circles"))


class Hand:
    """The page with a person in front, and settings that follow what is asked."""

    def __init__(self, qtbot, result) -> None:
        self.changes = Changes()
        self.page = TurnedLinePage(Linking(), self.changes)
        self.view = self.page.view
        qtbot.addWidget(self.view)
        self.view.resize(700, 360)
        self.view.show()
        self.gestures = []
        self.ended = 0
        self.scene = Scene(settings=result.settings, result=result)
        self.changes.settings_requested.connect(self.take)
        self.changes.gesture_ended.connect(self.end)
        self.page.show_scene(self.scene)

    def take(self, settings, gesture) -> None:
        self.gestures.append(gesture)
        self.scene = replace(self.scene, settings=settings)
        self.page.show_scene(self.scene)

    def end(self) -> None:
        self.ended += 1

    @property
    def angle(self) -> float:
        return self.scene.settings.view.line_angle

    @property
    def words(self) -> str:
        return self.page.caption(self.scene.result).text


@pytest.fixture
def hand(qtbot, answer) -> Hand:
    return Hand(qtbot, answer(RINGS))


def test_the_numbers_are_those_of_the_rows(hand, answer):
    result = answer(RINGS)
    X, y = result.dataset.points, result.dataset.labels
    rows = plane_rows(result)
    assert rows.share(rows.pca_angle) == pytest.approx(result.linear.shares[0])
    assert rows.share(rows.pca_angle + 90) == pytest.approx(result.linear.shares[1])
    t = (X - X.mean(axis=0)) @ [np.cos(np.pi / 6), np.sin(np.pi / 6)]
    best = max(np.mean((t > cut) == (y == side)) for cut in t for side in (0, 1))
    assert rows.threshold(30).accuracy == pytest.approx(max(best, 0.5))
    # Every line merges the rings.
    assert rows.best() < 0.75
    assert rows.largest == 0.5


def test_the_mouse_turns_the_line(hand):
    plane = hand.view.areas().plane
    middle = plane.center().toPoint()
    QTest.mousePress(hand.view, Qt.MouseButton.LeftButton, pos=middle + QPoint(60, -60))
    assert hand.angle == pytest.approx(45, abs=1)
    QTest.mouseMove(hand.view, middle + QPoint(0, -80))
    assert hand.angle == pytest.approx(90, abs=1)
    QTest.mouseRelease(
        hand.view, Qt.MouseButton.LeftButton, pos=middle + QPoint(0, -80)
    )
    assert set(hand.gestures) == {"turned line"}
    assert hand.ended == 1
    assert "at 90°" in hand.words


def test_a_click_beside_the_plane_turns_nothing(hand):
    strip = hand.view.areas().strip.center().toPoint()
    QTest.mousePress(hand.view, Qt.MouseButton.LeftButton, pos=strip)
    assert hand.angle == 0


def test_keys_turn_it_and_home_takes_it_to_the_first_component(hand):
    for key, angle in (("Left", 1), ("Up", 11), ("Right", 10), ("Down", 0)):
        QTest.keyClick(hand.view, getattr(Qt.Key, f"Key_{key}"))
        assert hand.angle == angle
    QTest.keyClick(hand.view, Qt.Key.Key_Right)
    assert hand.angle == 179
    QTest.keyClick(hand.view, Qt.Key.Key_Home)
    assert hand.angle == pytest.approx(plane_rows(hand.scene.result).pca_angle)
    share = hand.scene.result.linear.shares[0]
    assert f"{100 * share:.1f} % of the variance" in hand.words


def test_it_is_drawn_in_either_shape_and_theme(hand):
    wide = hand.view.grab().toImage()
    hand.view.resize(360, 500)
    assert hand.view.areas().strip.top() > hand.view.areas().plane.bottom()
    hand.view.set_theme(DARK)
    assert hand.view.grab().toImage() != wide


@pytest.mark.parametrize("source", ["iris", "three_points"])
def test_other_data_have_no_line_or_no_classes(qtbot, answer, source):
    hand = Hand(qtbot, answer(SessionSettings(DataSettings(source))))
    assert not hand.view.grab().isNull()
    if source == "iris":
        assert hand.words == ""
        QTest.keyClick(hand.view, Qt.Key.Key_Left)
        assert hand.angle == 0
    else:
        assert "threshold" not in hand.words
        assert "of the variance" in hand.words
