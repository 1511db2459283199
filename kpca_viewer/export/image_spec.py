"""ImageSpec: everything that can be chosen about a picture, as one value."""

from dataclasses import dataclass
from typing import Literal, get_args

from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.numerals import readable
from kpca_viewer.support.picture_formats import PICTURE_FORMATS

Unit = Literal["px", "mm"]
Background = Literal["theme", "white", "transparent"]
LegendSide = Literal["auto", "right", "below", "none"]

MM_PER_INCH = 25.4
UNITS_PER_INCH = 96.0
POINTS = 9.0
"""Pictures are laid out in units of 1/96 inch, in which a text of 12 is one of 9 pt."""

LARGEST_SIDE = 20_000
LARGEST_AREA = 150_000_000
"""Pixels. A poster of DIN A0 at 300 dpi still fits."""

SMALLEST_SIDE = 16


@dataclass(frozen=True)
class ImageSpec:
    """Size, format and furniture of a picture."""

    format: str = "png"
    """A key of `PICTURE_FORMATS`."""
    width: float = 1600
    height: float = 1200
    """In pixels or millimetres."""
    unit: Unit = "px"
    dpi: float = 192
    """Pixels per inch; written into the file."""
    background: Background = "white"
    title: bool = True
    legend: LegendSide = "auto"
    caption: bool = False
    """What stands around the plot."""
    scale: float = 1.0
    """Size of texts and points. At 1, texts are 9 pt when the picture is printed in its
    own size, whatever its resolution is."""
    family: str = ""
    """Of the font of all texts; that of the program by default."""

    def __post_init__(self) -> None:
        for name, choices in (
            ("format", tuple(PICTURE_FORMATS)),
            ("unit", get_args(Unit)),
            ("background", get_args(Background)),
            ("legend", get_args(LegendSide)),
        ):
            if getattr(self, name) not in choices:
                raise ExportError(
                    f"“{getattr(self, name)}” is no {name} of a picture; choose one of "
                    f"{', '.join(choices)}."
                )
        if not 1 <= self.dpi <= 2400:
            raise ExportError(
                f"{readable(self.dpi)} dpi is no useful resolution; choose 72 … 1200."
            )
        if not 0.1 <= self.scale <= 10:
            raise ExportError(
                f"Texts of {readable(100 * self.scale)} % cannot be laid out; choose "
                "10 … 1000 %."
            )
        self._check_size()

    def _check_size(self) -> None:
        if not (0 < self.width < 1e6 and 0 < self.height < 1e6):
            size = f"{readable(self.width)} × {readable(self.height)} {self.unit}"
            raise ExportError(
                f"A picture of {size} cannot be made; give a width and a height above "
                "0."
            )
        width, height = self.pixels
        if min(width, height) < SMALLEST_SIDE:
            raise ExportError(
                f"{width} × {height} pixels show nothing; choose at least "
                f"{SMALLEST_SIDE} on each side."
            )
        if max(width, height) > LARGEST_SIDE or width * height > LARGEST_AREA:
            raise ExportError(
                f"{width:,} × {height:,} pixels are too many; choose a smaller size or "
                "fewer dpi, or a vector format for print."
            )

    @property
    def is_vector(self) -> bool:
        return PICTURE_FORMATS[self.format].vector

    @property
    def inches(self) -> tuple[float, float]:
        each = self.dpi if self.unit == "px" else MM_PER_INCH
        return self.width / each, self.height / each

    @property
    def millimetres(self) -> tuple[float, float]:
        width, height = self.inches
        return width * MM_PER_INCH, height * MM_PER_INCH

    @property
    def pixels(self) -> tuple[int, int]:
        width, height = self.inches
        return round(width * self.dpi), round(height * self.dpi)

    @property
    def layout(self) -> tuple[float, float]:
        width, height = self.inches
        each = UNITS_PER_INCH / self.scale
        return width * each, height * each
