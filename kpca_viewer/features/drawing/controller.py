"""Joins the pencil, the table and the clipboard to the session: points by hand."""

from collections.abc import Callable

import numpy as np
from PySide6.QtCore import QObject, Slot
from PySide6.QtGui import QGuiApplication, QKeySequence, QShortcut

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.dataset import UNLABELLED, IntArray
from kpca_viewer.data.drawn import Drawn
from kpca_viewer.data.pasted import read_points
from kpca_viewer.engine import messages
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.features.drawing import text
from kpca_viewer.features.drawing.compute import (
    Stroke,
    change_points,
    editable_plane,
    editable_points,
    start_drawing,
)
from kpca_viewer.features.drawing.pencil import GESTURE
from kpca_viewer.features.drawing.text import cannot_draw, points_pasted, table_is_fixed
from kpca_viewer.features.drawing.view import CLASSES
from kpca_viewer.support.errors import DataError
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.workbench import Workbench


class DrawingController(QObject):
    """Takes the pencil and puts it away; every edit is a step of the history."""

    def __init__(self, workbench: Workbench) -> None:
        super().__init__(workbench)
        window, store = workbench.window, workbench.store
        presenter = workbench.presenter
        self._window = window
        self._presenter = presenter
        self._store = store
        self._tools = window.board.drawing
        self._began: DataSettings | None = None
        self._stroke: Stroke | None = None
        self._keys = DrawingKeys(workbench, self._tools.choose_class, self)
        self._tools.requested.connect(self.take_pencil)
        pencil = self._tools.pencil
        pencil.edited.connect(self._change)
        pencil.ended.connect(self._on_ended)
        pencil.given_up.connect(self._on_given_up)
        pencil.refused.connect(self._refuse)
        window.changes.value_requested.connect(self._on_value_requested)
        window.changes.edit_refused.connect(self._on_edit_refused)
        store.changed.connect(self._on_store_changed)
        window.board.shown.connect(self._on_shown)
        self._on_store_changed(store.settings, store.settings)

    # The pencil

    @Slot(bool)
    def take_pencil(self, on: bool) -> None:
        """Take the pencil to draw into the data that are open, or put it away."""
        if on:
            try:
                drawn = editable_plane(self._store.settings, self._presenter.result)
            except DataError as error:
                on = False
                message = cannot_draw(str(error))
                self._presenter.messages.show(message, self.begin_empty)
            else:
                self._tools.show_drawn(drawn)
                if drawn is not None and not self._tools.on:
                    self._draw_as(drawn)
                self._lay_flat()
        self._set_on(on)

    def _lay_flat(self) -> None:
        """Show as a plane what is seen in space: a pencil needs paper."""
        panel = self._window.board.data
        if not panel.view.is_flat:
            panel.change_dimensions(False)

    def _draw_as(self, drawn: Drawn) -> None:
        """Begin with the first class, or with none where points have none."""
        plain = len(drawn) > 0 and max(drawn.classes) == UNLABELLED
        self._tools.draw_in(UNLABELLED if plain else 0)

    def _set_on(self, on: bool) -> None:
        if not on:
            self._began = None
        self._tools.set_on(on)
        self._keys.set_on(on)
        self._window.actions_table["draw"].setChecked(on)

    @property
    def on(self) -> bool:
        return self._tools.on

    @Slot()
    def begin_empty(self) -> None:
        self._begin(Drawn())

    def _begin(self, drawn: Drawn) -> None:
        settings, notes = self._store.settings, self._store.notes
        state = start_drawing(settings, notes, self._presenter.result, drawn)
        self._window.board.data.view.fits_next = True
        self._presenter.change(state[0], notes=state[1])

    @Slot()
    def edit_copy(self) -> None:
        """Make the open data points that can be changed by hand."""
        drawn = self._drawn()
        if drawn is not None and self._store.settings.data.drawn is None:
            self._change(drawn)

    def _drawn(self) -> Drawn | None:
        """Return what can be changed by hand now; says why where nothing can."""
        try:
            return editable_points(self._store.settings, self._presenter.result)
        except DataError as error:
            self._refuse(str(error))
            return None

    @Slot(object, object, object)
    def _change(
        self,
        drawn: Drawn,
        places: IntArray | None = None,
        gesture: str | None = None,
    ) -> None:
        old, result = self._store.settings, self._presenter.result
        settings, notes = change_points(old, self._store.notes, result, drawn, places)
        if old.data.drawn is None:
            self._began = old.data
        if gesture is not None:
            self._stroke = self._stroke or Stroke(old, self._store.notes)
            self._stroke.go_to(settings)
        self._presenter.change(settings, gesture, notes)

    @Slot()
    def _on_ended(self) -> None:
        self._stroke = None
        self._window.changes.gesture_ended.emit()

    @Slot()
    def _on_given_up(self) -> None:
        """Take back what the stroke has changed, and nothing else."""
        stroke, self._stroke = self._stroke, None
        self._store.give_up(GESTURE)
        self._window.changes.gesture_ended.emit()
        now = self._store.settings
        if stroke is not None and stroke.is_in(now):
            # Another change came in between, which stays.
            settings, notes = stroke.taken_from(now)
            self._presenter.change(settings, notes=notes)

    @Slot(object)
    def _refuse(self, why: str) -> None:
        self._presenter.messages.show(messages.refused(why))

    @Slot(object, object)
    def _on_store_changed(self, old: SessionSettings, new: SessionSettings) -> None:
        data = new.data
        if data.is_empty:
            # There is nothing else to do there.
            self._tools.show_drawn(data.drawn)
            if not (self.on and old.data.drawn is not None):
                self._draw_as(Drawn())
            self._set_on(True)
        elif self.on and data.drawn is None and data != self._began:
            # The pencil was taken for other data.
            self._set_on(data.source == old.data.source)
        elif self.on and new.view.lift and not old.view.lift:
            # A curved plane is no paper.
            self._set_on(False)
        self._follow(new)

    @Slot(object)
    def _on_shown(self, scene: Scene) -> None:
        self._follow(self._store.settings)

    def _follow(self, settings: SessionSettings) -> None:
        """Let the pencil draw on top of what is set, as soon as it is known."""
        if self.on:
            try:
                drawn = editable_plane(settings, self._presenter.result)
            except DataError:
                self._set_on(False)
            else:
                self._tools.show_drawn(drawn)

    # The clipboard

    @Slot()
    def paste(self) -> None:
        """Add the points on the clipboard, or begin with them."""
        settings = self._store.settings
        joins = self.on or settings.data.drawn is not None
        drawn = self._drawn() if joins else Drawn()
        if drawn is None:
            return
        copied = QGuiApplication.clipboard().text()
        try:
            pasted = read_points(copied, drawn.d if len(drawn) or self.on else None)
            code = self._tools.pencil.code if self.on else 0
            result = pasted.onto(drawn, code if len(drawn) or self.on else 0)
        except DataError as error:
            self._refuse(str(error))
            return
        # Wherever they are, they are to be seen.
        self._window.board.data.view.fits_next = True
        if joins:
            self._change(result)
        else:
            self._begin(result)
        self._presenter.messages.show(points_pasted(len(pasted.points)))

    # The table

    @Slot(object, object, object)
    def _on_value_requested(self, row: int, feature: int | None, typed: str) -> None:
        """Take what was typed into a cell: a number, or a class where None."""
        drawn = self._drawn()
        if drawn is None or row >= len(drawn):
            return
        mask = np.zeros(len(drawn), dtype=bool)
        mask[row] = True
        try:
            if feature is None:
                named, code = drawn.with_class_named(typed)
                self._change(named.classed(mask, code))
            else:
                place = list(drawn.points[row])
                place[feature] = _number(typed, row, drawn.features[feature])
                self._change(drawn.moved(row, tuple(place)))
        except DataError as error:
            self._refuse(str(error))

    @Slot()
    def _on_edit_refused(self) -> None:
        result = self._presenter.result
        if result is not None:
            message = table_is_fixed(result.dataset.name)
            self._presenter.messages.show(message, self.edit_copy)


def _number(typed: str, row: int, feature: str) -> float:
    plain = typed.strip().replace("−", "-")
    for form in (plain, plain.replace(",", ".")):
        try:
            return float(form)
        except ValueError:
            continue
    shown = plain if len(plain) <= 30 else f"{plain[:30]}…"
    raise DataError(text.NO_NUMBER.format(text=shown, feature=feature, row=row + 1))


class DrawingKeys(QObject):
    """Keys that mean something else while points are drawn."""

    def __init__(
        self, workbench: Workbench, choose: Callable[[int], None], parent: QObject
    ) -> None:
        super().__init__(parent)
        actions = workbench.window.actions_table
        self._taken = {
            key: actions[key].shortcuts()
            for key in (
                "paste",
                "paste_points",
                *(f"kernel_{name}" for name in FAMILIES),
            )
        }
        self._actions = actions
        self._choose = choose
        self._on = False
        self._classes: list[QShortcut] = []
        for number in range(CLASSES + 1):
            key = QShortcut(QKeySequence(str(number)), workbench.window)
            key.setEnabled(False)
            key.setProperty("code", number - 1)
            key.activated.connect(self._on_class_key)
            self._classes.append(key)

    def set_on(self, on: bool) -> None:
        if on == self._on:
            return
        self._on = on
        for key in self._classes:
            key.setEnabled(on)
        for name, keys in self._taken.items():
            self._actions[name].setShortcuts([] if on else keys)
        if on:
            self._actions["paste_points"].setShortcuts(self._taken["paste"])

    @Slot()
    def _on_class_key(self) -> None:
        key = self.sender()
        if isinstance(key, QShortcut):
            self._choose(key.property("code"))
