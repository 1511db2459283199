"""Pictures: what, how large, on which ground, with a preview that is the truth."""

from collections.abc import Mapping
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QSignalBlocker, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QImage
from PySide6.QtWidgets import (
    QComboBox,
    QFrame,
    QHBoxLayout,
    QLabel,
    QScrollArea,
    QVBoxLayout,
    QWidget,
)

from kpca_viewer.core.errors import KpcaError
from kpca_viewer.core.parameters import Parameter
from kpca_viewer.export.images import image_of
from kpca_viewer.export.spec import (
    MM_PER_INCH,
    SMALLEST_SIDE,
    Background,
    ImageFormat,
    ImageSpec,
    Unit,
)
from kpca_viewer.ui.controls import NumberField, Segmented, Switch, format_number
from kpca_viewer.ui.export_choices import Choices
from kpca_viewer.ui.export_content import ExportContent
from kpca_viewer.ui.export_picture import WITH_LEGEND, Picture
from kpca_viewer.ui.export_preview import ExportPreview
from kpca_viewer.ui.export_sources import TITLES, Paintable
from kpca_viewer.ui.sidebar.settings_card import fill_combo, labelled, named_combo

PRESETS: Mapping[str, tuple[str, ImageSpec]] = {
    "web": ("Web page, 1200 × 900 px", ImageSpec("png", 1200, 900, "px", 192)),
    "slide": (
        "Slide, 1920 × 1080 px",
        ImageSpec("png", 1920, 1080, "px", 192, scale=1.2),
    ),
    # Journals set figures in 7 to 8 pt; larger texts would leave the plot no room.
    "column": ("Paper column, 85 mm", ImageSpec("png", 85, 64, "mm", 300, scale=0.8)),
    "page": ("Paper page, 175 mm", ImageSpec("png", 175, 110, "mm", 300, scale=0.8)),
}
OWN = ("own", "Own size")

_WAIT = 40
"""Milliseconds in which several changes become one preview."""

_LIMITS = {"px": (16.0, 20_000.0), "mm": (5.0, 2_000.0)}

_DPI = (36.0, 1200.0)
_TEXT = (25.0, 400.0)

WIDTH = Parameter("width", "", "Width", 16, 4000, 1200, help="Of the picture.")
HEIGHT = Parameter("height", "", "Height", 16, 4000, 900, help="Of the picture.")
DPI = Parameter(
    "dpi", "", "Resolution", 72, 600, 144, help="Pixels per inch, kept in the file."
)
TEXT = Parameter(
    "text",
    "",
    "Text size",
    50,
    200,
    100,
    help="100 % is 9 pt when the picture is printed in its own size.",
)


class ImagePage(QWidget):
    """Chooses an `ImageSpec` and shows what comes of it.

    Attributes
    ----------
    spec_changed : Signal
        Something else was chosen.
    """

    spec_changed = Signal()

    def __init__(
        self,
        sources: Mapping[str, Paintable],
        choices: Choices,
        parent: QWidget | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("export_image_page")
        self._sources = dict(sources)
        self._choices = choices
        self._content: ExportContent | None = None
        self._problem = ""
        self._timer = QTimer(self, singleShot=True, interval=_WAIT)
        self._timer.timeout.connect(self.refresh)
        self._make_controls()
        self._lay_out()
        self._recall()
        self._connect()
        self._show_dependent()

    # What is asked for

    def set_content(self, content: ExportContent) -> None:
        """Show another result, or the same in another theme."""
        self._content = content
        self._timer.start()

    def source_key(self) -> str:
        """Return which source is chosen."""
        return str(self._what.currentData())

    def choose_source(self, key: str) -> None:
        """Choose what is exported, one of the keys of the sources."""
        self._what.setCurrentIndex(self._what.findData(key))

    def spec(self) -> ImageSpec:
        """Return what is chosen.

        Raises
        ------
        ExportError
            If no picture can be made of it.
        """
        return ImageSpec(
            cast(ImageFormat, self._format.value()),
            self._width.value(),
            self._height.value(),
            cast(Unit, self._unit.value()),
            self._dpi.value(),
            cast(Background, self._background.value()),
            self._title.isChecked(),
            self._legend.isChecked(),
            self._caption.isChecked(),
            self._text.value() / 100,
        )

    def picture(self, spec: ImageSpec) -> Picture | None:
        """Return what paints the picture; None while there is no result."""
        content = self._content
        if content is None:
            return None
        key = self.source_key()
        return Picture(
            key,
            self._sources[key],
            spec,
            content.result,
            content.document.settings,
            content.theme,
            content.title_of(TITLES.get(key, key)),
            content.hidden,
        )

    def problem(self) -> str:
        """Return why no picture can be made; empty if one can."""
        return self._problem

    def summary(self) -> str:
        """Return the size in every unit."""
        if self._problem:
            return self._problem
        spec = self.spec()
        across, down = spec.pixels
        wide, high = (format_number(round(side, 1)) for side in spec.millimetres)
        point = format_number(round(9 * spec.scale, 1))
        paper = f"{wide} × {high} mm, text {point} pt"
        if spec.format == "png":
            return f"{across:,} × {down:,} px  ·  {spec.dpi:g} dpi  ·  {paper}"
        return f"vector  ·  {paper}"

    # The preview

    @Slot()
    def refresh(self) -> None:
        """Paint the preview anew, now."""
        self._timer.stop()
        self._problem = ""
        try:
            self.preview.set_image(self._preview_image())
        except KpcaError as error:
            self._problem = str(error)
        self.spec_changed.emit()

    def _preview_image(self) -> QImage:
        spec = self.spec()
        wide, high = spec.millimetres
        size = QSizeF(wide, high)
        size.scale(self.preview.room(), Qt.AspectRatioMode.KeepAspectRatio)
        # The same layout at the resolution of the screen, whatever the file will have.
        # Thin ones get a few pixels more than there is room for.
        thin = (SMALLEST_SIDE + 1) / min(wide, high)
        dpi = min(max(size.width() / wide, thin) * MM_PER_INCH, 2400.0)
        small = replace(spec, format="png", width=wide, height=high, unit="mm", dpi=dpi)
        picture = self.picture(small)
        return QImage() if picture is None else image_of(small, picture.paint)

    # Controls

    def _make_controls(self) -> None:
        self._what = named_combo(
            "export_source_combo", "What is exported", "Which plot becomes a picture."
        )
        keys = [key for key in TITLES if key in self._sources]
        keys += [key for key in self._sources if key not in TITLES]
        items: list[tuple[str, object]] = [(TITLES.get(k, k), k) for k in keys]
        fill_combo(self._what, items, keys[0])
        self._format = _segmented(
            "export_format",
            "Format",
            ("png", "PNG", "Pixels, for screens and slides"),
            ("svg", "SVG", "Vectors that can be edited"),
            ("pdf", "PDF", "Vectors for print, fonts included"),
        )
        self._preset = named_combo(
            "export_preset_combo", "Usual sizes", "Sizes for the usual purposes."
        )
        presets: list[tuple[str, object]] = [
            (title, key) for key, (title, _) in PRESETS.items()
        ]
        fill_combo(self._preset, [*presets, (OWN[1], OWN[0])], "web")
        self._width = _field(WIDTH, (1.0, 20_000.0))
        self._height = _field(HEIGHT, (1.0, 20_000.0))
        self._unit = _segmented(
            "export_unit",
            "Unit",
            ("px", "px", "Size in pixels"),
            ("mm", "mm", "Size on paper"),
        )
        self._dpi = _field(DPI, _DPI)
        self._text = _field(TEXT, _TEXT)
        self._background = _segmented(
            "export_background",
            "Background",
            ("white", "White", "White paper and dark ink, in every theme"),
            ("theme", "Theme", "As in the window"),
            ("transparent", "None", "No background; the ink of the theme"),
        )
        self._title = _switch("title", "Title", "The name of the data and of the plot")
        self._legend = _switch("legend", "Legend", "What the colours mean")
        self._caption = _switch(
            "caption", "Caption", "Kernel, values and certainty in one line below"
        )
        self.preview = ExportPreview()

    def _lay_out(self) -> None:
        controls = QWidget()
        column = QVBoxLayout(controls)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        times, unit = QLabel("×"), QLabel("dpi")
        size = QWidget()
        row = QHBoxLayout(size)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(4)
        for widget in (self._width, times, self._height, self._unit):
            row.addWidget(widget)
        row.addStretch(1)
        labels = []
        for text, widgets in (
            ("What", (self._what,)),
            ("Format", (self._format,)),
            ("Size", (self._preset,)),
            ("", (size,)),
            ("Resolution", (self._dpi, unit)),
            ("Text", (self._text, QLabel("%"))),
            ("Background", (self._background,)),
            ("Around it", (self._title,)),
            ("", (self._legend,)),
            ("", (self._caption,)),
        ):
            label, line = labelled(text, *widgets)
            labels.append(label)
            layout = line.layout()
            assert isinstance(layout, QHBoxLayout)
            if not isinstance(widgets[0], QComboBox):
                layout.setStretchFactor(widgets[0], 0)
                layout.addStretch(1)
            column.addWidget(line)
        width = max(label.sizeHint().width() for label in labels)
        for label in labels:
            label.setFixedWidth(width)
        column.addStretch(1)
        area = QScrollArea()
        area.setObjectName("export_image_controls")
        area.setWidgetResizable(True)
        area.setFrameShape(QFrame.Shape.NoFrame)
        area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        area.setWidget(controls)
        area.setMinimumWidth(controls.sizeHint().width() + 12)
        layout = QHBoxLayout(self)
        layout.setContentsMargins(0, 12, 0, 0)
        layout.setSpacing(12)
        layout.addWidget(area)
        layout.addWidget(self.preview, 1)

    def _connect(self) -> None:
        self._what.currentIndexChanged.connect(self._on_choice_changed)
        self._preset.currentIndexChanged.connect(self._on_preset_changed)
        self._unit.value_changed.connect(self._on_unit_changed)
        for segmented in (self._format, self._background):
            segmented.value_changed.connect(self._on_choice_changed)
        for field in (self._width, self._height, self._dpi, self._text):
            field.valueChanged.connect(self._on_size_edited)
        for switch in (self._title, self._legend, self._caption):
            switch.toggled.connect(self._on_choice_changed)
        self.preview.room_changed.connect(self._timer.start)

    @Slot()
    def _on_choice_changed(self) -> None:
        self._show_dependent()
        self._keep()
        self._timer.start()

    @Slot()
    def _on_size_edited(self) -> None:
        with QSignalBlocker(self._preset):
            self._preset.setCurrentIndex(self._preset.findData(OWN[0]))
        self._on_choice_changed()

    @Slot()
    def _on_preset_changed(self) -> None:
        key = self._preset.currentData()
        if key in PRESETS:
            self._show_size(PRESETS[key][1])
        self._on_choice_changed()

    @Slot(object)
    def _on_unit_changed(self, unit: str) -> None:
        """Say the same size in the other unit."""
        each = MM_PER_INCH / self._dpi.value()
        low, high = _LIMITS[unit]
        for field in (self._width, self._height):
            value = field.value()
            same = round(value * each, 1) if unit == "mm" else round(value / each)
            with QSignalBlocker(field):
                field.setValue(min(max(same, low), high))
        self._on_size_edited()

    def _show_size(self, spec: ImageSpec) -> None:
        self._unit.set_value(spec.unit)
        for field, value in (
            (self._width, spec.width),
            (self._height, spec.height),
            (self._dpi, spec.dpi),
            (self._text, round(100 * spec.scale)),
        ):
            with QSignalBlocker(field):
                field.setValue(value)

    def _show_dependent(self) -> None:
        """Disable what has no effect on this source in this format."""
        vector = self._format.value() != "png"
        self._dpi.setEnabled(not (vector and self._unit.value() == "mm"))
        self._legend.setEnabled(self.source_key() in WITH_LEGEND)

    # Memory

    def _recall(self) -> None:
        choices = self._choices
        key = choices.text("source", self.source_key(), tuple(self._sources))
        self._what.setCurrentIndex(self._what.findData(key))
        self._format.set_value(choices.text("format", "png", ("png", "svg", "pdf")))
        preset = choices.text("preset", "web", (*PRESETS, OWN[0]))
        self._preset.setCurrentIndex(self._preset.findData(preset))
        self._show_size(PRESETS[preset][1] if preset in PRESETS else self._own_size())
        self._background.set_value(
            choices.text("background", "white", ("white", "theme", "transparent"))
        )
        self._title.setChecked(choices.flag("title", True))
        self._legend.setChecked(choices.flag("legend", True))
        self._caption.setChecked(choices.flag("caption", False))

    def _own_size(self) -> ImageSpec:
        """Return the size that was typed last time, if it can still be made."""
        choices, first = self._choices, PRESETS["web"][1]
        unit = cast(Unit, choices.text("unit", "px", ("px", "mm")))
        low, high = _LIMITS[unit]
        try:
            return replace(
                first,
                unit=unit,
                width=choices.number("width", first.width, low, high),
                height=choices.number("height", first.height, low, high),
                dpi=choices.number("dpi", first.dpi, *_DPI),
                scale=choices.number("text", 100.0, *_TEXT) / 100,
            )
        except KpcaError:
            return first

    def _keep(self) -> None:
        for key, value in (
            ("source", self.source_key()),
            ("format", self._format.value()),
            ("preset", str(self._preset.currentData())),
            ("unit", self._unit.value()),
            ("width", self._width.value()),
            ("height", self._height.value()),
            ("dpi", self._dpi.value()),
            ("text", self._text.value()),
            ("background", self._background.value()),
            ("title", self._title.isChecked()),
            ("legend", self._legend.isChecked()),
            ("caption", self._caption.isChecked()),
        ):
            self._choices.keep(key, value)


def _segmented(name: str, title: str, *options: tuple[str, str, str]) -> Segmented:
    segmented = Segmented(options, title)
    segmented.setObjectName(name)
    return segmented


def _field(parameter: Parameter, limits: tuple[float, float]) -> NumberField:
    field = NumberField(parameter, limits)
    field.setObjectName(f"export_{parameter.name}_field")
    return field


def _switch(name: str, text: str, tip: str) -> Switch:
    switch = Switch(text)
    switch.setObjectName(f"export_{name}_switch")
    switch.setToolTip(tip)
    # A hint in whole pixels may be a fraction too small for its own text.
    switch.setMinimumWidth(switch.sizeHint().width() + 2)
    return switch
