"""What is said and clicked in the windows beside a sweep."""

from PySide6.QtWidgets import QLabel

from kpca_viewer.features.sweep.compare import CompareView
from kpca_viewer.features.sweep.gallery import Gallery
from kpca_viewer.features.sweep.strip_bar import MeasureCombo
from kpca_viewer.widgets.controls import Segmented
from kpca_viewer.widgets.plots.scatter_view import ScatterView


def title(gallery: Gallery) -> str:
    """Return what stands above the pictures."""
    return gallery.findChild(QLabel, "gallery_title_label").text()


def choose_size(gallery: Gallery, key: str) -> None:
    """Choose "small", "medium" or "large" pictures."""
    gallery.findChild(Segmented, "gallery_size").button(key).click()


def choose_measure(gallery: Gallery, key: str) -> None:
    """Choose what is said under the pictures, as a person does."""
    combo = gallery.findChild(MeasureCombo, "gallery_measure_combo")
    combo.choose(key)
    combo.activated.emit(combo.currentIndex())


def views(compare: CompareView) -> list[ScatterView]:
    """Return the plots on the left and on the right."""
    return [
        compare.findChild(ScatterView, f"compare_{side}_view")
        for side in ("left", "right")
    ]


def words(compare: CompareView) -> str:
    """Return the difference in words."""
    return compare.findChild(QLabel, "compare_words_label").text()
