"""What all cards have in common: they show a scene and request other settings."""

from collections.abc import Callable, Iterable, Mapping

from PySide6.QtWidgets import QApplication, QLabel, QSizePolicy, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.widgets.controls import Card, NumberRow, align_labels
from kpca_viewer.widgets.scene import Changes, Scene, ShowsScene


class SettingsCard(ShowsScene, Card):
    """A card of the sidebar.

    Parameters
    ----------
    changes : Changes
        Where edits go.
    """

    def __init__(
        self, title: str, changes: Changes, *, collapsed: bool = False
    ) -> None:
        super().__init__(title, collapsed=collapsed)
        self.starts_folded = collapsed
        self.words = ""
        # Wrapped lines need more than their hint once the type is large.
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        self.changes = changes
        self._anchor = QLabel(self)
        self._anchor.hide()

    @property
    def settings(self) -> SessionSettings:
        """What changes start from; a film that plays changes nothing of it."""
        return self.scene.settings

    def number_row(
        self,
        parameter: Parameter,
        changed: Callable[[str, float], SessionSettings],
        limits: tuple[float, float] | None = None,
    ) -> NumberRow:
        """Return a row whose edits become changes; see `parameter_row`."""
        return parameter_row(
            parameter, changed, self.changes, self.objectName(), limits
        )

    def align(self, *rows: NumberRow | QLabel) -> None:
        """Give the labels of these rows one width, instead of those given before."""
        # The width is kept by a child of the first label. Rows come and go; what knew
        # the old ones must go with them.
        self._anchor.deleteLater()
        self._anchor = QLabel(self)
        self._anchor.hide()
        align_labels(self._anchor, *rows)


def parameter_row(
    parameter: Parameter,
    changed: Callable[[str, float], SessionSettings],
    changes: Changes,
    place: str,
    limits: tuple[float, float] | None = None,
) -> NumberRow:
    """Return a row whose edits become changes; a drag is one gesture.

    Parameters
    ----------
    place : str
        Where the row stands, for the name of the gesture.
    limits : tuple of float, optional
        What may be typed, beyond the slider.
    """
    row, name = NumberRow(parameter, limits=limits), parameter.name

    def on_row_edited(value: float) -> None:
        changes.request(changed(name, value), f"{place}.{name}")

    row.value_edited.connect(on_row_edited)
    row.value_committed.connect(lambda _value: changes.gesture_ended.emit())
    row.refused.connect(changes.refused)
    return row


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
