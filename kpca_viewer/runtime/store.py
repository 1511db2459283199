"""SessionStore: the current settings, and the way back and forth through them."""

from PySide6.QtCore import QObject, Signal

from kpca_viewer.session.settings import SessionSettings, describe_change

MOST_STEPS = 200


class SessionStore(QObject):
    """Holds one `SessionSettings`; everything that changes goes through `update`.

    A burst of changes with the same ``gesture`` (one drag of a slider) is one step of
    the history.
    """

    changed = Signal(object, object)  # old, new
    history_changed = Signal()

    def __init__(
        self, settings: SessionSettings | None = None, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._settings = settings or SessionSettings()
        self._undo: list[SessionSettings] = []
        self._redo: list[SessionSettings] = []
        self._gesture: str | None = None

    @property
    def settings(self) -> SessionSettings:
        """The current state."""
        return self._settings

    def update(self, settings: SessionSettings, gesture: str | None = None) -> None:
        """Go to a new state; an equal one changes nothing.

        Parameters
        ----------
        settings : SessionSettings
        gesture : str, optional
            Name of a burst; further updates with the same name merge into one step
            until `end_gesture` or another change.
        """
        if settings == self._settings:
            return
        old = self._settings
        if gesture is None or gesture != self._gesture:
            self._undo.append(old)
            del self._undo[:-MOST_STEPS]
            self._gesture = gesture
        elif settings == self._undo[-1]:
            # The hand is back where it began: there is no step to take back.
            self._undo.pop()
            self._gesture = None
        self._redo.clear()
        self._go_to(settings)

    def end_gesture(self) -> None:
        """Close the current burst: the next change is a step of its own."""
        self._gesture = None

    def reset(self, settings: SessionSettings) -> None:
        """Go to a state and forget the history (a session was opened)."""
        self._undo.clear()
        self._redo.clear()
        self._gesture = None
        self._go_to(settings)

    @property
    def undo_text(self) -> str | None:
        """What undo would take back, or None."""
        return describe_change(self._undo[-1], self._settings) if self._undo else None

    @property
    def redo_text(self) -> str | None:
        """What redo would bring back, or None."""
        return describe_change(self._settings, self._redo[-1]) if self._redo else None

    def undo(self) -> None:
        """Take the last step back."""
        self._step(self._undo, self._redo)

    def redo(self) -> None:
        """Bring the step back that was undone last."""
        self._step(self._redo, self._undo)

    def _step(
        self, source: list[SessionSettings], target: list[SessionSettings]
    ) -> None:
        if not source:
            return
        target.append(self._settings)
        self._gesture = None
        self._go_to(source.pop())

    def _go_to(self, settings: SessionSettings) -> None:
        old, self._settings = self._settings, settings
        self.changed.emit(old, settings)
        self.history_changed.emit()
