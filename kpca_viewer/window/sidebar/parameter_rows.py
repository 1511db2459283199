"""Rows for parameters that change with the source or the kernel, and their values."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.widgets.controls import NumberRow
from kpca_viewer.widgets.scene import Scene


class ParameterRows(QWidget):
    """One row a parameter; the rows are made anew when the parameters are others.

    Parameters
    ----------
    make : callable
        ``Parameter -> NumberRow``.
    chooser : QWidget
        What the person changes to get other parameters; takes the focus over from a
        row that goes away.
    """

    def __init__(
        self, make: Callable[[Parameter], NumberRow], chooser: QWidget
    ) -> None:
        super().__init__()
        self.rows: dict[str, NumberRow] = {}
        self._make = make
        self._chooser = chooser
        self._key: object = None
        self._layout = QVBoxLayout(self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(8)

    def show_parameters(self, key: object, parameters: Iterable[Parameter]) -> bool:
        """Show these rows; returns whether they are new.

        Parameters
        ----------
        key : object
            Equal keys stand for the same parameters.
        """
        if key == self._key:
            return False
        self._key = key
        focused = QApplication.focusWidget()
        had_focus = focused is not None and self.isAncestorOf(focused)
        for row in self.rows.values():
            self._layout.removeWidget(row)
            # Hidden before it loses the keys: what is half typed is of no use here.
            row.blockSignals(True)
            row.hide()
            row.deleteLater()
        if had_focus:
            # Tab goes on from there; a list with the keys would take letters away.
            self._chooser.setFocus()
            self._chooser.clearFocus()
        self.rows = {parameter.name: self._make(parameter) for parameter in parameters}
        for row in self.rows.values():
            self._layout.addWidget(row)
        self.setVisible(bool(self.rows))
        return True


def show_values(rows: Mapping[str, NumberRow], scene: Scene) -> None:
    """Push values, suggestions and ranges of a kernel into rows."""
    known = scene.suggested
    suggested = known or {}
    values = {**suggested, **dict(scene.shown.kernel.values)}
    for name, row in rows.items():
        parameter = row.parameter
        if name in values or parameter.follows is None:
            row.set_value(values.get(name, parameter.default))
        if known is not None or parameter.follows is None:
            row.set_suggestion(suggested.get(name, parameter.default))
        if name in suggested:
            typical, reach = suggested[name], parameter.reach
            row.set_reach(typical / reach, typical * reach)
