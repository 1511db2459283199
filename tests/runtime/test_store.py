"""The store: one current state, and a way back that a person would expect."""

from dataclasses import replace

import pytest

from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.store import MOST_STEPS, SessionStore


def with_gamma(gamma):
    return SessionSettings(kernel=KernelSettings().with_value("gamma", gamma))


START = with_gamma(10)


class Log:
    """What the store has said."""

    def __init__(self, store):
        self.steps = []
        self.histories = 0
        store.changed.connect(self.on_changed)
        store.history_changed.connect(self.on_history_changed)

    def on_changed(self, old, new):
        self.steps.append((old, new))

    def on_history_changed(self):
        self.histories += 1


@pytest.fixture
def store(qapp):
    return SessionStore(START)


@pytest.fixture
def log(store):
    return Log(store)


def test_it_begins_with_the_defaults_and_no_history(qapp):
    store = SessionStore()
    assert store.settings == SessionSettings()
    assert store.undo_text is None
    assert store.redo_text is None


def test_a_change_is_told_with_both_ends(store, log):
    store.update(with_gamma(12.5))
    assert store.settings == with_gamma(12.5)
    assert log.steps == [(START, with_gamma(12.5))]
    assert log.histories == 1


def test_listeners_already_see_the_new_state(store):
    seen = []

    def on_changed(old, new):
        seen.append((store.settings == new, store.undo_text))

    store.changed.connect(on_changed)
    store.update(with_gamma(12.5))
    assert seen == [(True, "γ 10 → 12.5")]


def test_an_equal_value_changes_nothing(store, log):
    store.update(with_gamma(10.0))
    store.update(with_gamma(10.0), gesture="gamma")
    assert log.steps == []
    assert log.histories == 0
    assert store.undo_text is None


def test_undo_and_redo_go_back_and_forth(store, log):
    store.update(with_gamma(11))
    store.update(with_gamma(12))
    store.undo()
    assert store.settings == with_gamma(11)
    store.undo()
    assert store.settings == START
    store.redo()
    store.redo()
    assert store.settings == with_gamma(12)
    assert log.steps[2] == (with_gamma(12), with_gamma(11))
    assert log.histories == len(log.steps) == 6


def test_nothing_to_undo_or_redo(store, log):
    store.undo()
    store.redo()
    assert store.settings == START
    assert log.steps == []
    assert log.histories == 0


def test_the_texts_name_the_step(store):
    store.update(with_gamma(12.5))
    laplacian = replace(store.settings.kernel, family="laplacian")
    store.update(replace(store.settings, kernel=laplacian))
    assert store.undo_text == "kernel RBF (Gaussian) → Laplacian"
    assert store.redo_text is None
    store.undo()
    assert store.undo_text == "γ 10 → 12.5"
    assert store.redo_text == "kernel RBF (Gaussian) → Laplacian"
    store.undo()
    assert store.undo_text is None
    assert store.redo_text == "γ 10 → 12.5"


def test_a_new_change_clears_what_could_be_redone(store):
    store.update(with_gamma(11))
    store.undo()
    store.update(with_gamma(20))
    assert store.redo_text is None
    store.redo()
    assert store.settings == with_gamma(20)


def test_a_gesture_is_one_step(store, log):
    for gamma in (11, 12, 13):
        store.update(with_gamma(gamma), gesture="gamma")
    assert len(log.steps) == 3
    assert store.undo_text == "γ 10 → 13"
    store.undo()
    assert store.settings == START
    assert store.undo_text is None
    store.redo()
    assert store.settings == with_gamma(13)


@pytest.mark.parametrize("between", ["end", "plain", "other", "undo"])
def test_what_ends_a_gesture(store, between):
    store.update(with_gamma(11), gesture="gamma")
    store.update(with_gamma(12), gesture="gamma")
    if between == "end":
        store.end_gesture()
    elif between == "plain":
        store.update(with_gamma(13))
    elif between == "other":
        store.update(with_gamma(13), gesture="other")
    else:
        store.undo()
    before = store.settings
    store.update(with_gamma(14), gesture="gamma")
    store.undo()
    assert store.settings == before


def test_plain_changes_do_not_merge(store):
    store.update(with_gamma(11))
    store.update(with_gamma(12))
    store.undo()
    assert store.settings == with_gamma(11)


def test_a_gesture_that_returns_leaves_no_step(store, log):
    store.update(with_gamma(5))
    for gamma in (6, 7, 5):
        store.update(with_gamma(gamma), gesture="gamma")
    assert len(log.steps) == 4
    assert store.undo_text == "γ 10 → 5"
    store.undo()
    assert store.settings == START


def test_a_gesture_may_return_and_go_on(store):
    for gamma in (11, 10, 12, 13):
        store.update(with_gamma(gamma), gesture="gamma")
    store.undo()
    assert store.settings == START
    assert store.undo_text is None


def test_the_history_is_limited(store):
    for step in range(MOST_STEPS + 20):
        store.update(with_gamma(100 + step))
    undone = 0
    while store.undo_text is not None:
        store.undo()
        undone += 1
    assert undone == MOST_STEPS
    assert store.settings == with_gamma(100 + 19)


def test_reset_forgets_the_history(store, log):
    store.update(with_gamma(11), gesture="gamma")
    store.update(with_gamma(12))
    store.undo()
    store.reset(with_gamma(50))
    assert store.settings == with_gamma(50)
    assert store.undo_text is None
    assert store.redo_text is None
    assert log.steps[-1] == (with_gamma(11), with_gamma(50))
    store.update(with_gamma(51), gesture="gamma")
    store.undo()
    assert store.settings == with_gamma(50)


NAMED = Notes().with_name(3, "odd")


def test_notes_are_steps_of_the_same_history(store, log):
    told = []
    store.notes_changed.connect(lambda old, new: told.append((old, new)))
    store.update(with_gamma(12.5))
    store.note(NAMED)
    store.note(NAMED)
    assert told == [(Notes(), NAMED)]
    assert len(log.steps) == 1
    assert store.undo_text == "name “odd”"
    store.undo()
    assert (store.settings, store.notes) == (with_gamma(12.5), Notes())
    assert store.undo_text == "γ 10 → 12.5"
    assert store.redo_text == "name “odd”"
    store.undo()
    store.redo()
    store.redo()
    assert (store.settings, store.notes) == (with_gamma(12.5), NAMED)


def test_a_consequence_is_no_step_of_its_own(store):
    store.note(NAMED)
    store.update(with_gamma(12.5))
    store.undo()
    store.redo()
    store.amend(Notes())
    assert store.notes == Notes()
    store.undo()
    assert (store.settings, store.notes) == (START, NAMED)
    assert store.undo_text == "name “odd”"


def test_names_go_and_come_with_their_rows(store):
    store.note(NAMED)
    moved = replace(START, data=replace(START.data, seed=7))
    store.update(moved, "seed")
    assert store.notes == Notes()
    # A drag that comes back to where it began has changed nothing.
    store.update(START, "seed")
    assert store.notes == NAMED
    store.update(moved)
    store.undo()
    assert store.notes == NAMED


def test_notes_of_one_gesture_are_one_step(store):
    for x in (1.0, 2.0, 3.0):
        store.note(Notes(new_points=((x, 0.0),)), "new point 0")
    store.end_gesture()
    store.note(Notes(new_points=((4.0, 0.0),)), "new point 0")
    store.undo()
    assert store.notes.new_points == ((3.0, 0.0),)
    store.undo()
    assert store.notes == Notes()
    assert store.undo_text is None


def test_settings_can_have_a_consequence_too(store):
    store.update(with_gamma(12.5))
    store.amend(settings=with_gamma(13))
    assert store.settings == with_gamma(13)
    store.undo()
    assert store.settings == START
    assert store.undo_text is None


def test_a_note_ends_a_gesture(store):
    store.update(with_gamma(11), "gamma")
    store.note(NAMED)
    store.update(with_gamma(12), "gamma")
    store.undo()
    assert store.settings == with_gamma(11)
    assert store.notes == NAMED


def test_reset_brings_notes_of_its_own(store, log):
    store.note(NAMED)
    store.reset(START)
    assert store.notes == Notes()
    assert store.undo_text is None
    store.reset(START, NAMED)
    assert store.notes == NAMED
    assert len(log.steps) == 2


def test_rows_that_come_back_have_their_names_again(store):
    other = replace(START, data=DataSettings("moons"))
    store.note(NAMED)
    store.update(other)
    assert store.notes == Notes()
    store.note(Notes().with_name(0, "tip"))
    store.update(START)
    assert store.notes == NAMED
    store.update(other)
    assert store.notes == Notes().with_name(0, "tip")


def test_another_session_knows_no_names_of_the_one_before(store):
    other = replace(START, data=DataSettings("moons"))
    store.note(NAMED)
    store.update(other)
    store.reset(other)
    store.update(START)
    assert store.notes == Notes()
