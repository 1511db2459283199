"""How large a picture is: a usual size, or one that is typed."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QObject, QSignalBlocker, Signal, Slot
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from kpca_viewer.core.kernels.family import Parameter
from kpca_viewer.export.image_spec import MM_PER_INCH, POINTS, ImageSpec, Unit
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.export_form import Choices, number_field, segmented

_PAPER = ImageSpec("png", 180, 110, "mm", 300, scale=8 / POINTS)
PRESETS: Mapping[str, tuple[str, ImageSpec]] = {
    "web": ("Web page, 1200 × 900 px", ImageSpec("png", 1200, 900, "px", 192)),
    "slide": (
        "Slide, 1920 × 1080 px",
        ImageSpec("png", 1920, 1080, "px", 192, scale=1.2),
    ),
    # Journals set figures in 7 to 9 pt; larger texts would leave the plot no room.
    "column": ("Paper column, 85 mm", replace(_PAPER, width=85, height=64)),
    "page": ("Paper page, 180 mm", _PAPER),
}
OWN = ("own", "Own size")

_LIMITS = {"px": (16.0, 20_000.0), "mm": (5.0, 2_000.0)}
_DPI = (36.0, 1200.0)
_TEXT = (3.0, 36.0)

WIDTH = Parameter("width", "", "Width", 16, 4000, 1200, help="Of the picture.")
HEIGHT = Parameter("height", "", "Height", 16, 4000, 900, help="Of the picture.")
DPI = Parameter(
    "dpi", "", "Resolution", 72, 600, 144, help="Pixels per inch, kept in the file."
)
TEXT = Parameter(
    "text",
    "",
    "Text size",
    6,
    14,
    9,
    help="Points of every text, when the picture is printed in its own size.",
)


class SizeControls(QObject):
    """The controls of a size, for the lines of a page."""

    changed = Signal()
    """The person has chosen another size."""
    refused = Signal(str)
    """Why a number that was typed is not taken."""

    def __init__(self, choices: Choices, parent: QObject) -> None:
        super().__init__(parent)
        self._choices = choices
        self._preset = named_combo(
            "export_preset_combo", "Usual sizes", "Sizes for the usual purposes."
        )
        presets: list[tuple[str, object]] = [
            (title, key) for key, (title, _) in PRESETS.items()
        ]
        fill_combo(self._preset, [*presets, (OWN[1], OWN[0])], "web")
        self._width = number_field(WIDTH, _LIMITS["px"])
        self._height = number_field(HEIGHT, _LIMITS["px"])
        self._unit = segmented(
            "export_unit",
            "Unit",
            [("px", "px", "Size in pixels"), ("mm", "mm", "Size on paper")],
        )
        self._dpi = number_field(DPI, _DPI)
        self._text = number_field(TEXT, _TEXT)
        self._recall()
        self._preset.currentIndexChanged.connect(self._on_preset_changed)
        self._unit.value_changed.connect(self._on_unit_changed)
        for field in (self._width, self._height, self._dpi, self._text):
            field.valueChanged.connect(self._on_edited)
            field.refused.connect(self.refused)

    def rows(self) -> list[tuple[str, Sequence[QWidget]]]:
        """Return the labels and controls, from the top."""
        size = QWidget()
        row = QHBoxLayout(size)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self._width, QLabel("×"), self._height, self._unit):
            row.addWidget(widget)
        row.addStretch(1)
        return [
            ("Size", (self._preset,)),
            ("", (size,)),
            ("Resolution", (self._dpi, QLabel("dpi"))),
            ("Text", (self._text, QLabel("pt"))),
        ]

    def sized(self, spec: ImageSpec) -> ImageSpec:
        """Return a spec in the chosen size, or raise `ExportError`."""
        return replace(
            spec,
            width=self._width.value(),
            height=self._height.value(),
            unit=cast("Unit", self._unit.value()),
            dpi=self._dpi.value(),
            scale=self._text.value() / POINTS,
        )

    def show_format(self, *, vector: bool) -> None:
        """Disable the resolution where it has no effect."""
        self._dpi.setEnabled(not (vector and self._unit.value() == "mm"))

    def keep(self) -> None:
        """Remember the size for the next time."""
        for key, value in (
            ("preset", str(self._preset.currentData())),
            ("unit", self._unit.value()),
            ("width", self._width.value()),
            ("height", self._height.value()),
            ("dpi", self._dpi.value()),
            ("points", self._text.value()),
        ):
            self._choices.keep(key, value)

    def _recall(self) -> None:
        preset = self._choices.text("preset", "web", (*PRESETS, OWN[0]))
        self._preset.setCurrentIndex(self._preset.findData(preset))
        self._show(PRESETS[preset][1] if preset in PRESETS else self._own())

    def _own(self) -> ImageSpec:
        """Return the size that was typed last time, if it can still be made."""
        choices, first = self._choices, PRESETS["web"][1]
        unit = cast("Unit", choices.text("unit", "px", ("px", "mm")))
        low, high = _LIMITS[unit]
        try:
            return replace(
                first,
                unit=unit,
                width=choices.number("width", first.width, low, high),
                height=choices.number("height", first.height, low, high),
                dpi=choices.number("dpi", first.dpi, *_DPI),
                scale=choices.number("points", POINTS, *_TEXT) / POINTS,
            )
        except KpcaError:
            return first

    def _show(self, spec: ImageSpec) -> None:
        self._unit.set_value(spec.unit)
        self._limit(spec.unit)
        for field, value in (
            (self._width, spec.width),
            (self._height, spec.height),
            (self._dpi, spec.dpi),
            (self._text, round(POINTS * spec.scale, 1)),
        ):
            with QSignalBlocker(field):
                field.setValue(value)

    @Slot()
    def _on_edited(self) -> None:
        with QSignalBlocker(self._preset):
            self._preset.setCurrentIndex(self._preset.findData(OWN[0]))
        self.changed.emit()

    @Slot()
    def _on_preset_changed(self) -> None:
        key = self._preset.currentData()
        if key in PRESETS:
            self._show(PRESETS[key][1])
        self.changed.emit()

    @Slot(object)
    def _on_unit_changed(self, unit: str) -> None:
        """Say the same size in the other unit."""
        each = MM_PER_INCH / self._dpi.value()
        values = [field.value() for field in (self._width, self._height)]
        self._limit(unit)
        for field, value in zip((self._width, self._height), values, strict=True):
            same = round(value * each, 1) if unit == "mm" else round(value / each)
            with QSignalBlocker(field):
                field.setValue(same)
        self._on_edited()

    def _limit(self, unit: str) -> None:
        """Accept what is a size in this unit."""
        for field in (self._width, self._height):
            with QSignalBlocker(field):
                field.setRange(*_LIMITS[unit])
