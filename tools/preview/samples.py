"""Sample data, results and sweeps, each computed once."""

from functools import cache

from kpca_viewer.core.methods.kernel_ranking import Choice
from kpca_viewer.data.files import read_table
from kpca_viewer.data.importing import propose
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.choice_note import with_row
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.point_maker import make_pictures
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepAxis, SweepSettings
from kpca_viewer.features.import_sheet.content import SheetContent
from kpca_viewer.features.kernel_search.choose import choose
from kpca_viewer.features.outliers.compute import PAGE as ODD_ROWS
from kpca_viewer.features.random_baseline.compute import PAGE as IS_IT_REAL
from kpca_viewer.features.rebuild.compute import PAGE
from kpca_viewer.features.registry import stages
from kpca_viewer.resources import asset
from kpca_viewer.support.progress import never
from kpca_viewer.widgets.scene import Scene
from kpca_viewer.widgets.thumbnails import Shades

CIRCLES = SessionSettings(
    data=DataSettings("circles", (("samples", 80.0),)),
    kernel=KernelSettings("rbf", (("gamma", 1.0),)),
)
WINE = SessionSettings(data=DataSettings.of_source("wine"))
THREE_POINTS = SessionSettings(
    data=DataSettings("three_points"),
    kernel=KernelSettings("poly", (("coef0", 0.0), ("degree", 2.0), ("gamma", 1.0))),
)
SWEEP = SweepSettings(low=0.1, high=10, steps=9, measure="silhouette")
GRID = SweepSettings("gamma", 0.1, 10, 4, second=SweepAxis("degree", 1, 3, 3, "linear"))


@cache
def result(settings: SessionSettings = CIRCLES) -> AnalysisResult:
    return run(AnalysisRequest(settings), StageCache())


@cache
def rebuilt(settings: SessionSettings = CIRCLES) -> AnalysisResult:
    """Return the analysis with all parts of the kernel matrix."""
    return run(AnalysisRequest(settings, page=PAGE, stages=stages()), StageCache())


@cache
def with_odd_rows(settings: SessionSettings = WINE) -> Scene:
    """Return a session whose result says which rows are odd."""
    found = run(AnalysisRequest(settings, page=ODD_ROWS, stages=stages()), StageCache())
    return Scene().changed(settings=settings, result=found)


@cache
def with_random_data(settings: SessionSettings = CIRCLES) -> Scene:
    """Return a session whose picture is compared with random data."""
    found = run(
        AnalysisRequest(settings, page=IS_IT_REAL, stages=stages()), StageCache()
    )
    return Scene().changed(settings=settings, result=found)


def scene(settings: SessionSettings = CIRCLES) -> Scene:
    """Return a session with its result, as cards and panels show it."""
    return Scene().changed(settings=settings, result=result(settings))


def shades(settings: SessionSettings = CIRCLES) -> Shades:
    """Return the colours of the rows, as the pictures of sweeps take them."""
    colors = scene(settings).colors
    assert colors is not None
    return Shades.of(colors)


@cache
def swept() -> SweepResult:
    return run_sweep(AnalysisRequest(CIRCLES), SWEEP, StageCache())


@cache
def grid() -> SweepResult:
    """Return twelve pairs of γ and the degree of a polynomial over the circles."""
    settings = SessionSettings(data=CIRCLES.data, kernel=KernelSettings("poly"))
    return run_sweep(AnalysisRequest(settings), GRID, StageCache())


@cache
def chosen() -> Choice:
    data = result(CIRCLES).dataset
    return choose(data, kernels=["rbf", "cosine"], components=4, repeats=1)


@cache
def chosen_pictures() -> tuple[SweepPoint, ...]:
    """Return the pictures of these kernels."""
    wanted = [with_row(CIRCLES, row) for row in chosen().rows]
    made: list[SweepPoint] = []
    request = AnalysisRequest(CIRCLES)
    make_pictures(request, wanted, StageCache(), never, made.append)
    return tuple(made)


@cache
def planets() -> SheetContent:
    """Return a table of a few planets, as the import sheet asks about it."""
    table = read_table(asset("data", "planets.csv"))
    proposals = propose(table)
    return SheetContent(table, proposals.settings, proposals=proposals)
