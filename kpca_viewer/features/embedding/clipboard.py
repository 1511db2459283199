"""The embedding on the clipboard."""

from PySide6.QtCore import QPointF, QRectF, QSizeF, Qt
from PySide6.QtGui import QColor, QGuiApplication, QPainter, QPixmap

from kpca_viewer.export.compose import Composition
from kpca_viewer.features.embedding.text import EMBEDDING_COPIED, NOTHING_TO_COPY
from kpca_viewer.widgets.theme import theme_of
from kpca_viewer.widgets.workbench import Workbench


def copy_picture(workbench: Workbench, _on: bool = False) -> None:
    """Copy the embedding as it is on the screen."""
    panel = workbench.window.board.embedding
    if not panel.view.point_count or panel.view.size().isEmpty():
        workbench.messages.show(NOTHING_TO_COPY)
        return
    # Not a grab of the screen: hover and focus belong to this moment only.
    view, theme = panel.view, theme_of(panel.palette())
    sharpness = view.devicePixelRatio()
    picture = QPixmap(view.size() * sharpness)
    picture.fill(Qt.GlobalColor.transparent)
    painter = QPainter(picture)
    whole = Composition(
        view.render_to,
        warning=panel.strip(),
        ink=QColor(theme.text),
        paper=QColor(theme.card),
    )
    painter.scale(sharpness, sharpness)
    for _ in whole.paint(painter, QRectF(QPointF(0, 0), QSizeF(view.size()))):
        pass
    painter.end()
    QGuiApplication.clipboard().setPixmap(picture)
    workbench.messages.show(EMBEDDING_COPIED)
