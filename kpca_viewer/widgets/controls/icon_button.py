"""IconButton: a flat button with one of our icons, which follows the theme."""

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QToolButton, QWidget

from kpca_viewer.widgets.icons import icon
from kpca_viewer.widgets.theme import theme_of


class IconButton(QToolButton):
    """A tool button without text.

    Parameters
    ----------
    name : str
        Of the icon.
    tip : str
        What pressing it does; also its name for assistive technology.
    size : int
        Of the icon, in pixels.
    """

    # Under a style sheet Qt asks and tells while the button is still being made.
    _name = ""

    def __init__(
        self, name: str, tip: str, size: int = 20, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self._name = name
        self.setObjectName(f"{name}_button")
        self.setIconSize(QSize(size, size))
        self.setToolTip(tip)
        self.setAccessibleName(tip)
        self.set_icon(name)

    def set_icon(self, name: str) -> None:
        """Show another icon, such as pause for play."""
        self._name = name
        self.setIcon(icon(name, theme_of(self.palette())))

    def icon_name(self) -> str:
        return self._name

    def changeEvent(self, event: QEvent) -> None:
        """Recolour the icon with the theme."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.PaletteChange and self._name:
            self.set_icon(self._name)
