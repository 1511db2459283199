"""How the plots of a board are looked at, taken from it and given to it."""

from kpca_viewer.engine.feature import WORKSPACES
from kpca_viewer.engine.views import Camera, Pose, Views
from kpca_viewer.features.registry import pages
from kpca_viewer.widgets.plots.scatter_view import ScatterView
from kpca_viewer.window.board import Board


def views_of(board: Board) -> Views:
    """Return how the plots of a board are looked at."""
    return Views(
        workspace=board.workspace,
        page=board.compare.pages.value(),
        pages=board.compare.pages_behind(),
        hidden=tuple(sorted(board.hidden)),
        data=_pose_of(board.data.view),
        embedding=_pose_of(board.embedding.view),
        pca=_pose_of(board.compare.pca),
        folded=tuple(
            part for page in board.compare.views.values() for part in page.folded()
        ),
        filled=None if board.on_stage == "embedding" else board.on_stage,
    )


def show_views(board: Board, views: Views) -> None:
    """Look at the plots of a board in a certain way; a page it has not is left out."""
    if views.workspace in WORKSPACES:
        board.show_workspace(views.workspace)
    board.compare.set_pages_behind(views.pages or ())
    if views.page is not None and views.page in pages():
        board.compare.show_page(views.page)
    if views.filled is not None:
        # Until there were workspaces, the panel of pages was called so.
        key = "pages" if views.filled == "compare" else views.filled
        if key in board.panel_keys:
            board.bring_to_stage(key)
    board.set_hidden(views.hidden)
    for page in board.compare.views.values():
        page.set_folded(views.folded)
    _show_pose(board.data.view, views.data)
    _show_pose(board.embedding.view, views.embedding)
    _show_pose(board.compare.pca, views.pca)


def _pose_of(view: ScatterView) -> Pose:
    return Pose(
        view.camera if view.camera != Camera() else None,
        view.view_range() if view.zoomed else None,
    )


def _show_pose(view: ScatterView, pose: Pose) -> None:
    if view.zoomed:
        view.reset_view()
    view.set_camera(pose.camera or Camera())
    if pose.range is not None and view.is_flat:
        view.set_view_range(*pose.range)
