"""The menu entries and keys that change a setting."""

from dataclasses import replace
from random import randrange

from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QAction

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.lifts import FIRST
from kpca_viewer.engine.settings import KernelSettings
from kpca_viewer.engine.store import SessionStore
from kpca_viewer.widgets.scene import Changes
from kpca_viewer.window.actions.actions import Actions


class SettingActions(QObject):
    """Turns actions into changes of the settings; undo and redo among them."""

    def __init__(
        self, actions: Actions, store: SessionStore, changes: Changes, parent: QObject
    ) -> None:
        super().__init__(parent)
        self._actions = actions
        self._store = store
        self._changes = changes
        for key, slot in (
            ("undo", store.undo),
            ("redo", store.redo),
            ("roll", self._on_roll),
            ("toggle_center", self._on_center),
            ("refine", self._on_refine),
            ("fit_all_rows", self._on_fit_all_rows),
            ("embedding_3d", self._on_embedding_3d),
            ("fill_panel", self._on_fill_panel),
            ("lift", self._on_lift),
        ):
            actions[key].triggered.connect(slot)
        for axis in ("x", "y", "z", "linear_x", "linear_y"):
            action = actions[f"flip_{axis}"]
            action.setData(axis)
            action.triggered.connect(self._on_flip)
        for name in FAMILIES:
            action = actions[f"kernel_{name}"]
            action.setData(name)
            action.triggered.connect(self._on_kernel_chosen)
        store.history_changed.connect(self._on_history_changed)
        self._on_history_changed()

    @Slot()
    def _on_history_changed(self) -> None:
        for key, word, text in (
            ("undo", "Undo", self._store.undo_text),
            ("redo", "Redo", self._store.redo_text),
        ):
            self._actions[key].setEnabled(text is not None)
            # A & in the name of a file is no mnemonic.
            words = (text or "").replace("&", "&&")
            self._actions[key].setText(f"&{word} {words}".rstrip())

    @Slot()
    def _on_roll(self) -> None:
        data = self._store.settings.data.with_seed(randrange(1, 10_000))
        self._changes.request(replace(self._store.settings, data=data))

    @Slot(bool)
    def _on_center(self, on: bool) -> None:
        self._changes.request(self._store.settings.with_center(on))

    @Slot(bool)
    def _on_refine(self, on: bool) -> None:
        self._changes.request(self._store.settings.with_refinement(on))

    @Slot(bool)
    def _on_fit_all_rows(self, on: bool) -> None:
        self._changes.request(self._store.settings.with_full_fit(on))

    @Slot(bool)
    def _on_embedding_3d(self, on: bool) -> None:
        view = replace(self._store.settings.view, embedding_3d=on)
        self._changes.request(replace(self._store.settings, view=view))

    @Slot(bool)
    def _on_fill_panel(self, on: bool) -> None:
        view = replace(self._store.settings.view, fills=on)
        self._changes.request(replace(self._store.settings, view=view))

    @Slot(bool)
    def _on_lift(self, on: bool) -> None:
        lift = FIRST if on else ""
        view = replace(self._store.settings.view, lift=lift, raised=1.0)
        self._changes.request(replace(self._store.settings, view=view))

    @Slot()
    def _on_flip(self) -> None:
        action = self.sender()
        if isinstance(action, QAction):
            settings, axis = self._store.settings, action.data()
            place, linear = "xyz".index(axis[-1]), axis.startswith("linear")
            component = place if linear else settings.view.axes[place]
            view = settings.view.with_flip(component, linear=linear)
            self._changes.request(replace(settings, view=view))

    @Slot()
    def _on_kernel_chosen(self) -> None:
        action = self.sender()
        settings = self._store.settings
        if isinstance(action, QAction) and action.data() != settings.kernel.family:
            kernel = KernelSettings(action.data())
            self._changes.request(replace(settings, kernel=kernel))
