"""Kernels are compared in the real window, one is looked at and taken, and kept."""

from dataclasses import replace

import numpy as np
import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QPushButton

from kpca_viewer.engine.choice_note import kernel_words, with_row
from kpca_viewer.engine.claims.choice import advice
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.features.kernel_search.text import EMPTY
from kpca_viewer.widgets.controls.behaviour import is_dimmed
from tests.e2e.files import accept, drop
from tests.e2e.program import CTRL, SMALL

Key = Qt.Key


def finished(program):
    """Wait until all kernels are compared and drawn."""
    choosing = program.viewer.controllers["kernel_search"]
    program.until(lambda: choosing.state.stage in ("done", "failed"))
    program.until(
        lambda: not choosing.runner.busy and not choosing.runner.pictures.busy
    )
    return choosing


def words(view):
    return view.findChild(QLabel, "choice_words_label").text()


@pytest.fixture
def chosen(start):
    """A few points of two rings, on which all kernels were compared by one key."""
    program = start(SMALL)
    program.press(Key.Key_K)
    choosing = finished(program)
    assert choosing.state.stage == "done"
    return program


def undo(program, steps: int = 1) -> None:
    """Go back to the data and kernel that were compared."""
    for _ in range(steps):
        program.action("undo").trigger()
        program.settle()
    assert program.settings == SMALL


def test_what_a_person_does_with_a_choice(chosen):
    """One program: a search takes longer than these steps, which undo their own."""
    for step in (
        kernels_are_compared_and_shown_in_order,
        a_row_is_seen_and_given_back,
        a_preview_ends_with_the_next_result,
        a_row_is_taken_as_one_step_with_its_evidence,
        a_drag_after_the_choice_is_another_step,
        another_session_knows_nothing_of_it,
        it_follows_theme_and_type,
        other_data_put_it_out_of_date,
        asking_again_on_other_data_begins_anew,
    ):
        step(chosen)


def kernels_are_compared_and_shown_in_order(chosen):
    choosing = chosen.viewer.controllers["kernel_search"]
    view, choice = choosing.view, choosing.state.choice
    assert view.isVisible()
    assert words(view) == advice(choice)[0]
    assert choice.evidence == "classes"
    assert not choice.chosen.line.is_linear
    assert {row.line.family for row in choice.rows} >= {"rbf", "linear", "laplacian"}
    for row in choice.rows:
        point = view.table.picture(row)
        assert point is not None
        assert point.error or len(point.thumbnail) == 60
    # The evidence is there, and nothing that could be undone has happened.
    assert chosen.viewer.store.notes.choice.choice().n == choice.n
    assert chosen.viewer.store.undo_text is None


def a_row_is_seen_and_given_back(chosen):
    view = chosen.viewer.controllers["kernel_search"].view
    before = chosen.embedding.copy()
    QTest.keyClick(view.table, Key.Key_Down)
    row = view.table.current_row()
    chosen.board.embedding.view.glide.finish()
    assert chosen.caption("embedding") == (
        f"Preview of {kernel_words(row)}, to three digits."
    )
    np.testing.assert_allclose(
        chosen.embedding, view.table.picture(row).film[:, :2], atol=1e-6
    )
    assert chosen.settings == SMALL
    QTest.keyClick(view.table, Key.Key_Escape)
    chosen.board.embedding.view.glide.finish()
    np.testing.assert_allclose(chosen.embedding, before)
    assert "Preview" not in chosen.caption("embedding")
    assert view.isVisible()


def a_row_is_taken_as_one_step_with_its_evidence(chosen):
    choosing = chosen.viewer.controllers["kernel_search"]
    view, store = choosing.view, chosen.viewer.store
    QTest.keyClick(view.table, Key.Key_Home)
    QTest.keyClick(view.table, Key.Key_Return)
    chosen.settle()
    row = choosing.state.choice.chosen
    assert chosen.settings == with_row(SMALL, row)
    assert chosen.result.kernel == row.kernel
    assert store.undo_text.startswith(f"choice of {kernel_words(row)}, ")
    assert store.notes.choice.taken == 0
    assert view.table.lines(0)[1][1] == "the choice · in use"
    # As it was seen, so it stands.
    picture = view.table.picture(row).film[:, :2]
    scale = np.abs(picture).max()
    np.testing.assert_allclose(chosen.embedding, picture, atol=0.02 * scale)
    # Where it was taken it is given back.
    chosen.press(Key.Key_Z, CTRL)
    chosen.settle()
    assert chosen.settings == SMALL
    assert store.notes.choice.taken is None
    assert view.table.lines(0)[1][1] == "the choice"
    assert store.redo_text.startswith("choice of ")


def test_a_preview_shows_the_first_components_whatever_axes_are_shown(start):
    turned = replace(SMALL, view=replace(SMALL.view, axes=(2, 1, 0)))
    program = start(turned)
    program.press(Key.Key_K)
    view = finished(program).view
    QTest.keyClick(view.table, Key.Key_Home)
    program.board.embedding.view.glide.finish()
    picture = view.table.picture(view.table.current_row())
    np.testing.assert_allclose(program.embedding, picture.film[:, :2], atol=1e-6)
    QTest.keyClick(view.table, Key.Key_Return)
    program.settle()
    assert program.settings.view.axes == (0, 1, 2)


def other_data_put_it_out_of_date(chosen):
    choosing = chosen.viewer.controllers["kernel_search"]
    view = choosing.view
    chosen.choose("source_combo", "Moons")
    chosen.settle()
    assert words(view).startswith("Out of date: other data are shown now.")
    assert is_dimmed(view.table)
    assert "Use " not in words(view)
    QTest.keyClick(view.table, Key.Key_Return)
    assert chosen.settings.data.source == "moons"
    assert chosen.settings.kernel.family == "rbf"
    chosen.press(Key.Key_Z, CTRL)
    chosen.settle()
    assert not is_dimmed(view.table)
    assert words(view) == advice(choosing.state.choice)[0]


def test_a_search_is_cancelled_and_what_is_there_stays(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    program.press(Key.Key_K)
    choosing = program.viewer.controllers["kernel_search"]
    program.until(lambda: choosing.state.choice is not None)
    cancel = choosing.view.findChild(QPushButton, "choice_cancel_button")
    program.click(cancel)
    assert choosing.state.stage == "cancelled"
    assert words(choosing.view).startswith("Cancelled: what ")
    assert choosing.view.table.rows
    # Nobody has found a choice.
    assert program.viewer.store.notes.choice is None


def test_what_is_there_stays_whatever_else_is_noted(start):
    program = start(SMALL)
    program.press(Key.Key_K)
    choosing = finished(program)
    complete = program.viewer.store.notes.choice
    choosing.start()
    program.until(lambda: choosing.state.choice is not None)
    choosing.runner.search.cancel()
    rows = choosing.state.choice.rows
    program.select(1, 2)
    assert choosing.state.stage == "cancelled"
    assert choosing.state.choice.rows is rows
    # The session keeps what was compared to the end.
    assert program.viewer.store.notes.choice == complete


def test_a_row_that_was_taken_before_the_end_is_taken_at_the_end(start):
    program = start(SMALL)
    program.press(Key.Key_K)
    choosing = program.viewer.controllers["kernel_search"]
    program.until(lambda: choosing.state.choice is not None)
    linear = next(row for row in choosing.state.choice.rows if row.line.is_linear)
    choosing.adopt(linear)
    assert not program.viewer.store.notes.choice.is_complete
    finished(program)
    note = program.viewer.store.notes.choice
    assert note.is_complete
    assert note.rows[note.taken].family == "linear"
    assert program.settings.kernel.family == "linear"


def test_evidence_survives_the_undoing_of_steps_before_it(start):
    program = start(SMALL)
    program.press(Key.Key_C)
    program.settle()
    program.press(Key.Key_K)
    finished(program)
    note = program.viewer.store.notes.choice
    program.activate()
    program.press(Key.Key_Z, CTRL)
    program.settle()
    assert program.settings == SMALL
    assert program.viewer.store.notes.choice == note


def another_session_knows_nothing_of_it(chosen):
    choosing, store = chosen.viewer.controllers["kernel_search"], chosen.viewer.store
    note = store.notes.choice
    store.open(replace(SMALL, kernel=KernelSettings("linear")), Notes(), "another")
    chosen.settle()
    assert choosing.state.stage == "empty"
    assert words(choosing.view) == EMPTY
    assert store.notes.choice is None
    store.undo()
    chosen.settle()
    assert store.notes.choice == note
    assert words(choosing.view) == advice(note.choice())[0]


def asking_again_on_other_data_begins_anew(chosen):
    choosing = chosen.viewer.controllers["kernel_search"]
    before = choosing.state.choice
    chosen.choose("source_combo", "Moons")
    chosen.settle()
    # A list in focus keeps the letters.
    chosen.focus(chosen.board.embedding.view.canvas)
    chosen.press(Key.Key_K)
    assert choosing.state.stage == "working"
    assert choosing.state.choice is None
    assert words(choosing.view) == "Comparing kernels."
    chosen.until(lambda: choosing.state.choice is not None)
    assert choosing.state.choice is not before
    choosing.runner.search.cancel()
    chosen.until(lambda: choosing.state.stage == "cancelled")


def a_preview_ends_with_the_next_result(chosen):
    view = chosen.viewer.controllers["kernel_search"].view
    QTest.keyClick(view.table, Key.Key_Down)
    assert view.is_previewed
    linear = replace(SMALL, kernel=KernelSettings("linear"))
    chosen.window.changes.request(linear)
    chosen.settle()
    chosen.until(lambda: not view.is_previewed)
    assert "Preview" not in chosen.caption("embedding")
    undo(chosen)


def test_other_data_end_a_search(start):
    program = start(SessionSettings(data=DataSettings.of_source("wine")))
    program.press(Key.Key_K)
    choosing = program.viewer.controllers["kernel_search"]
    program.until(lambda: choosing.state.choice is not None)
    program.choose("source_combo", "Moons")
    program.settle()
    assert choosing.state.stage == "cancelled"
    assert not choosing.runner.busy
    assert words(choosing.view).startswith("Out of date: other data are shown now.")


def test_the_evidence_comes_back_with_the_session(chosen, restart):
    said = words(chosen.viewer.controllers["kernel_search"].view)
    QTest.keyClick(
        chosen.viewer.controllers["kernel_search"].view.table, Key.Key_Return
    )
    chosen.settle()
    row = chosen.viewer.controllers["kernel_search"].state.choice.chosen
    chosen.viewer.window.board.show_workspace("explore")
    again = restart(chosen)
    again.viewer.window.board.show_workspace("decide")
    choosing = again.viewer.controllers["kernel_search"]
    again.until(
        lambda: choosing.runner is not None and not choosing.runner.pictures.busy
    )
    assert choosing.state.stage == "done"
    # Known, not compared again.
    assert not choosing.runner.busy
    assert words(choosing.view) == said
    view = choosing.view
    assert view.table.lines(0)[1][1] == "the choice · in use"
    assert view.table.current_row().value == row.value
    assert len(view.evidence.plot.curve.x) == len(
        [one for one in row.tried if len(one.scores)]
    )
    again.until(lambda: view.table.picture(view.table.current_row()) is not None)


def test_the_button_of_the_kernel_card_opens_it(start):
    program = start(SMALL)
    program.click(program.find(QPushButton, "choose_button"))
    choosing = program.viewer.controllers["kernel_search"]
    assert choosing.view.isVisible()
    program.until(lambda: choosing.state.choice is not None)
    program.close()
    assert not choosing.runner.busy


def test_what_cannot_be_compared_is_said_in_a_sentence(start, tmp_path):
    path = tmp_path / "distances.csv"
    points = np.random.default_rng(0).normal(size=(12, 2))
    np.savetxt(path, np.hypot(*(points[:, None] - points).T), delimiter=",")
    program = start(SMALL)
    drop(program, path)
    accept(program)
    program.settle()
    assert not program.window.findChild(QPushButton, "choose_button").isVisible()
    program.action("choose").trigger()
    choosing = finished(program)
    assert choosing.state.stage == "failed"
    assert words(choosing.view).startswith("A given matrix has neither columns")


def test_an_empty_plane_offers_no_choice(start):
    program = start(SMALL)
    program.action("empty_plane").trigger()
    program.until(lambda: not program.action("choose").isEnabled())


def it_follows_theme_and_type(chosen):
    view = chosen.viewer.controllers["kernel_search"].view
    before = view.table.sizeHintForRow(0)
    chosen.action("theme").trigger()
    assert view.evidence.plot.theme.name == "dark"
    for _ in range(3):
        chosen.action("larger_type").trigger()
    assert view.table.sizeHintForRow(0) > before
    chosen.action("normal_type").trigger()
    chosen.action("theme").trigger()
    assert view.evidence.plot.theme.name == "light"
    assert view.table.sizeHintForRow(0) == before


def a_drag_after_the_choice_is_another_step(chosen):
    store = chosen.viewer.store
    table = chosen.viewer.controllers["kernel_search"].view.table
    QTest.keyClick(table, Key.Key_Home)
    QTest.keyClick(table, Key.Key_Return)
    chosen.settle()
    kernel = KernelSettings("rbf", (("gamma", 7.0),))
    chosen.window.changes.request(replace(chosen.settings, kernel=kernel))
    chosen.settle()
    assert not store.undo_text.startswith("choice of")
    assert table.lines(0)[1][1] == "the choice"
    undo(chosen, 2)
