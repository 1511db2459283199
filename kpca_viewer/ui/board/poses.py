"""How the plots are looked at: cameras, ranges, hidden classes; for session files."""

import math
from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import msgspec

from kpca_viewer.ui.board.board import Board
from kpca_viewer.ui.board.compare_panel import PAGES
from kpca_viewer.ui.plots.cloud.camera import Camera
from kpca_viewer.ui.plots.frame import Range
from kpca_viewer.ui.plots.scatter.scatter_view import ScatterView

Json = Any


class _Pose(msgspec.Struct):
    """How one scatter is seen."""

    camera: Camera = msgspec.field(default_factory=Camera)
    range: tuple[Range, Range] | None = None


def poses(board: Board) -> dict[str, Json]:
    """Return how the plots of a board are looked at, as JSON knows it."""
    found: dict[str, Json] = {
        "page": board.compare.pages.value(),
        "hidden": sorted(board.hidden),
    }
    for name, view in _views(board).items():
        pose: dict[str, Json] = {}
        if view.camera != Camera():
            pose["camera"] = asdict(view.camera)
        if view.zoomed:
            pose["range"] = [list(ends) for ends in view.view_range()]
        if pose:
            found[name] = pose
    return found


def take_poses(board: Board, views: Mapping[str, Json]) -> None:
    """Look at the plots of a board as `poses` has found them; the rest is usual.

    What makes no sense is passed over: it is no reason to refuse a session.
    """
    page = views.get("page")
    if page in [key for key, *_ in PAGES]:
        board.compare.show_page(page)
    hidden = views.get("hidden")
    if isinstance(hidden, list):
        board.set_hidden({code for code in hidden if isinstance(code, int)})
    for name, view in _views(board).items():
        pose = _pose(views.get(name))
        if view.zoomed:
            view.reset_view()
        view.set_camera(pose.camera)
        if pose.range is not None and view.is_flat:
            view.set_view_range(*pose.range)


def _views(board: Board) -> dict[str, ScatterView]:
    return {
        "data": board.data.view,
        "embedding": board.embedding.view,
        "pca": board.compare.pca,
    }


def _pose(value: Json) -> _Pose:
    try:
        pose = msgspec.convert(value, _Pose)
    except msgspec.ValidationError:
        return _Pose()
    camera = pose.camera
    numbers = (camera.azimuth, camera.elevation, camera.distance, camera.zoom)
    seen = all(math.isfinite(v) for v in (*numbers, *camera.pan))
    if not (seen and camera.distance > 0 and 0.01 < camera.zoom < 1000):
        pose.camera = Camera()
    if pose.range is not None and not all(
        math.isfinite(low) and math.isfinite(high) and low < high
        for low, high in pose.range
    ):
        pose.range = None
    return pose
