"""Samples of the sheets that open beside the window."""

from kpca_viewer.engine.document.model import Document
from kpca_viewer.features.export_panel.content import ExportContent
from kpca_viewer.features.export_panel.panel import ExportPanel
from kpca_viewer.features.export_panel.sources import board_sources
from kpca_viewer.features.import_sheet.view.import_sheet import ImportSheet
from kpca_viewer.features.large_tables.sheet import (
    ClusterAddress,
    ComputeSheet,
    ConnectionState,
)
from kpca_viewer.widgets.theme import Theme
from kpca_viewer.window.preview.plots import board
from kpca_viewer.window.preview.samples import CIRCLES, planets


def import_sheet(_theme: Theme) -> ImportSheet:
    """Show what the columns of a file mean, asked before it is opened."""
    return ImportSheet(planets())


def export_panel(theme: Theme) -> ExportPanel:
    """Show pictures, numbers, code and a report of what is shown, to save or copy."""
    source = board(theme)
    content = ExportContent(source.scene, None, Document(settings=CIRCLES))
    panel = ExportPanel(board_sources(source), content)
    # The panel draws from it; it is never shown itself.
    source.setParent(panel)
    source.hide()
    return panel


def compute_sheet(_theme: Theme) -> ComputeSheet:
    """Show the cluster that computes large data and sweeps."""
    sheet = ComputeSheet()
    sheet.set_address(ClusterAddress("tcp://head:8786"))
    text = "Connected: 4 workers, 16 threads, 3.1 GB of 64 GB in use."
    sheet.show_state(ConnectionState("on", text, "http://head:8787/status"))
    return sheet
