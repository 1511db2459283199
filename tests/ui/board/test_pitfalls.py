"""A forgotten step is said above every plot, and switched in the kernel card."""

from dataclasses import replace

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.engine.text.describe import describe_row, status_line
from kpca_viewer.support.numerals import ungrouped
from kpca_viewer.widgets.controls import Switch
from kpca_viewer.widgets.scene import Changes, Scene
from kpca_viewer.window.explain import explain
from kpca_viewer.window.sidebar.kernel_card import KernelCard, PitfallsFold
from tests.ui.board.boards import show

SMALL = SessionSettings(data=DataSettings("moons", as_values({"samples": 40})))
NO_ROOT = SMALL.with_normalisation(False)
NO_CENTRING = SMALL.with_centred_new_rows(False)


@pytest.fixture
def board(fresh_board, answer):
    board = fresh_board(1000, 700)
    board.show()
    show(board, answer(SMALL), SMALL)
    return board


def panels(board):
    return board.data, board.embedding, board.spectrum, board.compare


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        (SMALL.with_center(False), "Not centred"),
        (NO_ROOT, "1/√μ forgotten"),
        (NO_CENTRING, "New points not centred"),
        (
            NO_ROOT.with_centred_new_rows(False),
            "1/√μ forgotten · new points not centred",
        ),
    ],
)
def test_every_plot_says_what_was_forgotten(board, answer, settings, words):
    assert [panel.strip() for panel in panels(board)] == [""] * 4
    result = answer(settings)
    show(board, result, settings)
    assert [panel.strip() for panel in panels(board)] == [words] * 4
    for key in board.compare.views:
        board.compare.show_page(key)
        assert board.compare.strip() == words
    board.show_workspace("explore")
    for sentence in result.pitfalls:
        assert sentence in board.embedding.caption()
        assert sentence in " ".join(explain(result))
    told = words[0].lower() + words[1:]
    assert told.replace(" · ", "  ·  ") in status_line(result)
    show(board, answer(SMALL), SMALL)
    assert [panel.strip() for panel in panels(board)] == [""] * 4


def test_the_strip_takes_room_only_while_it_says_something(board, answer):
    label = board.spectrum.findChild(object, "panel_strip")
    assert not label.isVisible()
    show(board, answer(NO_ROOT), NO_ROOT)
    assert label.isVisible()
    assert "αᵀK̃α" in label.toolTip()


@pytest.fixture
def card(qtbot):
    changes = Changes()
    card = KernelCard(changes)
    qtbot.addWidget(card)
    card.requested = []
    changes.settings_requested.connect(
        lambda settings, _: card.requested.append(settings)
    )
    card.show()
    card.show_scene(Scene().changed(settings=SMALL))
    card.findChild(PitfallsFold).header.click()
    return card


def press(card, name):
    switch = card.findChild(Switch, name)
    QTest.mouseClick(
        switch, Qt.MouseButton.LeftButton, pos=QPoint(12, switch.height() // 2)
    )


def test_the_switches_request_what_is_forgotten(card):
    press(card, "forget_normalisation_switch")
    assert card.requested == [NO_ROOT]
    card.show_scene(Scene().changed(settings=NO_ROOT))
    press(card, "forget_new_centring_switch")
    assert card.requested[-1] == NO_ROOT.with_centred_new_rows(False)
    press(card, "forget_normalisation_switch")
    assert card.requested[-1] == SMALL
    assert len(card.requested) == 3


def test_what_is_forgotten_is_unfolded_once(card):
    fold = card.findChild(PitfallsFold)
    fold.set_collapsed(True)
    card.show_scene(Scene().changed(settings=NO_ROOT))
    assert not fold.collapsed()
    fold.set_collapsed(True)
    other = replace(NO_ROOT, kernel=NO_ROOT.kernel.with_value("gamma", 3.0))
    card.show_scene(Scene().changed(settings=other))
    assert fold.collapsed()


def test_without_centring_there_is_none_to_forget(card):
    switch = card.findChild(Switch, "forget_new_centring_switch")
    assert switch.isEnabled()
    card.show_scene(Scene().changed(settings=SMALL.with_center(False)))
    assert not switch.isEnabled()


def test_hovering_a_row_shows_its_scores(board, answer):
    result = answer(SMALL)
    x, y = (ungrouped(float(value)) for value in result.scores[3, :2])
    line = f"kernel PC 1 = {x} · PC 2 = {y}"
    assert describe_row(result, 3).splitlines()[-1] == line
    view = replace(SMALL.view, axes=(2, 0, 1))
    z = ungrouped(float(result.scores[3, 2]))
    told = describe_row(result, 3, view=view).splitlines()[-1]
    assert told == f"kernel PC 3 = {z} · PC 1 = {x}"
    for plot in (board.data.view, board.embedding.view, board.compare.pca):
        assert line in plot.describe(3)


def test_a_new_point_shows_its_scores(board, answer):
    result = answer(SMALL)
    show(board, result, SMALL, notes=Notes(new_points=((0.5, 0.25),)))
    x, y = (ungrouped(float(value)) for value in result.project([[0.5, 0.25]])[0, :2])
    (marker,) = board.embedding.view.area.markers
    assert marker.about.splitlines()[-1] == f"kernel PC 1 = {x} · PC 2 = {y}"


def test_a_new_point_that_the_kernel_cannot_take_has_no_score(qtbot, board, answer):
    cosine = replace(SMALL, kernel=KernelSettings("cosine"))
    notes = Notes(new_points=((0.0, 0.0), (0.5, 0.25)))
    show(board, answer(cosine), cosine, notes=notes)
    first, second = board.data.view.area.markers
    assert first.label == "no score here"
    assert first.warn
    assert first.about.endswith(
        "the cosine kernel has no value where all features are 0."
    )
    assert second.label == "new 2"
    assert [m.label for m in board.embedding.view.area.markers] == ["new 2"]
    assert [m.label for m in board.compare.pca.area.markers] == ["new 1", "new 2"]
    lifted = replace(cosine, view=replace(cosine.view, lift="components"))
    show(board, answer(lifted), lifted, notes=notes)
    qtbot.waitUntil(board.is_settled)
