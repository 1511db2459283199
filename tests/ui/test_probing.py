"""The cursor of the embedding, with real mouse and keys on the real window."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from PySide6.QtCore import QEvent, QPoint, QSettings, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QComboBox,
    QLabel,
    QStyleOptionViewItem,
)
from pytestqt.qtbot import QtBot

from kpca_viewer import generate
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.export.image import save_image
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.preimage import compute
from kpca_viewer.features.preimage.compute import (
    PlaceFinder,
)
from kpca_viewer.features.preimage.controller import ProbeController
from kpca_viewer.widgets.picture_sources import board_sources
from tests.left_over import discard
from tests.ui.stage import Stage

LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
Key = Qt.Key

RINGS = SessionSettings(data=DataSettings("circles", as_values({"samples": 40})))
WINE = SessionSettings(data=DataSettings.of_source("wine"))
DIGITS = SessionSettings(
    data=DataSettings("some digits"),
    kernel=KernelSettings("rbf", as_values({"gamma": 1e-3})),
)


@cache
def some_digits():
    """Return few of the digits: what is tested does not depend on their number."""
    digits = generate("digits")
    return replace(
        digits, points=digits.points[:240], labels=digits.labels[:240], columns={}
    )


class Hand(Stage):
    """The window, and the hand in front of it."""

    def __init__(self, qtbot, settings):
        super().__init__(qtbot, settings, {"some digits": some_digits()})
        (self.probing,) = self.furnish(preimage=ProbeController)
        self.tools = self.board.preimages
        self.view = self.board.embedding.view
        self.paper = self.view.canvas.viewport()
        self.show()
        # Whoever was here before may have left with a button held down.
        QTest.mouseRelease(self.paper, LEFT)
        self.settle()

    def is_settled(self):
        return super().is_settled() and not (
            self.probing.runner.busy or self.probing.walks.busy
        )

    def close(self):
        self.probing.close()
        super().close()
        discard(self.window)

    def start(self, settings):
        """Go back to how the window was at first, on other settings."""
        QTest.mouseRelease(self.paper, LEFT)
        self.probing.take_cursor(False)
        self.board.embedding.tool.button("lasso").click()
        self.tools.page.modes.button("place").click()
        self.board.show_workspace("explore")
        self.board.compare.show_page("pca")
        self.board.linking.clear()
        self.board.walk.component = 0
        self.store.reset(settings)
        self.settle()
        self.tools.set_finder(None)
        self.view.reset_view()

    def take(self):
        QTest.keyClick(self.window, Key.Key_X)
        self.settle()

    def pixel(self, place):
        x, y = self.view.area.frame.to_pixels(np.array([place]))[0]
        return QPoint(round(x), round(y))

    def point(self, place):
        QTest.mouseMove(self.paper, self.pixel(place) + QPoint(1, 1))
        QTest.mouseMove(self.paper, self.pixel(place))
        self.settle()

    def click(self, place):
        QTest.mouseClick(self.paper, LEFT, NONE, self.pixel(place))
        self.settle()

    def words(self):
        return self.window.findChild(QLabel, "preimage_words").text()

    def said(self):
        return self.tools.view.said()

    def cells(self):
        return self.tools.view.plot.place.cells()

    def probes(self, view):
        return [m for m in view.area.cloud.markers if m not in view.area.markers]


@pytest.fixture(scope="module")
def shared(request, qapp, tmp_path_factory):
    """One window for all tests: to make it takes longer than most of them."""
    folder = str(tmp_path_factory.mktemp("probing"))
    scope = QSettings.Scope.UserScope
    QSettings.setPath(QSettings.Format.IniFormat, scope, folder)
    hand = Hand(QtBot(request), RINGS)
    for aside in (hand.probing.runner, hand.probing.walks):
        # Their threads begin with the first question, and outlive the test that asks.
        aside.blockSignals(True)
        aside.ask(lambda _: None, small=False)
        hand.settle()
        aside.blockSignals(False)
    yield hand
    hand.close()


@pytest.fixture
def start(shared, qtbot, settled):
    def start(settings):
        shared.qtbot = qtbot
        shared.start(settings)
        return shared

    yield start
    while shared.window.message_bar.text():
        shared.window.message_bar.dismissed.emit("")


def walk_from_a_row(start):
    """Begin a walk at the eleventh wine."""
    hand = start(WINE)
    hand.take()
    hand.click(hand.result.scores[10, :2])
    hand.tools.page.modes.button("walk").click()
    hand.settle()
    return hand


def test_pointing_shows_the_pre_image_in_the_data(start):
    hand = start(RINGS)
    assert hand.tools.finder is None
    hand.take()
    assert hand.tools.on
    assert hand.board.embedding.tool.value() == "probe"
    assert hand.board.compare.pages.value() == "preimage"
    assert "Point at any place" in hand.said()
    row = 3
    hand.point(hand.result.scores[row, :2])
    found = hand.tools.found
    assert found.row == row
    (marker,) = hand.probes(hand.board.data.view)
    assert marker.position == tuple(found.values)
    assert marker.label == "pre-image"
    near = np.linalg.norm(found.values - hand.result.dataset.points[row])
    assert near < 0.2
    assert "lies here" in hand.words()
    cells = hand.cells()
    assert {line[0] for line in cells} == {"x1", "x2"}


def test_marks_go_with_the_mouse_and_the_page_stays(start):
    hand = start(RINGS)
    hand.take()
    hand.point(hand.result.scores[3, :2])
    assert hand.probes(hand.board.data.view)
    words = hand.words()
    QTest.mouseMove(hand.board.data.view.canvas.viewport(), QPoint(40, 40))
    QApplication.sendEvent(hand.view.canvas, QEvent(QEvent.Type.Leave))
    assert hand.probes(hand.board.data.view) == []
    assert hand.probes(hand.view) == []
    assert hand.words() == words
    assert not hand.said()
    # Another picture does not bring them back.
    gamma = KernelSettings("rbf", as_values({"gamma": 3.0}))
    hand.presenter.change(replace(hand.presenter.settings, kernel=gamma))
    hand.settle()
    assert hand.probes(hand.board.data.view) == []
    hand.point(hand.result.scores[5, :2])
    assert hand.probes(hand.board.data.view)


def test_a_far_place_says_that_nothing_lies_there(start):
    hand = start(RINGS)
    hand.take()
    (x0, _), (_, y1) = hand.view.view_range()
    hand.point((0.95 * x0, 0.9 * y1))
    found = hand.tools.found
    assert not found.lies_here
    assert hand.words().startswith(
        ("No row can lie here", "The values found do not lie here")
    )
    (marker,) = hand.probes(hand.view)
    assert marker.warn
    np.testing.assert_allclose(marker.position, found.own[:2])


def test_a_click_keeps_a_place_and_a_second_lets_it_go(start):
    hand = start(RINGS)
    hand.take()
    place = tuple(hand.result.scores[0, :2])
    hand.click(place)
    assert hand.tools.cursor.kept == pytest.approx(place, abs=0.02)
    kept = hand.tools.found
    hand.point((0.0, 0.0))
    assert hand.tools.found is kept
    assert hand.board.linking.selection is None
    hand.click(place)
    assert hand.tools.cursor.kept is None
    hand.point((0.0, 0.0))
    assert hand.tools.found.scores[0] == pytest.approx(0.0, abs=0.02)


def test_keys_keep_and_move_a_place_and_escape_lets_go(start):
    hand = start(RINGS)
    hand.take()
    hand.view.canvas.setFocus()
    QTest.keyClick(hand.view.canvas, Key.Key_Insert)
    x, y = hand.tools.cursor.kept
    QTest.keyClick(hand.view.canvas, Key.Key_Right, CTRL)
    assert hand.tools.cursor.kept[0] > x
    assert hand.tools.cursor.kept[1] == y
    escape = hand.window.actions_table["escape"]
    escape.trigger()
    assert hand.tools.cursor.kept is None
    assert hand.tools.on
    escape.trigger()
    assert not hand.tools.on
    assert hand.board.compare.pages.value() == "pca"
    assert hand.board.embedding.tool.value() == "lasso"
    assert hand.probes(hand.board.data.view) == []


def test_without_the_probe_a_click_selects_again(start):
    hand = start(RINGS)
    hand.take()
    hand.board.embedding.tool.button("rectangle").click()
    assert not hand.tools.on
    assert hand.board.embedding.tool.value() == "rectangle"
    hand.click(hand.result.scores[5, :2])
    assert hand.board.linking.selection is not None


def test_rows_that_are_pictures_show_one(start):
    hand = start(DIGITS)
    hand.take()
    hand.point(hand.result.scores[10, :2])
    assert hand.tools.view.plot.isVisible()
    place = hand.tools.view.plot.place
    assert (place.image.width(), place.image.height()) == (8, 8)
    found = hand.tools.found
    row = hand.result.dataset.points[found.row].reshape(8, 8)
    shade = place.row_image.pixelColor(4, 3).red()
    assert shade == round(row[3, 4] / 16 * 255)
    assert len(hand.cells()) == 12


def test_choices_are_steps_of_the_history(start):
    hand = start(WINE)
    hand.take()
    hand.click((0.1, 0.1))
    before = hand.tools.found.values
    method = hand.window.findChild(QComboBox, "preimage_method_combo")
    method.setCurrentIndex(method.findData("ridge"))
    hand.settle()
    assert hand.store.settings.view.preimage == "ridge"
    assert hand.tools.finder.method == "ridge"
    assert not np.allclose(hand.tools.found.values, before)
    held = hand.window.findChild(QComboBox, "preimage_held_combo")
    held.setCurrentIndex(held.findData("mean"))
    hand.settle()
    np.testing.assert_allclose(hand.tools.found.scores[2:], 0, atol=1e-9)
    hand.store.undo()
    hand.store.undo()
    hand.settle()
    np.testing.assert_array_equal(hand.tools.found.values, before)


def test_a_method_that_the_kernel_has_not_says_so(start):
    kernel = KernelSettings("poly", as_values({"degree": 2}))
    view = ViewSettings(preimage="fixed_point")
    hand = start(replace(RINGS, kernel=kernel, view=view))
    hand.take()
    assert "RBF kernel only" in hand.said()
    assert hand.tools.finder is None
    hand.store.update(replace(hand.store.settings, kernel=KernelSettings("rbf")))
    hand.settle()
    assert hand.tools.finder is not None
    assert "Point at" in hand.said()


def test_a_drag_of_gamma_prepares_nothing_while_nobody_looks(start):
    hand = start(RINGS)
    kernel = KernelSettings("rbf", as_values({"gamma": 3.0}))
    hand.store.update(replace(hand.store.settings, kernel=kernel))
    hand.settle()
    assert hand.tools.finder is None
    hand.take()
    first = hand.tools.finder
    hand.click((0.0, 0.1))
    kernel = KernelSettings("rbf", as_values({"gamma": 4.0}))
    hand.store.update(replace(hand.store.settings, kernel=kernel))
    hand.settle()
    assert hand.tools.finder is not first
    assert hand.tools.cursor.kept is not None
    assert hand.tools.found is not None


def test_many_rows_are_answered_by_the_worker(start, monkeypatch):
    monkeypatch.setattr(compute, "QUICK", 0)
    hand = start(RINGS)
    hand.take()
    assert not hand.tools.finder.is_quick
    hand.point(hand.result.scores[3, :2])
    assert hand.tools.found.row == 3
    expected = PlaceFinder(hand.result).at(hand.tools.found.scores, (0, 1))
    np.testing.assert_allclose(hand.tools.found.values, expected.values)


def test_a_cursor_lays_the_embedding_flat(start):
    hand = start(replace(WINE, view=ViewSettings(embedding_3d=True)))
    hand.take()
    assert hand.view.is_flat
    hand.board.embedding.dimensions.button("3d").click()
    hand.settle()
    assert "two dimensions" in hand.said()


def test_other_data_forget_the_place(start):
    hand = start(RINGS)
    hand.take()
    hand.click((0.0, 0.1))
    settings = replace(RINGS, data=RINGS.data.with_value("samples", 50))
    hand.store.update(settings)
    hand.settle()
    assert hand.tools.cursor.kept is None
    assert "Point at" in hand.said()


# Rows as pictures, wherever they are shown


def test_hovering_a_row_shows_its_picture(start):
    hand = start(DIGITS)
    hand.point(hand.result.scores[10, :2])
    overlay = hand.view.area.overlay
    row = hand.board.linking.hovered
    expected = hand.result.dataset.points[row].reshape(8, 8)
    assert overlay.picture.pixelColor(5, 2).red() == round(expected[2, 5] / 16 * 255)
    assert not any("pixel_" in line for line in overlay.label_lines)
    wide = overlay.label_box().width()
    combo = hand.window.findChild(QComboBox, "image_size_combo")
    combo.setCurrentIndex(combo.findText("None"))
    hand.settle()
    hand.point((0.0, 0.0))
    hand.point(hand.result.scores[10, :2])
    assert overlay.picture is None
    assert any("pixel_" in line for line in overlay.label_lines)
    assert wide > 0


def test_the_size_of_pictures_is_a_step_of_the_history(start):
    hand = start(DIGITS)
    combo = hand.window.findChild(QComboBox, "image_size_combo")
    assert combo.isVisible()
    assert combo.currentText() == "Guessed: 8 × 8"
    texts = [combo.itemText(i) for i in range(combo.count())]
    assert texts[2:5] == ["8 × 8", "4 × 16", "16 × 4"]
    combo.setCurrentIndex(texts.index("16 × 4"))
    hand.settle()
    assert hand.store.settings.view.image_size == (16, 4)
    hand.take()
    hand.point(hand.result.scores[10, :2])
    assert hand.tools.view.plot.place.image.width() == 16
    hand.store.undo()
    hand.settle()
    assert hand.tools.view.plot.place.image.width() == 8


def test_tables_that_are_no_pictures_are_not_asked(start):
    hand = start(WINE)
    assert not hand.window.findChild(QComboBox, "image_size_combo").isVisible()
    hand.point(hand.result.scores[10, :2])
    assert hand.view.area.overlay.picture is None


def test_the_table_has_thumbnails(start):
    hand = start(DIGITS)
    hand.board.compare.show_page("table")
    table = hand.board.compare.views["table"].view
    pictured = table.table.verticalHeader().defaultSectionSize()
    option = QStyleOptionViewItem()
    cells = table.table.itemDelegate()
    cells.initStyleOption(option, table.model.index(0, 0))
    image = option.icon.pixmap(28, 28).toImage()
    shade = image.pixelColor(round(3.5 * 3.5), round(0.5 * 3.5)).red()
    assert shade == round(hand.result.dataset.points[0].reshape(8, 8)[0, 3] / 16 * 255)
    combo = hand.window.findChild(QComboBox, "image_size_combo")
    combo.setCurrentIndex(combo.findText("None"))
    hand.settle()
    option = QStyleOptionViewItem()
    cells.initStyleOption(option, table.model.index(0, 0))
    assert option.icon.isNull()
    assert table.table.verticalHeader().defaultSectionSize() < pictured


# The walk


def test_a_walk_leads_through_the_kept_place(start):
    hand = start(DIGITS)
    walk = hand.tools.page.walk
    hand.tools.page.modes.button("walk").click()
    hand.board.compare.show_page("preimage")
    hand.settle()
    assert "is kept" in walk.words.text()
    assert not walk.component.isEnabled()
    hand.take()
    hand.click(hand.result.scores[10, :2])
    shown = walk.strip.shown
    assert len(shown.images) == len(shown.walk.places) == 9
    scores = hand.result.scores[:, 0]
    np.testing.assert_allclose(
        shown.walk.values, np.linspace(scores.min(), scores.max(), 9)
    )
    kept = hand.tools.kept_scores()
    for value, place in zip(shown.walk.values, shown.walk.places, strict=True):
        assert place.scores[0] == value
        np.testing.assert_array_equal(place.scores[1:], kept[1:])
    there = sum(place.lies_here for place in shown.walk.places)
    assert f"at {there} of 9 places" in walk.words.text()
    walk.component.setCurrentIndex(3)
    hand.settle()
    assert walk.strip.shown.walk.component == 3
    assert "PC 4 from" in walk.words.text()


def test_columns_that_move_most_are_lines(start):
    hand = walk_from_a_row(start)
    shown = hand.tools.page.walk.strip.shown
    assert len(shown.lines) == 5
    assert shown.walk.own == pytest.approx(hand.tools.cursor.kept[0])


# On paper


def words_on_paper(hand, tmp_path):
    """Return the file that an export of the page would be, as SVG."""
    path = tmp_path / "page.svg"
    source = board_sources(hand.board)["preimage"]
    save_image(path, ImageSpec("svg", 600, 320), source.render_to)
    return path.read_text()


def test_the_page_is_exported_as_it_is(start, tmp_path):
    hand = start(WINE)
    hand.take()
    assert "Point at any place" in words_on_paper(hand, tmp_path)
    hand.click(hand.result.scores[10, :2])
    place = words_on_paper(hand, tmp_path)
    assert hand.words().split()[0] in place
    # The numbers of the table, whole.
    for name, here, there, _ in hand.cells()[:3]:
        assert all(f">{text}<" in place for text in (name, here, there))
    hand.tools.page.modes.button("walk").click()
    hand.settle()
    assert "PC 1 from" in words_on_paper(hand, tmp_path)
