"""What was chosen last time, so that the next figure of a paper looks the same."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any, Protocol

from PySide6.QtWidgets import QComboBox, QHBoxLayout, QVBoxLayout, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.widgets.controls import NumberField, Segmented, Switch
from kpca_viewer.widgets.controls.combos import labelled


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
    """Typed access to a store or to memory, patient with what an old file holds."""

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

    def remember(self, key: str, control: Segmented | Switch, default: Any) -> None:
        """Show what was chosen last time, and keep what is chosen from now on."""
        if isinstance(control, Switch):
            control.setChecked(self.flag(key, default))
            control.toggled.connect(lambda on: self.keep(key, on))
        else:
            try:
                control.set_value(str(self._store.value(f"export/{key}", default)))
            except ValueError:
                control.set_value(default)
            control.value_changed.connect(lambda value: self.keep(key, value))


def segmented(
    name: str, title: str, options: Sequence[tuple[str, str] | tuple[str, str, str]]
) -> Segmented:
    control = Segmented(options, title)
    control.setObjectName(name)
    return control


def number_field(parameter: Parameter, limits: tuple[float, float]) -> NumberField:
    field = NumberField(parameter, limits)
    field.setObjectName(f"export_{parameter.name}_field")
    return field


def switch(name: str, text: str, tip: str) -> Switch:
    control = Switch(text)
    control.setObjectName(f"export_{name}_switch")
    control.setToolTip(tip)
    # A hint in whole pixels may be a fraction too small for its own text.
    control.setMinimumWidth(control.sizeHint().width() + 2)
    return control


def add_lines(
    column: QVBoxLayout, rows: Sequence[tuple[str, Sequence[QWidget]]]
) -> list[QWidget]:
    """Put labels and their controls below each other; returns the lines.

    All labels are equally wide. Combo boxes fill their line, the rest is as wide as it
    needs to be.
    """
    labels, lines = [], []
    for text, widgets in rows:
        label, line = labelled(text, *widgets)
        layout = line.layout()
        assert isinstance(layout, QHBoxLayout)
        if not isinstance(widgets[0], QComboBox):
            layout.setStretchFactor(widgets[0], 0)
            layout.addStretch(1)
        labels.append(label)
        lines.append(line)
        column.addWidget(line)
    width = max(label.sizeHint().width() for label in labels)
    for label in labels:
        label.setFixedWidth(width)
    return lines
