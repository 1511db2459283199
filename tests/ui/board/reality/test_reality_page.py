"""The page Is it real?: which pictures it shows, and what a guess reveals."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest

from kpca_viewer.core.methods.random_baseline import Round
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.settings import (
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
    as_values,
)
from kpca_viewer.features.random_baseline.compute import PAGE, REALITY
from kpca_viewer.features.random_baseline.page import FIND, WAITING
from kpca_viewer.features.random_baseline.text import headline, warning
from kpca_viewer.features.random_baseline.view import RealityView
from kpca_viewer.widgets.theme import DARK, LIGHT
from tests.analyses import analysed
from tests.ui.board.boards import new_board, paper, show, show_page

RINGS = SessionSettings(
    DataSettings("circles", as_values({"samples": 60})),
    KernelSettings("rbf", as_values({"gamma": 5.0})),
)
LINE = SessionSettings(
    DataSettings("points_on_a_line"), KernelSettings("rbf", as_values({"gamma": 2.0}))
)
STAGES = StageCache()


def unanswered(result):
    """Return a result before its rounds are drawn."""
    kept = {key: value for key, value in result.extras.items() if key is not REALITY}
    return replace(result, extras=kept)


def answer(settings=RINGS, page=PAGE, **view):
    settings = replace(settings, view=ViewSettings(**view))
    return analysed(settings, cache=STAGES, page=page)


@pytest.fixture
def board(qtbot):
    return show_page(qtbot, new_board(qtbot, 1100, 760), PAGE, answer())


def page(board):
    return board.compare.views[PAGE]


def plot(board):
    return page(board).view.plot


def caption(board):
    return board.compare.caption()


def click(board, place):
    at = plot(board).boxes()[place].center()
    QTest.mouseClick(
        plot(board),
        Qt.MouseButton.LeftButton,
        Qt.KeyboardModifier.NoModifier,
        QPoint(round(at.x()), round(at.y())),
    )


@pytest.mark.journey
def test_the_data_stand_beside_random_data(board):
    result = board.scene.result
    first, *others = plot(board).pictures
    assert first.title == "Your data"
    np.testing.assert_array_equal(first.scores, result.scores[:, :2])
    np.testing.assert_array_equal(first.codes, board.scene.colors.codes)
    assert len(others) >= 1
    for place, other in enumerate(others):
        assert other.title == f"Permuted, draw {place + 1}"
        drawn = result.get(REALITY).compared.by("permuted").drawn[place]
        np.testing.assert_array_equal(other.scores, drawn)
        assert other.codes is None
    assert caption(board).startswith(headline(result.get(REALITY))[:40])


@pytest.mark.journey
def test_another_draw_and_another_null_are_requests(board):
    beside = len(plot(board).pictures) - 1
    page(board).view.again.click()
    assert board.requested[-1].view.null_draw == beside
    page(board).tool.value_changed.emit("gaussian")
    assert board.requested[-1].view.null == "gaussian"
    page(board).view.what.value_changed.emit("nine")
    assert board.requested[-1].view.real == "nine"


@pytest.mark.journey
def test_every_round_has_the_data_at_a_place_of_its_own(board):
    show(board, answer(real="nine"))
    # So often that no place is missed but once in 10¹⁴ runs.
    for _ in range(300):
        page(board).view.again.click()
    rounds = [Round.of(requested.view.null_draw, 99) for requested in board.requested]
    assert {dealt.place for dealt in rounds} == set(range(9))
    page(board).view.what.value_changed.emit("nine")
    assert board.requested[-1].view.null_draw not in (
        0,
        board.requested[-2].view.null_draw,
    )


@pytest.mark.journey
def test_the_other_null_shows_its_own_draws_at_once(board):
    compared = board.scene.result.get(REALITY).compared
    show(board, answer(null="gaussian"))
    assert board.scene.result.get(REALITY).compared is compared
    drawn = plot(board).pictures[1]
    assert drawn.title == "Gaussian, draw 1"
    np.testing.assert_array_equal(drawn.scores, compared.by("gaussian").drawn[0])


@pytest.mark.journey
def test_another_draw_shows_other_random_data(board):
    before = plot(board).pictures
    show(board, answer(null_draw=98))
    after = plot(board).pictures
    assert after[1].title == "Permuted, draw 99"
    np.testing.assert_array_equal(before[0].scores, after[0].scores)
    assert not np.array_equal(before[1].scores, after[1].scores)


@pytest.mark.journey
def test_nine_pictures_tell_nothing_before_a_guess(board):
    show(board, answer(real="nine"))
    pictures = plot(board).pictures
    assert [picture.title for picture in pictures] == list("123456789")
    assert all(p.codes is None and not p.mark for p in pictures)
    place = Round.of(0, 99).place
    data = board.scene.result.get(REALITY).compared.picture
    np.testing.assert_array_equal(pictures[place].scores, data)
    assert page(board).view.words.text() == FIND
    assert caption(board) == ""


@pytest.mark.parametrize("width", [270, 600])
def test_words_and_buttons_are_read_in_a_narrow_panel(qtbot, width):
    view = RealityView()
    qtbot.addWidget(view)
    view.show_what("nine")
    view.say(FIND)
    view.resize(width, 300)
    view.show()
    assert view.words.shown_text() == FIND
    assert view.again.text() == ("Again" if width < 300 else "Another round")
    qtbot.waitUntil(lambda: view.what.width() >= view.what.room(short=False))
    assert view.again.width() >= view.again.sizeHint().width()


@pytest.mark.journey
def test_a_click_reveals_the_data(board):
    show(board, answer(real="nine"))
    place = Round.of(0, 99).place
    wrong = (place + 1) % 9
    click(board, wrong)
    marks = [picture.mark for picture in plot(board).pictures]
    assert marks[place] == "right"
    assert marks[wrong] == "wrong"
    assert marks.count("") == 7
    assert page(board).view.words.text().startswith("No, ")
    assert "chance" in caption(board)
    # What was guessed cannot be taken back by another click.
    click(board, place)
    assert plot(board).pictures[wrong].mark == "wrong"


@pytest.mark.journey
def test_another_round_forgets_the_guess(board):
    show(board, answer(real="nine"))
    click(board, Round.of(0, 99).place)
    assert page(board).view.words.text().startswith("Yes, ")
    show(board, answer(real="nine", null_draw=1))
    assert page(board).view.words.text() == FIND
    assert not any(picture.mark for picture in plot(board).pictures)


@pytest.mark.journey
def test_other_data_are_a_round_without_an_answer(board):
    show(board, answer(real="nine"))
    plot(board).setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(plot(board), key)
    assert plot(board).pointed == 0
    more = replace(RINGS, data=DataSettings("circles", as_values({"samples": 70})))
    found = answer(more, real="nine")
    show(board, unanswered(found))
    # Nothing of the round before stays until the pictures are there.
    assert plot(board).pictures == ()
    assert plot(board).why_nothing == WAITING
    assert page(board).view.words.text() == ""
    show(board, found)
    assert page(board).view.words.text() == FIND
    assert len(plot(board).pictures) == 9
    assert not any(picture.mark for picture in plot(board).pictures)
    assert plot(board).pointed is None


@pytest.mark.journey
def test_another_kernel_leaves_the_round_until_it_is_compared(board):
    show(board, answer(real="nine"))
    before = plot(board).pictures
    wide = replace(RINGS, kernel=KernelSettings("rbf", as_values({"gamma": 0.5})))
    show(board, unanswered(answer(wide, real="nine")))
    assert plot(board).pictures == before


def test_keys_walk_and_choose(board):
    show(board, answer(real="nine"))
    plot(board).setFocus()
    for key in (Qt.Key.Key_Right, Qt.Key.Key_Right, Qt.Key.Key_Return):
        QTest.keyClick(plot(board), key)
    assert "picture 2 is" in page(board).view.words.text()


def test_a_click_beside_means_nothing(board):
    click(board, 1)
    assert page(board).view.words.text() == ""
    assert not any(picture.mark for picture in plot(board).pictures)


@pytest.mark.journey
def test_it_waits_and_says_why_there_is_nothing(board):
    three = SessionSettings(DataSettings("three_points"))
    show(board, answer(three))
    assert plot(board).pictures == ()
    assert "3 rows" in plot(board).why_nothing
    assert not page(board).view.again.isEnabled()
    show(board, answer(RINGS, "pca"))
    assert plot(board).why_nothing == WAITING or plot(board).pictures


def painted(widget, theme=LIGHT):
    widget.set_theme(theme)
    return paper(widget, 600, 300)


@pytest.mark.journey
@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_on_paper_are_the_pictures_and_the_sentence(board, theme):
    beside = painted(page(board).view, theme)
    assert beside.pixelColor(0, 0).name() == theme.card.lower()
    bottom = {beside.pixel(x, y) for x in range(150, 450) for y in range(282, 298)}
    assert len(bottom) > 5
    show(board, answer(real="nine"))
    assert painted(page(board).view, theme) != beside


@pytest.mark.journey
def test_the_embedding_warns_below_the_picture(board):
    result = answer(LINE, "pca")
    show(board, result)
    assert warning(result.get(REALITY)) in board.embedding.caption()
    show(board, answer(RINGS, "pca"))
    assert "chance" not in board.embedding.caption()
