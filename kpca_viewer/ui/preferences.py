"""What is remembered between two starts."""

from PySide6.QtCore import QSettings

from kpca_viewer.core.errors import DataError
from kpca_viewer.core.kernels import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.session.codec import decode, encode
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.theme import THEMES, Theme, system_theme


class Preferences:
    """A thin, typed layer over QSettings."""

    def __init__(self) -> None:
        self.store = QSettings(
            QSettings.Format.IniFormat,
            QSettings.Scope.UserScope,
            "kpca_viewer",
            "kpca_viewer",
        )

    def theme(self) -> Theme:
        """Return the chosen theme, or the one of the system."""
        return THEMES.get(str(self.store.value("theme", "")), system_theme())

    def set_theme(self, name: str | None) -> None:
        """Choose a theme; None follows the system."""
        self.store.setValue("theme", name or "")

    def settings(self) -> SessionSettings | None:
        """Return the last settings if they can be shown again."""
        try:
            settings = decode(str(self.store.value("session", "")))
        except DataError:
            return None
        known = (
            settings.data.source in GENERATORS and settings.kernel.family in FAMILIES
        )
        return settings if known else None

    def set_settings(self, settings: SessionSettings) -> None:
        """Remember the settings for the next start."""
        self.store.setValue("session", encode(settings))

    def wants_hint(self) -> bool:
        """Whether the first-minute hint has not been put away yet."""
        return str(self.store.value("hint", "")) != "done"

    def put_hint_away(self) -> None:
        """Never show the hint again."""
        self.store.setValue("hint", "done")

    def reset(self) -> None:
        """Forget everything."""
        self.store.clear()
