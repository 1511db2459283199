"""The stage: workspaces, panels that change places, palette, cards, presenting."""

import json
from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QPointF, QRectF, Qt
from PySide6.QtWidgets import QAbstractButton, QLabel, QListWidget, QWidget

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.features.selection.compute import is_found
from kpca_viewer.features.selection.text import NO_GROUPS
from kpca_viewer.widgets.controls import NumberField
from kpca_viewer.widgets.plots.overlay import corner_boxes
from kpca_viewer.widgets.scene import LOOKS
from kpca_viewer.window import palette
from kpca_viewer.window.preferences import Preferences
from tests.e2e.program import CTRL, SMALL


def shown(program):
    """Return the keys of the panels that are seen."""
    keys = program.board.panel_keys
    panels = zip(keys, program.board.panels, strict=True)
    return {key for key, panel in panels if panel.isVisible()}


def test_keys_go_to_workspaces_and_the_embedding_is_in_each(program):
    seen = {}
    for key in (Qt.Key.Key_2, Qt.Key.Key_3, Qt.Key.Key_4, Qt.Key.Key_1):
        program.press(key, CTRL)
        program.settle()
        seen[program.board.workspace] = shown(program)
        assert program.window.top_row.workspaces.value() == program.board.workspace
    assert list(seen) == ["sweep", "explain", "decide", "explore"]
    assert all("embedding" in keys for keys in seen.values())
    assert seen["explore"] == {"embedding", "data", "spectrum", "pages"}
    assert "data" in seen["explain"]
    program.board.show_workspace("explain")
    assert program.board.compare.pages.value() == "derivation"


def test_a_hidden_panel_draws_when_it_is_seen_again(program):
    program.press(Qt.Key.Key_4, CTRL)
    before = program.board.spectrum.scene.result
    program.drag_slider("gamma_slider", 0.3)
    program.settle()
    assert not program.board.spectrum.isVisible()
    drawn = program.board.spectrum.view
    program.press(Qt.Key.Key_1, CTRL)
    program.settle()
    assert program.board.spectrum.isVisible()
    assert program.board.spectrum.scene.result is program.result is not before
    assert drawn is program.board.spectrum.view


def test_a_panel_changes_places_with_the_stage_and_back(program):
    board = program.board
    large = board.embedding.width()
    board.spectrum.swap.click()
    assert board.on_stage == "spectrum"
    assert board.spectrum.width() == large > board.embedding.width()
    program.press(Qt.Key.Key_Escape)
    assert board.on_stage == "embedding"
    assert board.embedding.width() == large


def test_pages_of_a_sweep_change_places_with_the_stage_and_back(program):
    board = program.board
    program.press(Qt.Key.Key_2, CTRL)
    program.settle()
    large = board.embedding.width()
    board.compare.swap.click()
    assert board.on_stage == "pages"
    assert board.compare.width() == large > board.embedding.width()
    assert board.embedding.isVisible()
    board.compare.swap.click()
    assert (board.on_stage, board.embedding.width()) == ("embedding", large)
    board.compare.swap.click()
    program.press(Qt.Key.Key_3, CTRL)
    assert board.on_stage == "embedding"
    assert not board.compare.swap.isVisible()


def test_the_pencil_brings_the_data_onto_the_stage_and_gives_it_back(program):
    pencil = program.find(QAbstractButton, "draw_button")
    for on in (True, False, True):
        program.click(pencil)
        program.settle()
        assert program.board.on_stage == ("data" if on else "embedding")
    program.press(Qt.Key.Key_Escape)
    program.settle()
    assert program.board.on_stage == "embedding"


def test_no_two_entries_of_a_menu_have_one_key(program):
    for entry in program.window.top_row.menus.actions():
        texts = [action.text() for action in entry.menu().actions()]
        keys = [text[text.index("&") + 1].lower() for text in texts if "&" in text]
        assert len(keys) == len(set(keys)), texts


def test_lift_brings_the_data_onto_the_stage_and_gives_it_back(program):
    program.press(Qt.Key.Key_L)
    program.settle()
    assert program.board.on_stage == "data"
    program.press(Qt.Key.Key_L)
    program.settle()
    assert program.board.on_stage == "embedding"


def test_the_palette_finds_sources_pages_and_actions(program):
    line = program.viewer.controllers["window"].palette
    program.press(Qt.Key.Key_K, CTRL)
    assert line.isVisible()
    program.type("moons")
    program.press(Qt.Key.Key_Return)
    program.settle()
    assert program.settings.data.source == "moons"
    assert not line.isVisible()
    program.press(Qt.Key.Key_K, CTRL)
    program.type("odd rows")
    program.press(Qt.Key.Key_Return)
    assert program.board.workspace == "decide"
    assert program.board.compare.pages.value() == "odd"
    program.press(Qt.Key.Key_K, CTRL)
    program.type("no such thing")
    assert line.height() < 100
    found = line.findChild(QListWidget)
    assert "Nothing has the words" in found.item(0).text()
    program.press(Qt.Key.Key_Escape)
    assert not line.isVisible()


def test_the_palette_closes_when_what_had_the_keys_is_gone(program):
    program.find(NumberField, "gamma_field").setFocus()
    program.press(Qt.Key.Key_K, CTRL)
    store = program.viewer.store
    store.update(replace(store.settings, kernel=KernelSettings("linear")))
    program.settle()
    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    program.press(Qt.Key.Key_Escape)
    assert not program.viewer.controllers["window"].palette.isVisible()


def test_the_palette_looks_for_columns_once(start, monkeypatch):
    points = np.random.default_rng(0).normal(size=(6, 3000))
    wide = {"wide": Dataset(points, name="wide")}
    program = start(SessionSettings(data=DataSettings("wide")), opened=wide)
    looked = []
    found = palette.color_choices
    monkeypatch.setattr(
        palette, "color_choices", lambda result: looked.append(1) or found(result)
    )
    program.press(Qt.Key.Key_K, CTRL)
    program.type("colour x2999")
    program.press(Qt.Key.Key_Return)
    assert program.settings.view.color_by == "feature:2998"
    assert looked == [1]


def test_the_card_of_a_selection_names_what_tells_it_apart(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    card = program.window.findChild(QWidget, "selection_card")
    assert not card.isVisible()
    rows = np.flatnonzero(program.result.dataset.labels == 0)
    program.select(*rows[:30])
    assert card.isVisible()
    assert program.find(QLabel, "selection_title").text() == "30 rows (17 %)"
    assert "class_0: 100 %" in program.viewer.controllers["selection"].card.lines()
    program.click(program.find(QAbstractButton, "only_rows_button"))
    program.settle()
    assert program.result.dataset.n == 30
    assert not card.isVisible()


@pytest.mark.parametrize("workspace", ["sweep", "explain", "decide"])
def test_the_card_of_a_selection_lies_beside_the_selected_points(start, workspace):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    program.board.show_workspace(workspace)
    view = program.board.embedding.view
    card = program.window.findChild(QWidget, "selection_card")
    for row in range(3):
        rows = np.flatnonzero(program.result.dataset.labels == row)
        program.select(*rows)
        program.places_at_rest()
        assert card.isVisible()
        assert view.rect().contains(card.geometry())
        box = QRectF(card.geometry())
        pixels = view.pixels()
        corners = corner_boxes(box.size(), view.area.frame)
        covered = [
            sum(corner.contains(QPointF(*at)) for at in pixels[rows])
            for corner in (box, *corners)
        ]
        assert covered[0] == min(covered) <= len(rows) // 20
        alone = max(rows, key=lambda i: np.sort(np.hypot(*(pixels - pixels[i]).T))[1])
        program.hover(view, int(alone))
        assert view.area.overlay.label_lines
        # In the small plot of Explain there may be no room for both.
        apart = not view.area.overlay.label_box().intersects(box)
        assert apart or workspace == "explain"
    program.board.show_workspace("explore")
    program.places_at_rest()
    assert card.isVisible()
    assert not view.isAncestorOf(card)
    program.press(Qt.Key.Key_Escape)
    assert not card.isVisible()


def test_first_steps_are_put_away_for_good(program, restart):
    assert program.find(QWidget, "first_card").isVisible()
    program.click(program.find(QAbstractButton, "first_card_close"))
    again = restart(program)
    assert again.window.findChild(QWidget, "first_card") is None


def test_a_message_moves_nothing(program):
    places = program.places_at_rest()
    program.viewer.presenter.messages.say_suggested("Something long " * 20)
    assert program.window.message_bar.isVisible()
    assert program.places_at_rest() == places


def test_escape_stays_in_presenting(program):
    program.present()
    assert shown(program) == {"embedding", "data"}
    program.press(Qt.Key.Key_Escape)
    assert program.window.isFullScreen()
    program.press(Qt.Key.Key_F11)
    assert shown(program) == {"embedding", "data", "spectrum", "pages"}


def test_folded_tabs_are_as_high_as_their_words_when_presented(program):
    program.press(Qt.Key.Key_4, CTRL)
    program.present()
    program.settle()
    tabs = program.board.compare.pages
    assert tabs.is_folded
    pressed = tabs.button(tabs.value())
    assert pressed.height() >= pressed.sizeHint().height()


def test_a_class_is_lifted_no_longer_when_its_entry_moves_away(program):
    legend = program.board.embedding.legend
    heard = []
    legend.classes_hovered.connect(heard.append)
    entry = program.find(QWidget, "legend_entry_0")
    program.qtbot.mouseMove(entry, entry.rect().center())
    program.until(lambda: heard == [{0}])
    program.press(Qt.Key.Key_2, CTRL)
    program.settle()
    assert heard[-1] is None


def test_starting_over_gives_the_first_state(program):
    program.press(Qt.Key.Key_3, CTRL)
    program.window.sidebar.cards[2].set_collapsed(False)
    program.press(Qt.Key.Key_N, CTRL)
    program.settle()
    assert program.board.workspace == "explore"
    assert program.board.on_stage == "embedding"
    folded = [card.collapsed() for card in program.window.sidebar.cards]
    assert folded == [False, False, True, True]


def test_data_of_many_columns_show_those_that_follow_the_components(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    assert "Columns by their r with PC 1" in program.caption("data")
    data, scores = program.result.dataset, program.result.scores
    r = np.corrcoef(data.points.T, scores[:, :2].T)[: data.d, data.d :]
    first = int(np.nanargmax(np.abs(r[:, 0])))
    picked = program.window.findChild(QWidget, "data_x_combo").currentText()
    assert picked == data.feature_names[first]


def test_the_columns_are_those_that_follow_the_picture_of_another_scaling(start):
    data = DataSettings.of_source("wine")
    program = start(SessionSettings(data=data.with_scaling("none")))
    combo = program.window.findChild(QWidget, "data_x_combo")
    before = combo.currentText()
    program.choose("scaling_combo", "Standardise columns")
    program.settle()
    columns, scores = program.result.dataset, program.result.scores
    r = np.corrcoef(columns.points.T, scores[:, :2].T)[: columns.d, columns.d :]
    first = int(np.nanargmax(np.abs(r[:, 0])))
    assert combo.currentText() == columns.feature_names[first] != before
    said = f"{r[first, 0]:.2f}".replace("-", "−")
    assert f"PC 1 ({said})" in program.caption("data")


def test_a_low_panel_of_pictures_shows_the_means_large_and_no_plot(start):
    program = start(SessionSettings(data=DataSettings.of_source("digits")))
    panel = program.board.data
    assert panel.means.isVisible()
    assert not panel.view.isVisible()
    assert panel.means.height() > panel.height() // 2
    assert "mean picture of each class" in program.caption("data")
    panel.swap.click()
    program.places_at_rest()
    assert panel.view.isVisible()
    assert panel.view.height() > 3 * panel.means.height()
    assert "Columns by their r" in program.caption("data")
    panel.swap.click()
    program.places_at_rest()
    assert not panel.view.isVisible()


def test_names_of_axes_give_way_to_the_lists_above_a_low_plot(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    panel = program.board.data
    frame = panel.view.area.frame
    line = panel.fontMetrics().height()
    assert panel.view.height() - frame.top - frame.height < 2 * line
    panel.swap.click()
    program.places_at_rest()
    frame = panel.view.area.frame
    assert panel.view.height() - frame.top - frame.height >= 2 * line


def test_groups_of_the_embedding_are_a_column_and_one_undo_takes_it_back(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    program.select(0, 1, 2)
    selection = program.board.linking.selection
    program.viewer.controllers["selection"].name("group", "mine", selection)
    program.settle()
    named = program.settings.data.groups
    program.action("find_groups").trigger()
    # What a page needs is computed meanwhile, for the same scores.
    program.press(Qt.Key.Key_4, CTRL)
    program.until(lambda: len(program.settings.data.groups) > 2)
    program.settle()
    assert program.settings.view.color_by == "column:group"
    column = program.result.dataset.columns["group"]
    # Not mixed with the classes of the data: what is in no group has none.
    assert all(name.startswith("group ") or name == "mine" for name in column.words)
    assert (column.values == -1).any()
    left = [g for g in program.settings.data.groups if not is_found(g)]
    assert left == list(named), "another search would take the place of this one"
    program.press(Qt.Key.Key_Z, CTRL)
    program.settle()
    assert program.settings.data.groups == named


@pytest.mark.parametrize("key", ["spectrum", "pages"])
def test_what_is_on_the_stage_is_presented_with_the_data(program, key):
    program.board.bring_to_stage(key)
    program.present()
    assert shown(program) == {key, "data"}


def test_presenting_leaves_the_sidebar_of_every_workspace_as_it_was(program):
    program.present()
    program.press(Qt.Key.Key_4, CTRL)
    program.press(Qt.Key.Key_F11)
    assert not program.window.sidebar.isVisible()
    program.press(Qt.Key.Key_1, CTRL)
    assert program.window.sidebar.isVisible()


@pytest.mark.parametrize(
    "sizes", [[99_999_999_999, 1, 1], [-5, -3, -1], [1], [0, 0, 0, 0]]
)
def test_sizes_that_are_none_are_not_recalled(start, sizes):
    kept = json.dumps({"explore": {"columns": sizes, "right": sizes}})
    Preferences().store.setValue("window/columns", kept)
    program = start()
    assert program.board.embedding.width() > 400
    assert shown(program) == {"embedding", "data", "spectrum", "pages"}


def test_the_embedding_taken_back_to_the_stage_stays_while_data_are_lifted(program):
    program.press(Qt.Key.Key_L)
    program.settle()
    program.board.data.swap.click()
    assert program.board.on_stage == "embedding"
    program.drag_slider("gamma_slider", 0.3)
    program.settle()
    assert program.board.on_stage == "embedding"


def test_lift_brings_the_data_again_after_another_workspace_or_a_reset(program):
    board = program.board
    program.press(Qt.Key.Key_L)
    program.press(Qt.Key.Key_3, CTRL)
    program.press(Qt.Key.Key_1, CTRL)
    assert board.on_stage == "data"
    program.press(Qt.Key.Key_3, CTRL)
    program.press(Qt.Key.Key_L)
    program.press(Qt.Key.Key_1, CTRL)
    program.settle()
    assert board.on_stage == "embedding"
    program.press(Qt.Key.Key_L)
    assert board.on_stage == "data"
    program.action("reset_layout").trigger()
    assert board.on_stage == "embedding"
    program.press(Qt.Key.Key_L)
    program.press(Qt.Key.Key_L)
    assert board.on_stage == "data"


def test_starting_over_gives_type_its_usual_size(program):
    presenter = program.viewer.presenter
    usual = LOOKS(presenter.scene)
    program.action("larger_type").trigger()
    assert LOOKS(presenter.scene) != usual
    program.press(Qt.Key.Key_N, CTRL)
    program.settle()
    assert LOOKS(presenter.scene) == usual


def test_too_few_rows_for_groups_are_said_to_have_none(start):
    program = start(SessionSettings(data=DataSettings.of_source("three_points")))
    program.action("find_groups").trigger()
    program.until(lambda: program.message() == NO_GROUPS.text)


def test_starting_over_ends_the_sweep_and_undo_brings_it_back(start):
    program = start(SMALL)
    program.action("sweep_start").trigger()
    program.until(lambda: program.strip.result() is not None)
    program.press(Qt.Key.Key_N, CTRL)
    program.settle()
    sweep = program.viewer.store.notes.sweep
    assert (program.strip.state(), sweep) == ("idle", None)
    program.press(Qt.Key.Key_Z, CTRL)
    program.until(lambda: program.strip.state() == "done")
    assert program.settings.data == SMALL.data


def test_the_card_of_a_selection_follows_a_class_that_it_gets(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    selecting = program.viewer.controllers["selection"]
    program.select(*range(30))
    selecting.name("class", "mine", program.board.linking.selection)
    program.until(lambda: any("mine" in line for line in selecting.card.lines()))


def test_a_long_message_has_one_line_until_it_is_clicked(program):
    bar, verdict = program.window.message_bar, program.window.verdict
    program.viewer.presenter.messages.say_suggested("Something long " * 40)
    program.settle()
    assert bar.height() <= verdict.height() + 8
    low = bar.height()
    program.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.rect().center())
    program.until(lambda: bar.height() > 2 * verdict.height())
    program.qtbot.mouseClick(bar, Qt.MouseButton.LeftButton, pos=bar.rect().center())
    program.until(lambda: bar.height() == low)


def test_what_is_read_in_the_derivation_needs_no_scrolling_to_the_side(program):
    program.press(Qt.Key.Key_3, CTRL)
    program.settle()
    view = program.board.compare.views["derivation"].view
    bar, note = view.scrolled.horizontalScrollBar(), view.steps.lines["points"].note
    program.until(lambda: bar.maximum() > 0 and note.isVisible())
    right = note.mapTo(view.scrolled.viewport(), note.rect().topRight())
    assert right.x() <= view.scrolled.viewport().width()
