"""The pictures of a report: plots of the board in light colours, on white."""

from collections.abc import Callable, Generator, Mapping
from functools import partial

from kpca_viewer.export.images.image import image_painting, png_bytes
from kpca_viewer.export.images.spec import ImageSpec
from kpca_viewer.export.images.vector import svg_painting
from kpca_viewer.export.report.blocks import Picture, Pictures
from kpca_viewer.export.report.gathering import Subject
from kpca_viewer.session.plots import board_plots
from kpca_viewer.ui.export.content import ExportContent
from kpca_viewer.ui.export.picture import ComposedPicture
from kpca_viewer.ui.export.sources import Paintable

LARGE, SMALL = (760, 460), (460, 380)
"""Of a picture over the whole width, and of one beside another, in 1/96 inch."""

SIZES = {"embedding": LARGE, "spectrum": (760, 320), "data": SMALL, "pca": SMALL}

MOST_SHAPES = 2_000
"""Rows beyond which points are pixels: as shapes they would make a huge file."""

SHARP = 2
"""Pixels per unit."""


def subject_of(content: ExportContent) -> Subject:
    """Return what a report of the window is about."""
    view = content.scene.settings.view
    return Subject(content.result, view, content.document.data.file)


def pictures_painting(
    sources: Mapping[str, Paintable], content: ExportContent
) -> Generator[None, None, Callable[[], Pictures]]:
    """Paint the plots one after the other; what is returned packs them, anywhere."""
    packs: dict[str, Callable[[], Picture]] = {}
    many = content.result.all_rows.dataset.n > MOST_SHAPES
    for key in subject_of(content).figure_keys:
        packs[key] = yield from _painting(sources, content, key, many=many)
        yield

    def pack() -> Pictures:
        return {key: make() for key, make in packs.items()}

    return pack


def _painting(
    sources: Mapping[str, Paintable], content: ExportContent, key: str, *, many: bool
) -> Generator[None, None, Callable[[], Picture]]:
    plot, (width, height) = board_plots()[key], SIZES[key]
    kind = "png" if many and plot.has_legend else "svg"
    sharp = SHARP if kind == "png" else 1
    spec = ImageSpec(kind, sharp * width, sharp * height, "px", 96 * sharp, title=False)
    paint = ComposedPicture(plot, sources[key], spec, content).paint
    pack: Callable[[], bytes]
    if kind == "svg":
        pack = yield from svg_painting(spec, paint, "", plot.title)
    else:
        pack = partial(png_bytes, (yield from image_painting(spec, paint)))
    return lambda: Picture(kind, pack(), width, height)
