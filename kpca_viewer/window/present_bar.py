"""What a class must see at all times: kernel, parameters, centring, rows, a slider."""

from dataclasses import replace
from operator import attrgetter

from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.engine.text.describe import NOTHING_DRAWN, setting_line
from kpca_viewer.widgets.controls import ElidedLabel, IconButton, NumberRow
from kpca_viewer.widgets.scene import Changes, Scene, ShowsScene
from kpca_viewer.window.sidebar.settings_card import show_values


class PresentBar(ShowsScene, QWidget):
    """A line of the tool bar while presenting, when sidebar and menus are hidden.

    Its slider is that of the parameter that was changed last.

    Parameters
    ----------
    menus : QMenu
        Of the window, which has no menu bar then.
    changes : Changes
        Of the slider.
    """

    part = attrgetter("settings.kernel", "settings.data", "result")

    def __init__(self, menus: QMenu, changes: Changes) -> None:
        super().__init__()
        self.setObjectName("present_bar")
        self._changes = changes
        self._asked: dict[str, str] = {}
        self._row: NumberRow | None = None
        self._menus = IconButton("more", "All menus")
        self._menus.setObjectName("menus_button")
        self._menus.setMenu(menus)
        self._menus.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._menus.setProperty("arrow", False)
        self._words = ElidedLabel()
        self._words.setObjectName("present_label")
        self._layout = QHBoxLayout(self)
        self._layout.setContentsMargins(8, 0, 8, 0)
        self._layout.addWidget(self._menus)
        self._layout.addWidget(self._words)

    def show_scene(self, scene: Scene) -> None:
        """Show what is set, as soon as anybody sees it; requests nothing."""
        before, now = self.scene.settings.kernel, scene.settings.kernel
        if before.family == now.family:
            changed = dict(set(now.values) - set(before.values))
            for name in changed:
                self._asked[now.family] = name
        self.scene = scene
        if self.isVisible():
            super().show_scene(scene)

    def refresh(self) -> None:
        """Show the words and the slider."""
        parameter = self._in_question()
        shown = "" if parameter is None else parameter.name
        # The words are about the result, as the picture is.
        result = self.scene.result
        words = NOTHING_DRAWN if self.scene.is_empty else ""
        self._words.set_text(words if result is None else setting_line(result, shown))
        if self._row is not None and self._row.parameter != parameter:
            self._layout.removeWidget(self._row)
            self._row.hide()
            self._row.deleteLater()
            self._row = None
        if parameter is None:
            return
        if self._row is None:
            self._row = self._new_row(parameter)
            self._layout.addWidget(self._row, 1)
        show_values({parameter.name: self._row}, self.scene)

    def _in_question(self) -> Parameter | None:
        """Return the parameter that the slider is for; a given matrix has none."""
        if self.scene.kind != "points":
            return None
        family = FAMILIES[self.scene.settings.kernel.family]
        name = self._asked.get(family.name)
        return next(
            (p for p in family.parameters if p.name == name), family.main_parameter
        )

    def _new_row(self, parameter: Parameter) -> NumberRow:
        row = NumberRow(parameter)
        row.label.setText(parameter.symbol)
        # The sidebar has a row of this name already.
        for part in (row, row.slider, row.field, row.combo):
            if part is not None:
                part.setObjectName(f"present_{part.objectName()}")

        def on_edited(value: float) -> None:
            settings = self.scene.settings
            kernel = settings.kernel.with_value(parameter.name, value)
            self._changes.request(
                replace(settings, kernel=kernel), f"present_bar.{parameter.name}"
            )

        row.value_edited.connect(on_edited)
        row.value_committed.connect(self._changes.gesture_ended)
        row.refused.connect(self._changes.refused)
        return row

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the slider up to what has happened since."""
        super().showEvent(event)
        self.show_scene(self.scene)
