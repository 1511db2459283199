"""Pictures: what, how large, on which ground, with a preview that is the truth."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from typing import cast

from PySide6.QtCore import QSignalBlocker, QSizeF, Qt, QTimer, Signal, Slot
from PySide6.QtGui import QFontDatabase, QImage
from PySide6.QtWidgets import QFrame, QHBoxLayout, QScrollArea, QVBoxLayout, QWidget

from kpca_viewer.export.image import image_of
from kpca_viewer.export.image_spec import (
    MM_PER_INCH,
    POINTS,
    SMALLEST_SIDE,
    Background,
    ImageSpec,
    LegendSide,
)
from kpca_viewer.features.export_panel.preview import ExportPreview
from kpca_viewer.features.export_panel.size import SizeControls
from kpca_viewer.features.registry import all_plots
from kpca_viewer.support.errors import KpcaError
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.picture_formats import PICTURE_FORMATS
from kpca_viewer.widgets.composed_picture import ComposedPicture, ExportContent
from kpca_viewer.widgets.controls import ElidedLabel
from kpca_viewer.widgets.controls.combos import fill_combo, named_combo
from kpca_viewer.widgets.export_form import Choices, add_lines, segmented, switch
from kpca_viewer.widgets.picture_sources import Paintable

_WAIT = 40
"""Milliseconds in which several changes become one preview."""


class ImagePage(QWidget):
    """Chooses an `ImageSpec` and shows what comes of it."""

    spec_changed = Signal()
    """Another picture comes of it, or none."""
    edited = Signal()
    """The person has chosen something else."""
    refused = Signal(str)
    """Why a number that was typed is not taken."""

    def __init__(self, sources: Mapping[str, Paintable], choices: Choices) -> None:
        super().__init__()
        self.setObjectName("export_image_page")
        self._sources = dict(sources)
        self._choices = choices
        self._content: ExportContent | None = None
        self._problem = ""
        self._timer = QTimer(self, singleShot=True, interval=_WAIT)
        self._timer.timeout.connect(self.refresh)
        self._make_controls()
        self._lay_out()
        key = choices.text("source", self.source_key(), tuple(self._sources))
        self._what.setCurrentIndex(self._what.findData(key))
        choices.remember("format", self._format, "png")
        choices.remember("background", self._background, "white")
        choices.remember("title", self._title, True)
        choices.remember("legend", self._legend, "auto")
        choices.remember("caption", self._caption, False)
        self._connect()
        self._show_dependent()

    # What is asked for

    def set_content(self, content: ExportContent) -> None:
        self._content = content
        self._timer.start()

    def set_sources(self, sources: Mapping[str, Paintable]) -> None:
        """Offer other sources; what is chosen stays as long as it is there."""
        if sources.keys() == self._sources.keys():
            self._sources = dict(sources)
            return
        self._sources = dict(sources)
        with QSignalBlocker(self._what):
            self._offer_sources(self.source_key())
        self._show_dependent()

    @property
    def sources(self) -> Mapping[str, Paintable]:
        return self._sources

    def source_key(self) -> str:
        return str(self._what.currentData())

    def source_keys(self) -> Collection[str]:
        return self._sources.keys()

    def choose(self, key: str) -> None:
        self._what.setCurrentIndex(self._what.findData(key))

    def ending(self) -> str:
        return self.spec().format

    def file_words(self) -> str:
        return all_plots()[self.source_key()].title.lower()

    def spec(self) -> ImageSpec:
        """Return what is chosen, or raise `ExportError`."""
        return self._size.sized(
            ImageSpec(
                self._format.value(),
                background=cast("Background", self._background.value()),
                title=self._title.isChecked(),
                legend=cast("LegendSide", self._legend.value()),
                caption=self._caption.isChecked(),
                family=str(self._font.currentData()),
            )
        )

    def picture(self, spec: ImageSpec, key: str = "") -> ComposedPicture | None:
        """Return what paints a source, the chosen one by default; None without data."""
        content = self._content
        if content is None:
            return None
        key = key or self.source_key()
        return ComposedPicture(all_plots()[key], self._sources[key], spec, content)

    def problem(self) -> str:
        """Return why no picture can be made; empty if one can."""
        return self._problem

    def summary(self) -> str:
        """Return the size in every unit."""
        if self._problem:
            return self._problem
        spec = self.spec()
        across, down = spec.pixels
        wide, high = (readable(round(side, 1)) for side in spec.millimetres)
        point = readable(round(POINTS * spec.scale, 1))
        paper = f"{wide} × {high} mm, text {point} pt"
        if not spec.is_vector:
            return f"{across:,} × {down:,} px  ·  {readable(spec.dpi)} dpi  ·  {paper}"
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
        self._summary.set_text("" if self._problem else self.summary())
        self.spec_changed.emit()

    def rest(self) -> None:
        """Paint nothing more until the page is shown again."""
        self._timer.stop()

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
        self._offer_sources("")
        self._format = segmented(
            "export_format",
            "Format",
            [(row.key, row.title, row.about) for row in PICTURE_FORMATS.values()],
        )
        self._size = SizeControls(self._choices, self)
        self._background = segmented(
            "export_background",
            "Background",
            [
                ("white", "White", "White paper and dark ink, in every theme"),
                ("theme", "Theme", "As in the window"),
                ("transparent", "None", "No background; the ink of the theme"),
            ],
        )
        self._title = switch("title", "Title", "The name of the data and of the plot")
        self._legend = segmented(
            "export_legend",
            "Legend",
            [
                ("auto", "Auto", "Where it leaves the plot more room"),
                ("right", "Right", "Beside the plot"),
                ("below", "Below", "In lines below the plot"),
                ("none", "None", "Nothing says what the colours mean"),
            ],
        )
        self._font = named_combo("export_font_combo", "Font", "Of every text.")
        families: list[tuple[str, object]] = [
            (name, name) for name in QFontDatabase.families()
        ]
        font = self._choices.text("font", "", tuple(name for name, _ in families))
        fill_combo(self._font, [("As in the window", ""), *families], font)
        self._caption = switch(
            "caption", "Caption", "Kernel, values and certainty in one line below"
        )
        self.preview = ExportPreview()
        self._summary = ElidedLabel()
        self._summary.setObjectName("export_summary")
        self._summary.setProperty("role", "muted")

    def _offer_sources(self, chosen: str) -> None:
        known = all_plots().items()
        plots = {key: plot for key, plot in known if key in self._sources}
        items: list[tuple[str, object]] = [(p.title, key) for key, p in plots.items()]
        fill_combo(self._what, items, chosen if chosen in plots else next(iter(plots)))

    def _lay_out(self) -> None:
        controls = QWidget()
        column = QVBoxLayout(controls)
        column.setContentsMargins(0, 0, 8, 0)
        column.setSpacing(8)
        add_lines(
            column,
            [
                ("What", (self._what,)),
                ("Format", (self._format,)),
                *self._size.rows(),
                ("Font", (self._font,)),
                ("Background", (self._background,)),
                ("Legend", (self._legend,)),
                ("Around it", (self._title,)),
                ("", (self._caption,)),
            ],
        )
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
        right = QVBoxLayout()
        right.setSpacing(8)
        right.addWidget(self.preview, 1)
        right.addWidget(self._summary)
        layout.addLayout(right, 1)

    def _connect(self) -> None:
        self._what.currentIndexChanged.connect(self._on_choice_changed)
        self._size.changed.connect(self._on_choice_changed)
        self._size.refused.connect(self.refused)
        self._font.currentIndexChanged.connect(self._on_choice_changed)
        for choice in (self._format, self._background, self._legend):
            choice.value_changed.connect(self._on_choice_changed)
        for control in (self._title, self._caption):
            control.toggled.connect(self._on_choice_changed)
        self.preview.room_changed.connect(self._timer.start)

    @Slot()
    def _on_choice_changed(self) -> None:
        self._show_dependent()
        self._size.keep()
        self._choices.keep("source", self.source_key())
        self._choices.keep("font", str(self._font.currentData()))
        self._timer.start()
        self.edited.emit()

    def _show_dependent(self) -> None:
        """Disable what has no effect on this source in this format."""
        self._size.show_format(vector=PICTURE_FORMATS[self._format.value()].vector)
        self._legend.setEnabled(all_plots()[self.source_key()].has_legend)
