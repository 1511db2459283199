"""Pictures with an exact size, true vectors and their own history inside."""

import math
import re
from collections.abc import Callable, Generator, Iterator
from functools import partial
from html import escape, unescape
from pathlib import Path
from typing import TypeVar

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMarginsF, QRectF, QSize
from PySide6.QtCore import QSizeF as Size
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontInfo,
    QFontMetricsF,
    QImage,
    QImageWriter,
    QPageSize,
    QPainter,
    QPdfWriter,
    QTransform,
)
from PySide6.QtSvg import QSvgGenerator

from kpca_viewer import __version__
from kpca_viewer.engine.document.in_picture import PNG_KEY, SESSION_TAG
from kpca_viewer.export.image_spec import MM_PER_INCH, UNITS_PER_INCH, ImageSpec
from kpca_viewer.support import memory
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import ExportError
from kpca_viewer.support.picture_formats import PICTURE_FORMATS

Made = TypeVar("Made")

Paint = Callable[[QPainter, QRectF], Iterator[None] | None]
"""Paints everything into a rectangle of layout units (see `ImageSpec.layout`).

Where it returns an iterator, each step of that paints a portion.
"""


def portions_of(paint: Paint, painter: QPainter, rect: QRectF) -> Iterator[None]:
    """Paint a portion at each step; painting that knows none is a single one."""
    portions = paint(painter, rect)
    if portions is not None:
        yield from portions


def all_of(portions: Generator[None, None, Made]) -> Made:
    """Do all portions now and return what comes of them."""
    try:
        while True:
            next(portions)
    except StopIteration as end:
        made: Made = end.value
        return made


SESSION_NAMESPACE = "urn:kpca-viewer:session"

FALLBACKS = "Helvetica, Arial, sans-serif"
"""Fonts for a machine that does not have ours."""

_SIZE = re.compile(r'<svg width="[^"]*" height="[^"]*"')
_TEXT = re.compile(
    r'(<text [^>]*?)font-family="(?P<family>[^"]*)" font-size="(?P<size>[\d.]+)" '
    r'font-weight="(?P<weight>\d+)"(?P<rest>[^>]*)>(?P<words>[^<]*)</text>'
)
_FAMILY = re.compile(r'font-family="([^",]*)"')
_GROUP_FONT = re.compile(
    r'(<g [^>]*?)\s*font-family="[^"]*" font-size="[^"]*" font-weight="[^"]*" '
    r'font-style="[^"]*"\s*>'
)
_FIXED_STROKE = re.compile(
    r'transform="matrix\((?P<matrix>[^)]*)\)"'
    r'|<(?P<tag>path|polyline) (?P<before>[^>]*?)vector-effect="non-scaling-stroke"'
    r'(?P<middle>[^>]*?)(?P<name>d|points)="(?P<shape>[^"]*)"(?P<after>[^>]*?)/>'
)
_PAIR = re.compile(r"(-?[\d.]+(?:e-?\d+)?),(-?[\d.]+(?:e-?\d+)?)")


def svg_painting(
    spec: ImageSpec, paint: Paint, metadata: str, title: str
) -> Generator[None, None, Callable[[], bytes]]:
    """Paint into an SVG 1.1 in portions; what is returned packs it, on any thread."""
    layout = QRectF(0, 0, *spec.layout)
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    generator = QSvgGenerator(QSvgGenerator.SvgVersion.Svg11)
    generator.setOutputDevice(buffer)
    generator.setSize(QSize(math.ceil(layout.width()), math.ceil(layout.height())))
    generator.setViewBox(layout)
    generator.setTitle(title)
    generator.setDescription(f"Made with kpca_viewer {__version__}")
    yield from _painted(QPainter(generator), paint, layout, spec)
    buffer.close()
    return partial(_finished_svg, bytes(data.data()), spec, metadata)


def _finished_svg(content: bytes, spec: ImageSpec, metadata: str) -> bytes:
    text = content.decode()
    text = _SIZE.sub(f"<svg {_svg_size(spec)}", text, count=1)
    text = _GROUP_FONT.sub(r"\1>", text)
    text = _with_scaling_strokes(text)
    text = _TEXT.sub(_portable_text, text)
    text = _FAMILY.sub(lambda found: _families(found.group(1)), text)
    if metadata:
        text = text.replace("</desc>", f"</desc>\n{_session(metadata)}", 1)
    return text.encode()


def pdf_painting(
    spec: ImageSpec, paint: Paint, metadata: str, title: str
) -> Generator[None, None, Callable[[], bytes]]:
    """Paint into a PDF of one page in portions; what is returned packs it."""
    layout = QRectF(0, 0, *spec.layout)
    width, height = (72 * side for side in spec.inches)
    # Qt knows whole points only. The page is made a little too large and cut below;
    # what is painted hangs at its lower left corner, where PDF has its origin.
    whole = Size(math.ceil(width), math.ceil(height))
    data = QByteArray()
    buffer = QBuffer(data)
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    writer = QPdfWriter(buffer)
    page = QPageSize(
        whole, QPageSize.Unit.Point, title, QPageSize.SizeMatchPolicy.ExactMatch
    )
    writer.setPageSize(page)
    writer.setPageMargins(QMarginsF(0, 0, 0, 0))
    # One unit of the device is one of the layout: Qt measures cosmetic pens in these.
    resolution = max(1, round(UNITS_PER_INCH / spec.scale))
    writer.setResolution(resolution)
    writer.setTitle(title)
    writer.setCreator(f"kpca_viewer {__version__}")
    writer.setDocumentXmpMetadata(QByteArray(_xmp(title, metadata).encode()))
    painter = QPainter(writer)
    each = resolution / 72
    painter.translate(0, (whole.height() - height) * each)
    painter.scale(width * each / layout.width(), height * each / layout.height())
    yield from _painted(painter, paint, layout, spec)
    buffer.close()
    return partial(_cut, bytes(data.data()), whole, width, height)


def _painted(
    painter: QPainter, paint: Paint, layout: QRectF, spec: ImageSpec
) -> Iterator[None]:
    try:
        if spec.background == "white":
            painter.fillRect(layout, QColor("white"))
        yield from portions_of(paint, painter, layout)
        # Qt packs pages and fonts of a PDF at its end: a portion of its own.
        yield
    finally:
        painter.end()


def _svg_size(spec: ImageSpec) -> str:
    if spec.unit == "mm":
        return f'width="{spec.width:.6g}mm" height="{spec.height:.6g}mm"'
    return f'width="{spec.width:.6g}" height="{spec.height:.6g}"'


def _with_scaling_strokes(text: str) -> str:
    """Let lines be as wide as they are on the screen, in relation to all the rest.

    Qt asks for strokes that ignore every transformation: they would not grow with a
    picture that is enlarged, and half of all programs do not know them. The shapes are
    transformed here instead and the stroke keeps its width.
    """
    matrix = [1.0, 0.0, 0.0, 1.0, 0.0, 0.0]

    def replaced(found: re.Match[str]) -> str:
        nonlocal matrix
        if found["matrix"] is not None:
            matrix = [float(number) for number in found["matrix"].split(",")]
            return found[0]
        a, b, c, d, e, f = matrix
        determinant = a * d - b * c
        if determinant == 0:
            return found[0]

        def moved(pair: re.Match[str]) -> str:
            x, y = float(pair[1]), float(pair[2])
            return f"{a * x + c * y + e:.6g},{b * x + d * y + f:.6g}"

        back = QTransform(a, b, c, d, e, f).inverted()[0]
        values = (back.m11(), back.m12(), back.m21(), back.m22(), back.dx(), back.dy())
        undo = ",".join(f"{value:.12g}" for value in values)
        return (
            f'<{found["tag"]} transform="matrix({undo})" {found["before"]}'
            f'{found["middle"].lstrip()}{found["name"]}="'
            f'{_PAIR.sub(moved, found["shape"])}"{found["after"]}/>'
        )

    return _FIXED_STROKE.sub(replaced, text)


def _portable_text(found: re.Match[str]) -> str:
    """Give a text its width, so that another font neither shifts nor overlaps it."""
    words = unescape(found["words"])
    font = QFont(found["family"])
    font.setPixelSize(max(1, round(float(found["size"]))))
    font.setWeight(QFont.Weight(int(found["weight"])))
    width = QFontMetricsF(font).horizontalAdvance(words)
    length = f' textLength="{width:.6g}" lengthAdjust="spacingAndGlyphs"'
    return (
        f'{found[1]}font-family="{found["family"]}" font-size="{found["size"]}" '
        f'font-weight="{found["weight"]}"{found["rest"].rstrip()}'
        f"{length if words.strip() else ''}>{found['words']}</text>"
    )


def _families(family: str) -> str:
    # A name such as “Sans Serif” is an alias of this machine; others want the real one.
    real = QFontInfo(QFont(unescape(family))).family().replace("'", "")
    return f"font-family=\"'{escape(real)}', {FALLBACKS}\""


def _session(metadata: str) -> str:
    return (
        f'<metadata><{SESSION_TAG} xmlns:kpca="{SESSION_NAMESPACE}">'
        f"{_escaped(metadata)}</{SESSION_TAG}></metadata>"
    )


def _escaped(text: str) -> str:
    # XML cannot hold control characters at all, not even escaped.
    return escape("".join(c if c >= " " or c in "\t\n\r" else "\ufffd" for c in text))


def _xmp(title: str, metadata: str) -> str:
    session = f"<{SESSION_TAG}>{_escaped(metadata)}</{SESSION_TAG}>" if metadata else ""
    return (
        "<?xpacket begin='\ufeff' id='W5M0MpCehiHzreSzNTczkc9d'?>\n"
        "<x:xmpmeta xmlns:x='adobe:ns:meta/'>\n"
        "<rdf:RDF xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'>\n"
        "<rdf:Description rdf:about='' xmlns:dc='http://purl.org/dc/elements/1.1/' "
        "xmlns:xmp='http://ns.adobe.com/xap/1.0/' "
        f"xmlns:kpca='{SESSION_NAMESPACE}'>\n"
        "<dc:title><rdf:Alt><rdf:li xml:lang='x-default'>"
        f"{_escaped(title)}</rdf:li></rdf:Alt></dc:title>\n"
        f"<xmp:CreatorTool>kpca_viewer {__version__}</xmp:CreatorTool>\n"
        f"{session}\n</rdf:Description>\n</rdf:RDF>\n</x:xmpmeta>\n"
        "<?xpacket end='w'?>"
    )


def _cut(content: bytes, whole: Size, width: float, height: float) -> bytes:
    """Cut the page to fractions of a point; every offset in the file stays true."""
    before = f"[0 0 {whole.width():.6f} {whole.height():.6f}]".encode()
    digits = [len(f"{side:.6f}") for side in (whole.width(), whole.height())]
    sides = [
        f"{side:.6f}"[:count].rjust(count)
        for side, count in zip((width, height), digits, strict=True)
    ]
    return content.replace(before, f"[0 0 {sides[0]} {sides[1]}]".encode())


_VECTORS = {"svg": svg_painting, "pdf": pdf_painting}
"""What paints the vector formats of `PICTURE_FORMATS`."""


def save_image(
    path: str | Path, spec: ImageSpec, paint: Paint, metadata: str = ""
) -> None:
    """Paint a picture into a file, all of it or nothing.

    White and transparent backgrounds are made here; that of a theme is up to ``paint``,
    which knows the theme. `read_metadata` gets the ``metadata`` back.
    """
    all_of(saving_of(path, spec, paint, metadata))()


def saving_of(
    path: str | Path, spec: ImageSpec, paint: Paint, metadata: str = ""
) -> Generator[None, None, Callable[[], None]]:
    """Paint in portions; what is returned packs and writes, as `save_image`."""
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
    """Paint a picture in pixels, or raise `KpcaError` for want of memory."""
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
