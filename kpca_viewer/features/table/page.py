"""The page of the table."""

from operator import attrgetter

from PySide6.QtGui import QPixmap
from PySide6.QtWidgets import QWidget

from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.row_pictures import RowPictures, row_pictures
from kpca_viewer.engine.rows.new_rows import with_points
from kpca_viewer.features.table.cells import THUMBNAIL
from kpca_viewer.features.table.table_view import TableView
from kpca_viewer.widgets.page_view import PageView
from kpca_viewer.widgets.plots.linking import Linking
from kpca_viewer.widgets.plots.pixels import thumbnail
from kpca_viewer.widgets.scene import Changes


class TablePage(PageView):
    """All rows with their values, and the points that were dropped into the data."""

    part = attrgetter("result", "colors", "settings.view", "notes.new_points")

    def __init__(self, linking: Linking, changes: Changes) -> None:
        self.view: TableView = TableView()
        self._linking = linking
        self.menu_widgets: tuple[QWidget, ...] = (self.view.table,)
        self.view.name_requested.connect(changes.name_requested)
        self.view.value_requested.connect(changes.value_requested)
        self.view.edit_refused.connect(changes.edit_refused)
        self.view.hovered.connect(linking.set_hovered)
        self.view.rows_chosen.connect(linking.apply_selection)
        linking.names_changed.connect(self.view.set_names)
        linking.hovered_changed.connect(self.view.set_hovered)
        linking.selection_changed.connect(self.view.set_selected)
        linking.hidden_changed.connect(self.view.set_hidden)

    def draw(self, result: AnalysisResult) -> None:
        self.view.set_thumbnails(self._thumbnail if self._pictures else None)
        self.view.show_result(with_points(result, self.scene.notes.new_points))
        self.view.set_selected(self._linking.selection)
        self.view.set_hidden(self._linking.hidden)

    @property
    def _pictures(self) -> RowPictures | None:
        dataset = self.scene.dataset
        view = self.scene.settings.view
        return None if dataset is None else row_pictures(dataset, view)

    def _thumbnail(self, row: int) -> QPixmap:
        rows, pictures = self.scene.all_rows, self._pictures
        if rows is None or pictures is None or row >= rows.n:
            return QPixmap()
        ratio = self.view.devicePixelRatioF()
        return thumbnail(pictures.shades(rows.points[row]), THUMBNAIL, ratio)

    def draw_nothing(self) -> None:
        self.view.show_nothing()
