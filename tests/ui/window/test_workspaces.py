"""What every workspace has room for, in pixels, and that nothing in it moves."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractSlider,
    QAbstractSpinBox,
    QComboBox,
    QLabel,
    QLineEdit,
    QScrollArea,
    QScrollBar,
    QWidget,
)
from pytestqt.qtbot import QtBot

from kpca_viewer.core.methods.kernel_ranking import Choice, Line, Row
from kpca_viewer.core.methods.predictions import Predictions
from kpca_viewer.engine.choice_note import ChoiceNote
from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.engine.messages import Message
from kpca_viewer.engine.views import Views
from kpca_viewer.features.kernel_search.text import ChoiceState
from kpca_viewer.features.registry import pages
from kpca_viewer.widgets.controls import NumberRow, Segmented
from kpca_viewer.widgets.plots.text import plot_font
from kpca_viewer.window.poses import show_views, views_of
from kpca_viewer.window.verdict_line import OF_BEFORE
from tools.preview import samples

CTRL = Qt.KeyboardModifier.ControlModifier
LAPTOP, DESK = QSize(1366, 768), QSize(1920, 1080)


@pytest.fixture
def window(viewer):
    """Its window as it opens: the first workspace, in its first size."""
    viewer.window.reset_layout()
    viewer.window.board.show_workspace("explore")
    viewer.presenter.messages.forget()
    resize(viewer.window, LAPTOP)
    return viewer.window


def resize(window, size: QSize) -> None:
    """Give the window a size, and let everything in it find its own."""
    window.resize(size)
    come_to_rest(window)
    assert window.size() == size


def come_to_rest(window) -> None:
    def is_at_rest() -> bool:
        before = places(window)
        QCoreApplication.sendPostedEvents()
        return places(window) == before

    QtBot(None).waitUntil(lambda: window.board.is_settled() and is_at_rest())


def places(window) -> dict[QWidget, tuple[QPoint, QSize]]:
    """Return where every visible part of the window stands, and its size."""
    return {
        widget: (widget.mapTo(window, QPoint(0, 0)), widget.size())
        for widget in window.findChildren(QWidget)
        if widget.isVisible() and not window.message_bar.isAncestorOf(widget)
    }


def scroll_areas_of(widget: QWidget) -> list[QScrollArea]:
    areas = widget.window().findChildren(QScrollArea)
    # Every widget is an ancestor of itself.
    return [a for a in areas if a is not widget and a.isAncestorOf(widget)]


def rooms(window) -> str:
    """Return how wide and high the parts are that take room from the embedding."""
    parts = (
        *(window.top_row, window.sidebar, window.kernel_bar, window.verdict),
        *(*window.board.panels, window.sweep_strip, window.statusBar()),
    )
    return ", ".join(
        f"{part.objectName() or type(part).__name__} {part.width()} × {part.height()}"
        for part in parts
        if part.isVisible()
    )


@pytest.mark.parametrize(
    ("workspace", "size", "wide", "high"),
    [
        ("explore", LAPTOP, 560, 500),
        ("explore", DESK, 900, 820),
        ("sweep", LAPTOP, 420, 360),
        ("explain", LAPTOP, 300, 220),
        ("decide", LAPTOP, 420, 360),
    ],
    ids=lambda value: value if isinstance(value, str) else None,
)
def test_the_embedding_has_room(window, workspace, size, wide, high):
    window.board.show_workspace(workspace)
    resize(window, size)
    frame = window.board.embedding.view.area.frame
    missed = [
        f"{found:.0f} instead of {wanted}"
        for found, wanted in ((frame.width, wide), (frame.height, high))
        if found < wanted
    ]
    assert missed == [], rooms(window)


def test_the_embedding_has_room_above_a_sweep(window):
    window.board.show_workspace("sweep")
    before = window.sweep_strip.state()
    window.sweep_strip.show_result(samples.swept())
    resize(window, LAPTOP)
    frame = window.board.embedding.view.area.frame
    window.sweep_strip.show_state(before)
    assert (frame.width >= 420, frame.height >= 360) == (True, True), rooms(window)


def test_the_curve_of_a_choice_has_room(viewer, window):
    window.board.show_workspace("decide")
    choice = viewer.controllers["kernel_search"].view
    choice.show_state(ChoiceState("done", samples.chosen()))
    resize(window, LAPTOP)
    plot = choice.evidence.plot
    line = QFontMetricsF(plot_font()).height()
    assert plot.frame(plot.size().toSizeF()).height > 3 * line


def test_the_slider_is_long_and_fine(viewer, window):
    row = window.findChild(NumberRow, "gamma_row")
    slider = row.slider
    assert slider.width() >= 400
    values, ends = [], (slider.minimum(), slider.maximum())
    slider.setSliderDown(True)
    for end in ends:
        slider.setSliderPosition(end)
        values.append(row.value())
    slider.setSliderDown(False)
    viewer.store.undo()
    pixels = slider.x_of(ends[1]) - slider.x_of(ends[0])
    per_pixel = (values[1] / values[0]) ** (1 / pixels) - 1
    assert 0 < per_pixel <= 0.025, f"{per_pixel:.1%} a pixel"


def test_the_sidebar_needs_no_scrolling_at_first(window):
    bar = window.sidebar.verticalScrollBar()
    cards = ", ".join(f"{c.objectName()} {c.height()}" for c in window.sidebar.cards)
    assert bar.maximum() == 0, f"{bar.maximum()} pixels are below the edge: {cards}"


def test_rows_of_text_are_low(window):
    assert window.top_row.height() <= 36
    assert window.kernel_bar.height() <= 40
    assert window.statusBar().height() <= 26


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_nothing_moves_because_of_a_message(viewer, window, workspace):
    window.board.show_workspace(workspace)
    # A page may have to be computed, and its progress comes and goes.
    QtBot(None).waitUntil(lambda: not viewer.runner.busy)
    come_to_rest(window)
    before = places(window)
    viewer.presenter.messages.show(Message("info", "Some words about rows. " * 30))
    assert window.message_bar.isVisible()
    come_to_rest(window)
    after = places(window)
    moved = [w.objectName() for w, place in before.items() if after.get(w) != place]
    assert moved == []
    assert window.message_bar.geometry().contains(window.verdict.geometry().center())


def test_every_workspace_has_the_embedding_and_its_own_pages(window):
    choice = window.findChild(Segmented, "workspaces")
    for number, key in enumerate(WORKSPACES, start=1):
        QTest.keyClick(window, Qt.Key(Qt.Key.Key_0 + number), CTRL)
        assert window.board.workspace == choice.value() == key
        assert window.board.embedding.isVisible()
        offered = [option for option, *_ in window.board.compare.pages.options()]
        own = {k for k, page in pages().items() if key in page.workspaces}
        assert set(offered) == own
        assert window.board.compare.pages.isVisible()


@pytest.mark.parametrize("page", pages())
def test_a_session_of_before_opens_in_the_workspace_of_its_page(window, page):
    # Sessions of before know no workspace.
    show_views(window.board, Views(page=page))
    assert window.board.workspace == pages()[page].workspaces[0]
    assert window.board.compare.pages.value() == page
    assert window.board.compare.views[page].view.isVisible()


def test_a_session_keeps_the_pages_of_workspaces_that_are_not_shown(window):
    board = window.board
    board.compare.show_page("pins")
    board.show_workspace("decide")
    kept = views_of(board)
    board.show_workspace("sweep")
    board.compare.show_page("gallery")
    show_views(board, kept)
    assert board.workspace == "decide"
    board.show_workspace("sweep")
    assert board.compare.pages.value() == "pins"
    # What a newer program may name is left out.
    show_views(board, Views(pages=(("explore", "unheard"), ("unheard", "pins"))))


def test_the_smallest_window_shows_every_workspace(window):
    for workspace in WORKSPACES:
        window.board.show_workspace(workspace)
        resize(window, QSize(960, 600))
        frame = window.board.embedding.view.area.frame
        assert min(frame.width, frame.height) > 60, f"{workspace}: {rooms(window)}"
    menus = window.top_row.menus
    last = menus.actionGeometry(menus.actions()[-1])
    assert last.right() <= menus.width(), "the last menu is cut"


def test_splitters_are_kept_for_each_workspace(window):
    columns = window.board.columns
    first = window.board.embedding.width()
    splitter = columns.findChild(QWidget, "stage_column").parentWidget()
    splitter.moveSplitter(splitter.handle(2).x() - 100, 2)
    come_to_rest(window)
    moved = window.board.embedding.width()
    assert moved < first
    window.board.show_workspace("explain")
    window.board.show_workspace("explore")
    come_to_rest(window)
    assert window.board.embedding.width() == moved
    window.reset_layout()
    resize(window, LAPTOP)
    assert window.board.embedding.width() == first


def test_the_verdict_is_one_sentence_with_a_chip(window):
    words = window.findChild(QLabel, "verdict_label")
    chip = window.findChild(QLabel, "certificate_chip")
    assert words.text().count(".") >= 1
    assert "guess" in words.text().lower()
    assert chip.text().startswith("✓")
    assert "Eigenvalues" in chip.toolTip()
    assert "eigenvalues" not in window.status_text()


@pytest.mark.parametrize("workspace", WORKSPACES)
def test_the_verdict_is_large(window, workspace):
    window.board.show_workspace(workspace)
    come_to_rest(window)
    words = window.findChild(QLabel, "verdict_label")
    assert words.property("role") == "verdict"
    assert words.shown_text() == words.text()
    assert "guessing" in words.text()
    assert "balanced accuracy" in words.toolTip().lower()
    assert "balanced accuracy" in window.verdict.text()


def test_a_verdict_on_the_picture_before_is_dimmed(window):
    words, scene = window.findChild(QLabel, "verdict_label"), window.board.scene
    unjudged = replace(scene.result, comparison=None)
    window.verdict.show_scene(scene.changed(result=unjudged))
    assert not words.isEnabled()
    assert words.accessibleName().startswith(OF_BEFORE)
    window.verdict.show_scene(scene)
    assert words.isEnabled()
    assert not words.accessibleName().startswith(OF_BEFORE)
    # Other rows have no sentence of before.
    rows = replace(scene.dataset, points=scene.dataset.points.copy())
    others = replace(unjudged, dataset=rows)
    window.verdict.show_scene(scene.changed(result=others))
    assert words.isEnabled()
    assert "variance on these axes" in words.text()
    window.verdict.show_scene(scene)


@pytest.mark.parametrize("own", [True, False])
def test_a_search_with_more_components_is_told_apart_from_the_headline(window, own):
    words, scene = window.findChild(QLabel, "verdict_label"), window.board.scene
    kernel, before = scene.result.kernel, words.text()
    line = Line("rbf", scanned="gamma")
    value = kernel.values["gamma"] * (1 if own else 2)

    def show(components, evidence="classes", data=scene.settings.data):
        row = Row(line, value, components, 0.989, 0.003)
        simple = Row(Line("linear"), None, 2, 0.5, 0.01)
        rows = (simple, row) if own else (row,)
        choice = Choice(evidence, rows, chance=0.5, n=scene.dataset.n)
        notes = replace(scene.notes, choice=ChoiceNote.of(choice, data))
        window.verdict.show_scene(scene.changed(notes=notes))

    assert kernel.family.name == "rbf"
    show(10)
    assert window.verdict.text().count("line on PC 1–2") == 1
    assert words.property("role") == "verdict"
    assert words.shown_text() == words.text()
    assert "guessing" in words.text()
    tip = words.toolTip()
    assert "98.9 ± 0.3 % balanced accuracy held out, guessing 50 %, for RBF γ" in tip
    assert "with 10 components; the headline is about PC 1–2." in tip
    for others in (
        {"components": 2},
        {"components": 10, "evidence": "structure"},
        {"components": 10, "data": scene.settings.data.with_seed(5)},
    ):
        show(**others)
        assert words.text() == before
        assert "headline" not in words.toolTip()
    window.verdict.show_scene(scene)


def test_a_long_headline_stays_on_one_line_where_the_components_have_no_room(window):
    """Of a small class that the kernel finds, and plain PCA does not."""
    words, scene = window.findChild(QLabel, "verdict_label"), window.board.scene
    true = np.repeat([0, 1], (900, 100))
    ours, theirs = true.copy(), true.copy()
    ours[:180], ours[-10:], theirs[-70:] = 1, 0, 0
    comparison = scene.result.comparison
    small = replace(
        scene.result,
        comparison=replace(
            comparison,
            kernel=replace(comparison.kernel, predictions=Predictions(true, ours)),
            linear=replace(comparison.linear, predictions=Predictions(true, theirs)),
        ),
    )
    row = Row(Line("linear"), None, 10, 0.989, 0.003)
    choice = Choice("classes", (row,), chance=0.5, n=1000)
    notes = replace(scene.notes, choice=ChoiceNote.of(choice, scene.settings.data))
    window.verdict.show_scene(scene.changed(result=small, notes=notes))
    told = "small classes are found better by the kernel, large ones by plain PCA"
    assert window.verdict.text().startswith(f"By a line on PC 1–2, {told}: ")
    assert words.text().startswith(f"By a line, {told}: ")
    assert words.shown_text() == words.text()
    assert words.toolTip().startswith("By a line on PC 1–2, small classes")
    window.verdict.show_scene(scene)


CONTROLS = (QAbstractButton, QComboBox, QAbstractSlider, QAbstractSpinBox, QLineEdit)
PARTS = (QAbstractSpinBox, QComboBox, QScrollBar)
"""What has controls inside that are no stops of their own."""


@pytest.mark.parametrize("workspace", list(WORKSPACES))
def test_tab_reaches_every_control_which_has_a_name_and_shows_it(window, workspace):
    window.board.show_workspace(workspace)
    come_to_rest(window)
    window.activateWindow()
    window.setFocus()
    walked: list[QWidget] = []
    while True:
        QTest.keyClick(window.focusWidget() or window, Qt.Key.Key_Tab)
        if window.focusWidget() in walked:
            break
        walked.append(window.focusWidget())
        for scrolled in scroll_areas_of(walked[-1]):
            place = walked[-1].mapTo(scrolled.viewport(), walked[-1].rect().center())
            assert scrolled.viewport().rect().contains(place), f"{walked[-1]} is hidden"
    # One of a group of buttons is a stop; arrow keys go to the others.
    groups = {(widget.parentWidget(), type(widget)) for widget in walked}
    for control in window.findChildren(QWidget):
        if not isinstance(control, CONTROLS) or isinstance(control, QScrollBar):
            continue
        if control.isVisible() and control.isEnabled():
            host = control.parentWidget()
            assert isinstance(host, PARTS) or (host, type(control)) in groups, control
    for widget in walked:
        text = widget.text() if isinstance(widget, QAbstractButton) else ""
        assert widget.accessibleName() or text, widget
        # Plots say under the pointer what is there.
        assert widget.toolTip() or not isinstance(widget, CONTROLS), widget
        for scrolled in scroll_areas_of(widget):
            scrolled.ensureWidgetVisible(widget)
        corner = widget.mapTo(window, QPoint(0, 0))
        area = QRect(corner, widget.size()).adjusted(-4, -4, 4, 4)
        window.setFocus()
        before = window.grab(area).toImage()
        widget.setFocus(Qt.FocusReason.TabFocusReason)
        assert window.grab(area).toImage() != before, f"{widget} hides its focus"
