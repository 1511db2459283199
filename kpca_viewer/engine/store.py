"""SessionStore: the current state, and the way back and forth through all of them."""

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field, replace

from PySide6.QtCore import QObject, Signal

from kpca_viewer.engine.choice_note import describe_choice
from kpca_viewer.engine.notes import Notes, describe_notes, rows_of
from kpca_viewer.engine.rows.row_set import RowAnchor
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.text.undo_titles import describe_change

MOST_STEPS = 200


@dataclass(frozen=True)
class HistoryState:
    """One state of the history."""

    settings: SessionSettings = field(default_factory=SessionSettings)
    notes: Notes = field(default_factory=Notes)
    session: int = 0
    """Counts the sessions that were opened; each has a file of its own, or none."""


@dataclass(frozen=True)
class History:
    """All states of a store."""

    state: HistoryState
    """The present one."""
    undo: tuple[HistoryState, ...] = ()
    redo: tuple[HistoryState, ...] = ()


class SessionStore(QObject):
    """Holds settings and notes; everything that changes goes through here.

    A burst of changes with the same ``gesture`` (one drag of a slider) is one step of
    the history.
    """

    changed = Signal(object, object)
    """The old and the new settings."""
    notes_changed = Signal(object, object)
    """The old and the new notes."""
    history_changed = Signal()

    def __init__(
        self, settings: SessionSettings | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._state = HistoryState(settings or SessionSettings())
        self._undo: list[HistoryState] = []
        self._redo: list[HistoryState] = []
        self._gesture: str | None = None
        self._names: dict[Hashable, Notes] = {}
        self._titles = [""]

    @property
    def settings(self) -> SessionSettings:
        return self._state.settings

    @property
    def notes(self) -> Notes:
        return self._state.notes

    @property
    def session(self) -> int:
        return self._state.session

    def update(
        self,
        settings: SessionSettings,
        gesture: str | None = None,
        notes: Notes | None = None,
    ) -> None:
        """Go to other settings; equal ones change nothing.

        ``gesture``: name of a burst; further updates with the same name merge into one
        step until `end_gesture` or another change; ``notes``: what is noted then; by
        default what other rows leave of it.
        """
        old = self._state
        if settings == old.settings:
            return
        settings = settings.after(old.settings)
        if notes is None:
            notes = self._notes_for(settings)
        else:
            self._keep_names(settings)
        new = replace(old, settings=settings, notes=notes)
        if gesture is None or gesture != self._gesture:
            self._remember(old)
            self._gesture = gesture
        elif settings == self._undo[-1].settings:
            # The drag is back where it began: there is nothing to undo.
            new = self._undo.pop()
            self._gesture = None
        self._redo.clear()
        self._go_to(new)

    def _notes_for(self, settings: SessionSettings) -> Notes:
        """Return the notes after other settings; rows that return have their names."""
        old = self.notes
        kept = old.for_data(self.settings.data, settings.data)
        if kept is not old:
            self._keep_names(settings)
            known = self.notes_before(settings)
            kept = replace(kept, row_names=known.row_names, anchor=known.anchor)
        return kept

    def _keep_names(self, settings: SessionSettings) -> None:
        """Remember the names of rows that other settings do without."""
        before = rows_of(self.settings.data)
        if before != rows_of(settings.data):
            # Another session knows no names of the one before.
            self._names[self.session, before] = self.notes

    def notes_before(self, settings: SessionSettings) -> Notes:
        """Return what was noted when the rows were those of some settings."""
        return self._names.get((self.session, rows_of(settings.data)), Notes())

    def note(self, notes: Notes, gesture: str | None = None) -> None:
        """Go to other notes; equal ones change nothing. Gestures are as in `update`."""
        if notes == self.notes:
            return
        if gesture is None or gesture != self._gesture:
            self._remember(self._state)
            self._gesture = gesture
        self._redo.clear()
        self._go_to(replace(self._state, notes=notes))

    def amend(
        self, notes: Notes | None = None, settings: SessionSettings | None = None
    ) -> None:
        """Let the present step be another one: a consequence, not a request."""
        state = replace(
            self._state,
            settings=settings or self.settings,
            notes=self.notes if notes is None else notes,
        )
        if state != self._state:
            self._go_to(state)

    def anchor(self, anchor: RowAnchor) -> None:
        """Note which rows are meant; nothing visible changes."""
        notes = replace(self.notes, anchor=anchor)
        self._state = replace(self._state, notes=notes)

    def move_notes(self, move: Callable[[Notes], Notes]) -> None:
        """Let all notes about the present rows follow them, those to undo too."""
        here = rows_of(self.settings.data)
        for states in (self._undo, self._redo):
            states[:] = [
                replace(state, notes=move(state.notes))
                if rows_of(state.settings.data) == here
                else state
                for state in states
            ]
        self.amend(move(self.notes))

    def end_gesture(self) -> None:
        """Close the current burst: the next change is a step of its own."""
        self._gesture = None

    def give_up(self, gesture: str) -> None:
        """Take the current burst back as if it had never been, if it has this name."""
        if self._gesture == gesture:
            self._gesture = None
            self._go_to(self._undo.pop())

    def open(self, settings: SessionSettings, notes: Notes, title: str) -> None:
        """Go to another session; a step that leads back to the work before."""
        self._remember(self._state)
        self._begin(settings, notes, title)

    def reset(self, settings: SessionSettings, notes: Notes | None = None) -> None:
        self._undo.clear()
        self._begin(settings, notes or Notes(), "")

    @property
    def history(self) -> History:
        return History(self._state, tuple(self._undo), tuple(self._redo))

    def bring_back(self, history: History) -> None:
        """Go to a state that was left, with all that could be undone and redone."""
        self._undo[:], self._redo[:] = history.undo, history.redo
        self._gesture = None
        self._go_to(history.state, anew=True)

    def _begin(self, settings: SessionSettings, notes: Notes, title: str) -> None:
        self._redo.clear()
        self._gesture = None
        self._titles.append(title)
        self._go_to(HistoryState(settings, notes, len(self._titles) - 1), anew=True)

    @property
    def undo_text(self) -> str | None:
        return self._described(self._undo[-1], self._state) if self._undo else None

    @property
    def redo_text(self) -> str | None:
        return self._described(self._state, self._redo[-1]) if self._redo else None

    def undo(self) -> None:
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        self._step(self._redo, self._undo)

    def _step(self, source: list[HistoryState], target: list[HistoryState]) -> None:
        if not source:
            return
        target.append(self._state)
        self._gesture = None
        self._go_to(source.pop())

    def _remember(self, state: HistoryState) -> None:
        self._undo.append(state)
        del self._undo[:-MOST_STEPS]

    def _go_to(self, state: HistoryState, *, anew: bool = False) -> None:
        """Both parts are there before a signal tells of one of them."""
        old, self._state = self._state, state
        if anew or state.settings != old.settings:
            self.changed.emit(old.settings, state.settings)
        # A slot that heard of the settings may have amended the notes already.
        if self.notes != old.notes:
            self.notes_changed.emit(old.notes, self.notes)
        self.history_changed.emit()

    def _described(self, old: HistoryState, new: HistoryState) -> str:
        if old.session != new.session:
            return f"opening of {self._titles[new.session]}"
        if old.settings != new.settings:
            settings = old.settings, new.settings
            return describe_choice(*settings, new.notes.choice) or describe_change(
                *settings
            )
        return describe_notes(old.notes, new.notes)
