"""ActionRow: one thing that can be done, as menus and help write it."""

from dataclasses import dataclass

from PySide6.QtGui import QKeySequence


@dataclass(frozen=True)
class ActionRow:
    """One entry of the table."""

    key: str
    """Also the object name of the action, with "_action" behind it."""
    text: str
    """Of the menu, with the mnemonic."""
    menu: str
    shortcut: str = ""
    icon: str = ""
    """Name of an icon; empty for none."""
    tip: str = ""
    """What it does to the picture."""
    toolbar: bool = False
    checkable: bool = False
    separator: bool = False
    """Whether a line stands above it."""
    group: str = ""
    """Of actions with the same group, just one is checked."""
    other_key: str = ""
    """A key that works without being a shortcut of Qt."""
    more_shortcuts: tuple[str, ...] = ()
    """Keys that mean the same, on other keyboards."""

    @property
    def name(self) -> str:
        """The text without what is only for menus."""
        return self.text.replace("&", "").rstrip("…")

    @property
    def keys(self) -> str:
        """What to press, as people write it; empty for nothing."""
        native = QKeySequence.SequenceFormat.NativeText
        return self.other_key or QKeySequence(self.shortcut).toString(native)
