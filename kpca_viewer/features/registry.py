"""All features, and what the window, the command line and Python derive from them."""

from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING

from kpca_viewer.engine.feature import Feature, Page, Plot, load
from kpca_viewer.features.columns.feature import FEATURE as COLUMNS
from kpca_viewer.features.data_plot.feature import FEATURE as DATA_PLOT
from kpca_viewer.features.derivation.feature import FEATURE as DERIVATION
from kpca_viewer.features.drawing.feature import FEATURE as DRAWING
from kpca_viewer.features.embedding.feature import FEATURE as EMBEDDING
from kpca_viewer.features.export_panel.feature import FEATURE as EXPORT_PANEL
from kpca_viewer.features.import_sheet.feature import FEATURE as IMPORT_SHEET
from kpca_viewer.features.kernel_matrix.feature import FEATURE as KERNEL_MATRIX
from kpca_viewer.features.kernel_search.feature import FEATURE as KERNEL_SEARCH
from kpca_viewer.features.large_tables.feature import FEATURE as LARGE_TABLES
from kpca_viewer.features.lessons.feature import FEATURE as LESSONS
from kpca_viewer.features.lift.feature import FEATURE as LIFT
from kpca_viewer.features.linear_pca.feature import FEATURE as LINEAR_PCA
from kpca_viewer.features.outliers.feature import FEATURE as OUTLIERS
from kpca_viewer.features.pins.feature import FEATURE as PINS
from kpca_viewer.features.preimage.feature import FEATURE as PREIMAGE
from kpca_viewer.features.random_baseline.feature import FEATURE as RANDOM_BASELINE
from kpca_viewer.features.rebuild.feature import FEATURE as REBUILD
from kpca_viewer.features.report.feature import FEATURE as REPORT
from kpca_viewer.features.selection.feature import FEATURE as SELECTION
from kpca_viewer.features.spectrum.feature import FEATURE as SPECTRUM
from kpca_viewer.features.sweep.feature import FEATURE as SWEEP
from kpca_viewer.features.table.feature import FEATURE as TABLE
from kpca_viewer.features.turned_line.feature import FEATURE as TURNED_LINE
from kpca_viewer.support.registry import Registry

if TYPE_CHECKING:
    from kpca_viewer.engine.stage import Stages
    from kpca_viewer.export.document import ReportSection

FEATURES: Registry[Feature] = Registry(
    lambda feature: feature.key,
    (
        EMBEDDING,
        DATA_PLOT,
        SPECTRUM,
        LINEAR_PCA,
        KERNEL_MATRIX,
        TABLE,
        DERIVATION,
        REBUILD,
        COLUMNS,
        OUTLIERS,
        RANDOM_BASELINE,
        PREIMAGE,
        SELECTION,
        DRAWING,
        LIFT,
        IMPORT_SHEET,
        EXPORT_PANEL,
        REPORT,
        SWEEP,
        PINS,
        KERNEL_SEARCH,
        LARGE_TABLES,
        LESSONS,
        TURNED_LINE,
    ),
)
"""In the order of buttons, menu and shortcuts of their pages."""

BOARD = Plot("board", "Whole board", has_legend=True)


def pages() -> Mapping[str, Page]:
    """Return the pages by their keys."""
    found = (feature.page for feature in FEATURES.values())
    return {page.key: page for page in found if page is not None}


def stages() -> "Stages":
    """Return what is computed after the picture, in the order in which it is."""
    named = tuple(name for feature in FEATURES.values() for name in feature.stages)
    return _loaded(named)


@cache
def _loaded(names: tuple[str, ...]) -> "Stages":
    from kpca_viewer.engine.stage import Stage

    found = [load(name) for name in names]
    flat = [
        stage
        for each in found
        for stage in ([each] if isinstance(each, Stage) else each)
    ]
    # What is drawn over the plots comes before what one page shows.
    return tuple(sorted(flat, key=lambda stage: bool(stage.pages)))


def report_sections() -> "tuple[ReportSection, ...]":
    """Return the functions that make the sections of a report, in its order."""
    found = (feature for feature in FEATURES.values() if feature.report_section)
    ordered = sorted(found, key=lambda feature: feature.report_order)
    return tuple(load(feature.report_section) for feature in ordered)


def commands() -> Mapping[str, str]:
    """Return the modules of the commands of features, by their names."""
    found = (feature.commands for feature in FEATURES.values())
    return {name: module for each in found for name, module in each.items()}


def board_plots() -> Mapping[str, Plot]:
    """Return what the board has for pictures, in the order in which it is offered."""
    plots = (
        plot
        for key in ("embedding", "data_plot", "spectrum")
        for plot in FEATURES[key].plots
    )
    pictures = (page for page in pages().values() if page.is_picture)
    return {plot.key: plot for plot in (*plots, *pictures, BOARD)}


def all_plots() -> Mapping[str, Plot]:
    """Return the same with those that are not always there, such as of a sweep."""
    plots = (plot for feature in FEATURES.values() for plot in feature.plots)
    return {**board_plots(), **{plot.key: plot for plot in plots}}
