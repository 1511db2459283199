"""The pictures of a report: plots of the board in light colours, on white."""

from collections.abc import Callable, Generator, Mapping
from functools import partial

from kpca_viewer.engine.claims.choice import tried_words
from kpca_viewer.export.document import Picture, Pictures
from kpca_viewer.export.image import image_painting, png_bytes, svg_painting
from kpca_viewer.export.image_spec import ImageSpec
from kpca_viewer.features.registry import board_plots
from kpca_viewer.features.report.gathering import Subject
from kpca_viewer.widgets.composed_picture import ComposedPicture, ExportContent
from kpca_viewer.widgets.picture_sources import Paintable

LARGE, SMALL = (760, 460), (460, 380)
"""Of a picture over the whole width, and of one beside another, in 1/96 inch."""

SIZES = {"embedding": LARGE, "spectrum": (760, 320), "data": SMALL, "pca": SMALL}

MOST_SHAPES = 500
"""Rows beyond which points are pixels. As shapes they would make a large file, and Qt
packs a page of a PDF in one go, during which no other thread runs Python."""

SHARP = 2
"""Pixels per unit: 192 in an inch."""


def subject_of(content: ExportContent) -> Subject:
    """Return what a report of the window is about."""
    settings, notes = content.scene.settings, content.scene.notes
    note = notes.choice
    known = note is not None and note.is_of(settings.data)
    return Subject(
        content.result,
        settings.view,
        content.document.data.file,
        note.choice() if note is not None and known else None,
        tried_words(notes, settings.data),
    )


def pictures_painting(
    sources: Mapping[str, Paintable], content: ExportContent
) -> Generator[None, None, Callable[[], Pictures]]:
    """Paint the plots one after the other; what is returned packs them, anywhere."""
    packs: dict[str, Callable[[], Picture]] = {}
    for key in subject_of(content).figure_keys:
        packs[key] = yield from _painting(sources, content, key)
        yield

    def pack() -> Pictures:
        return {key: make() for key, make in packs.items()}

    return pack


def _painting(
    sources: Mapping[str, Paintable], content: ExportContent, key: str
) -> Generator[None, None, Callable[[], Picture]]:
    plot, (width, height) = board_plots()[key], SIZES[key]
    kind = "png" if _is_of_pixels(content, key) else "svg"
    sharp = SHARP if kind == "png" else 1
    spec = ImageSpec(kind, sharp * width, sharp * height, "px", 96 * sharp, title=False)
    paint = ComposedPicture(plot, sources[key], spec, content).paint
    pack: Callable[[], bytes]
    if kind == "svg":
        pack = yield from svg_painting(spec, paint, "", plot.title)
    else:
        pack = partial(png_bytes, (yield from image_painting(spec, paint)))
    return lambda: Picture(kind, pack(), width, height)


def _is_of_pixels(content: ExportContent, key: str) -> bool:
    """Return whether shapes would be too many, or reach beyond the frame of a plot."""
    result, view = content.result, content.scene.settings.view
    if key == "data" and result.grid is not None and view.isolines:
        # SVG does not clip the field between isolines.
        return True
    return board_plots()[key].has_legend and result.all_rows.dataset.n > MOST_SHAPES
