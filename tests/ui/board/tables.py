"""A table on the screen, and what is read from it."""

from PySide6.QtCore import Qt

from kpca_viewer.features.table.table_view import TableView


def shown_table(qtbot, result=None, *, width=800) -> TableView:
    view = TableView()
    qtbot.addWidget(view)
    view.resize(width, 300)
    if result is not None:
        view.show_result(result)
    with qtbot.waitExposed(view):
        view.show()
    return view


def title(view, column) -> str:
    return view.model.headerData(column, Qt.Orientation.Horizontal)


def text(view, line, column) -> str:
    return view.model.index(line, column).data()
