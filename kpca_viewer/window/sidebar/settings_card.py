"""What all cards have in common: they show a scene and request other settings."""

from collections.abc import Callable

from PySide6.QtWidgets import QLabel, QSizePolicy

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.widgets.controls import Card, NumberRow, align_labels
from kpca_viewer.widgets.scene import Changes, ShowsScene


class SettingsCard(ShowsScene, Card):
    """A card of the sidebar.

    Parameters
    ----------
    changes : Changes
        Where edits go.
    """

    def __init__(self, title: str, changes: Changes) -> None:
        super().__init__(title)
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
        """Return a row whose edits become changes; a drag is one gesture.

        The limits are those of what may be typed, beyond the slider.
        """
        row = NumberRow(parameter, limits=limits)
        name = parameter.name

        def on_row_edited(value: float) -> None:
            self.changes.request(changed(name, value), f"{self.objectName()}.{name}")

        row.value_edited.connect(on_row_edited)
        row.value_committed.connect(self._on_row_committed)
        row.refused.connect(self.changes.refused)
        return row

    def align(self, *rows: NumberRow | QLabel) -> None:
        """Give the labels of these rows one width, instead of those given before."""
        # The width is kept by a child of the first label. Rows come and go; what knew
        # the old ones must go with them.
        self._anchor.deleteLater()
        self._anchor = QLabel(self)
        self._anchor.hide()
        align_labels(self._anchor, *rows)

    def _on_row_committed(self, _value: object) -> None:
        self.changes.gesture_ended.emit()
