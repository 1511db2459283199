"""What a class must see at all times: kernel, parameters, centring, rows, a slider."""

from dataclasses import replace

from PySide6.QtCore import Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QToolButton, QWidget

from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.core.kernels.parameters import Parameter
from kpca_viewer.session.result import AnalysisResult, kind_of_data
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.controls import ElidedLabel, IconButton, NumberRow
from kpca_viewer.ui.sidebar.kernel_rows import show_values
from kpca_viewer.ui.words.describe import setting_line

FIRST = {"poly": "degree", "matern": "length_scale"}
"""The parameter that is asked about first, where that is not the first of a kernel."""


class PresentBar(QWidget):
    """A line for the tool bar in front of a class, where sidebar and menus are away.

    Its slider is that of the parameter that was changed last.

    Attributes
    ----------
    settings_wished : Signal(object, object)
    gesture_ended : Signal
    refused : Signal(str)
    """

    settings_wished = Signal(object, object)
    gesture_ended = Signal()
    refused = Signal(str)

    def __init__(self, menus: QMenu) -> None:
        super().__init__()
        self.setObjectName("present_bar")
        self._settings = SessionSettings()
        self._result: AnalysisResult | None = None
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

    def show_settings(
        self, settings: SessionSettings, result: AnalysisResult | None
    ) -> None:
        """Show what is set; emits nothing.

        Parameters
        ----------
        settings : SessionSettings
        result : AnalysisResult or None
            The last good one; the words are about it, as the picture is.
        """
        before, now = self._settings.kernel, settings.kernel
        if before.family == now.family:
            changed = dict(set(now.values) - set(before.values))
            for name in changed:
                self._asked[now.family] = name
        self._settings, self._result = settings, result
        if self.isVisible():
            self._refresh()

    def _refresh(self) -> None:
        parameter = self._in_question()
        shown = "" if parameter is None else parameter.name
        result = self._result
        self._words.set_text("" if result is None else setting_line(result, shown))
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
        show_values({parameter.name: self._row}, self._settings, self._result)

    def _in_question(self) -> Parameter | None:
        """Return the parameter that the slider is for; a given matrix has none."""
        if kind_of_data(self._settings, self._result) != "points":
            return None
        family = self._settings.kernel.family
        parameters = {each.name: each for each in FAMILIES[family].parameters}
        name = self._asked.get(family, FIRST.get(family, next(iter(parameters), "")))
        return parameters.get(name)

    def _new_row(self, parameter: Parameter) -> NumberRow:
        row = NumberRow(parameter)
        row.label.setText(parameter.symbol)
        # The sidebar has a row of this name already.
        for part in (row, row.slider, row.field, row.combo):
            if part is not None:
                part.setObjectName(f"present_{part.objectName()}")

        def on_edited(value: float) -> None:
            kernel = self._settings.kernel.with_value(parameter.name, value)
            settings = replace(self._settings, kernel=kernel)
            self.settings_wished.emit(settings, f"present_bar.{parameter.name}")

        row.value_edited.connect(on_edited)
        row.value_committed.connect(self.gesture_ended)
        row.refused.connect(self.refused)
        return row

    def showEvent(self, event: QShowEvent) -> None:
        """Bring the slider up to what has happened since."""
        super().showEvent(event)
        self._refresh()
