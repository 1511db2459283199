"""PageArea: scrolls a page whose height depends on its width."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QScrollArea, QWidget


class PageArea(QScrollArea):
    """Gives its page a size that follows from its own size alone.

    A page that asked for room by the width it has would be told another width by the
    scroll bar that its height brings, and ask for other room: at some sizes, where the
    narrower page needs no bar, without end. Here the bars may come and go, the page
    stays as it was laid out.

    Parameters
    ----------
    page : QWidget
        Its minimum size hint says the narrowest it may be, whatever its width is.
    """

    def __init__(self, page: QWidget) -> None:
        super().__init__()
        self._page = page
        self.setWidget(page)

    def lay_out(self) -> None:
        """Size the page anew, after its content has changed."""
        page, room = self._page, self.maximumViewportSize()
        least = page.minimumSizeHint().width()
        width = max(room.width(), least)
        if page.heightForWidth(width) > room.height():
            # The scroll bar takes its place from the pictures.
            bar = self.verticalScrollBar().sizeHint().width()
            width = max(room.width() - bar, least)
        page.resize(width, max(page.heightForWidth(width), room.height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Let the page fill the new width."""
        self.lay_out()
        super().resizeEvent(event)
