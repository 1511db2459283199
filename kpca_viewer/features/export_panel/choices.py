"""What was chosen last time, so that the next figure of a paper looks the same."""

from pathlib import Path
from typing import Any, Protocol


class ChoiceStore(Protocol):
    """The part of QSettings that is needed."""

    def value(self, key: str, default: Any = None) -> Any:
        """Return what is kept under a key."""

    def setValue(self, key: str, value: Any) -> None:
        """Keep a value."""


class ChoicesInMemory:
    """A store that lasts as long as it is there."""

    def __init__(self) -> None:
        self._values: dict[str, Any] = {}

    def value(self, key: str, default: Any = None) -> Any:
        return self._values.get(key, default)

    def setValue(self, key: str, value: Any) -> None:
        self._values[key] = value


class Choices:
    """Typed access to a store, patient with whatever an old file holds.

    Parameters
    ----------
    store : Store or None
        None remembers nothing beyond the life of this object.
    """

    def __init__(self, store: ChoiceStore | None) -> None:
        self._store = store or ChoicesInMemory()

    def text(self, key: str, default: str, allowed: tuple[str, ...]) -> str:
        value = str(self._store.value(f"export/{key}", default))
        return value if value in allowed else default

    def flag(self, key: str, default: bool) -> bool:
        """Return whether something was on; INI files keep that as a word."""
        value = str(self._store.value(f"export/{key}", default)).lower()
        return {"true": True, "false": False}.get(value, default)

    def number(self, key: str, default: float, low: float, high: float) -> float:
        """Return a number inside limits."""
        try:
            value = float(self._store.value(f"export/{key}", default))
        except (TypeError, ValueError):
            return default
        return value if low <= value <= high else default

    def folder(self) -> Path:
        """Return the folder of the last file, or home if that is gone."""
        value = self._store.value("export/folder", "")
        folder = Path(value) if isinstance(value, str) and value else Path.home()
        try:
            return folder if folder.is_dir() else Path.home()
        except (OSError, ValueError):
            return Path.home()

    def keep(self, key: str, value: str | bool | float) -> None:
        self._store.setValue(f"export/{key}", value)
