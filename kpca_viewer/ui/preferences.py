"""What is remembered between two starts."""

from pathlib import Path

from PySide6.QtCore import QSettings

from kpca_viewer.core.errors import DataError
from kpca_viewer.core.kernels import FAMILIES
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.session.codec import decode, encode
from kpca_viewer.session.settings import SessionSettings
from kpca_viewer.ui.theme import THEMES, Theme, system_theme

MOST_RECENT = 10


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

    def recent(self) -> list[Path]:
        """Return the files that were opened last and are still there."""
        names = self.store.value("recent")
        # A list of one comes back as a plain text.
        texts = [names] if isinstance(names, str) else names
        paths = [Path(str(text)) for text in texts] if isinstance(texts, list) else []
        return [path for path in paths if path.is_file()]

    def add_recent(self, path: Path) -> None:
        """Remember a file as the last one that was opened."""
        path = path.absolute()
        others = [other for other in self.recent() if other != path]
        kept = [path, *others][:MOST_RECENT]
        self.store.setValue("recent", [str(each) for each in kept])

    def wants_hint(self) -> bool:
        """Whether the first-minute hint has not been put away yet."""
        return str(self.store.value("hint", "")) != "done"

    def put_hint_away(self) -> None:
        """Never show the hint again."""
        self.store.setValue("hint", "done")

    def reset(self) -> None:
        """Forget everything."""
        self.store.clear()
