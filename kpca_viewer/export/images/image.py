"""Pictures with an exact size, true vectors and their own history inside."""

from collections.abc import Callable, Generator
from functools import partial
from pathlib import Path

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QRectF
from PySide6.QtGui import QImage, QImageWriter, QPainter

from kpca_viewer import __version__
from kpca_viewer.engine.document.in_picture import PNG_KEY
from kpca_viewer.export.images.portions import Paint, all_of, portions_of
from kpca_viewer.export.images.spec import MM_PER_INCH, ImageSpec
from kpca_viewer.export.images.vector import pdf_painting, svg_painting
from kpca_viewer.support import memory
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.picture_formats import PICTURE_FORMATS

_VECTORS = {"svg": svg_painting, "pdf": pdf_painting}
"""What paints the vector formats of `PICTURE_FORMATS`."""


def save_image(
    path: str | Path, spec: ImageSpec, paint: Paint, metadata: str = ""
) -> None:
    """Paint a picture into a file, all of it or nothing.

    Parameters
    ----------
    spec : ImageSpec
        White and transparent backgrounds are made here; that of a theme is up to
        ``paint``, which knows the theme.
    metadata : str
        Kept inside the file; `read_metadata` gets it back.

    Raises
    ------
    ExportError
        In one sentence; the old file is as it was.
    """
    all_of(saving_of(path, spec, paint, metadata))()


def saving_of(
    path: str | Path, spec: ImageSpec, paint: Paint, metadata: str = ""
) -> Generator[None, None, Callable[[], None]]:
    """Paint a picture in portions; what is returned packs and writes it, on any thread.

    Parameters and errors are those of `save_image`.
    """
    pack: Callable[[], bytes]
    if spec.is_vector:
        paint_vectors = _VECTORS[spec.format]
        pack = yield from paint_vectors(spec, paint, metadata, Path(path).stem)
    else:
        pack = partial(png_bytes, (yield from image_painting(spec, paint, metadata)))

    def save() -> None:
        write_atomically(path, pack())

    return save


def image_of(spec: ImageSpec, paint: Paint, metadata: str = "") -> QImage:
    """Paint a picture in pixels, for a PNG, the clipboard or a preview.

    Raises
    ------
    KpcaError
        If there is not enough memory.
    """
    return all_of(image_painting(spec, paint, metadata))


def image_painting(
    spec: ImageSpec, paint: Paint, metadata: str = ""
) -> Generator[None, None, QImage]:
    """Paint a picture in pixels, in portions; see `image_of`."""
    width, height = spec.pixels
    vectors = [row.title for row in PICTURE_FORMATS.values() if row.vector]
    memory.require(
        8 * width * height,
        f"A picture of {width:,} × {height:,} pixels",
        f"choose fewer pixels, or {' or '.join(vectors)}",
    )
    image = QImage(width, height, QImage.Format.Format_ARGB32_Premultiplied)
    if image.isNull():
        raise ExportError(
            f"A picture of {width:,} × {height:,} pixels cannot be made; choose a "
            "smaller one."
        )
    image.fill(0xFFFFFFFF if spec.background == "white" else 0)
    per_metre = round(1000 * spec.dpi / MM_PER_INCH)
    image.setDotsPerMeterX(per_metre)
    image.setDotsPerMeterY(per_metre)
    layout = QRectF(0, 0, *spec.layout)
    # A ratio instead of a scaled painter: cosmetic pens, always one pixel wide, would
    # be hairlines at 300 dpi.
    image.setDevicePixelRatio(width / layout.width())
    painter = QPainter(image)
    try:
        painter.setRenderHints(
            QPainter.RenderHint.Antialiasing
            | QPainter.RenderHint.TextAntialiasing
            | QPainter.RenderHint.SmoothPixmapTransform
        )
        yield from portions_of(paint, painter, layout)
    finally:
        painter.end()
    image.setDevicePixelRatio(1.0)
    if spec.background != "transparent":
        # No alpha channel where everything is opaque: some printers stumble over it.
        image.convertTo(QImage.Format.Format_RGB32)
    image.setText("Software", f"kpca_viewer {__version__}")
    if metadata:
        image.setText(PNG_KEY, metadata)
    return image


def png_bytes(image: QImage) -> bytes:
    """Return an image as the content of a PNG file."""
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    if not QImageWriter(buffer, QByteArray(b"png")).write(image):
        raise ExportError("The picture cannot be packed as a PNG; choose fewer pixels.")
    buffer.close()
    return bytes(data.data())
