"""Real results for the tests of views."""

from dataclasses import replace
from functools import cache

import numpy as np

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.result import AnalysisResult
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from tests.memory import memory
from tools.preview.samples import result


@memory.remembering
def result_of(
    source: str = "circles",
    family: str = "rbf",
    *,
    components: int = 10,
    solver: str = "auto",
    samples: int | None = None,
    gamma: float | None = None,
) -> AnalysisResult:
    """Analyse a generated data set."""
    data = DataSettings.of_source(source)
    if samples is not None:
        data = data.with_value("samples", samples)
    kernel = KernelSettings(family)
    if gamma is not None:
        kernel = replace(kernel, values=as_values({"gamma": gamma}))
    analysis = AnalysisSettings(components=components, solver=solver)
    settings = SessionSettings(data=data, kernel=kernel, analysis=analysis)
    return result(settings)


@cache
def indefinite_distances() -> AnalysisResult:
    """Three points whose distances fit into no space: μ = 50, 0, −16."""
    matrix = np.array([[0.0, 1.0, 10.0], [1.0, 0.0, 1.0], [10.0, 1.0, 0.0]])
    return analyse(Dataset(matrix, kind="distances", name="distances"))


@cache
def equal_points() -> AnalysisResult:
    """Five points in one place: all eigenvalues are zero."""
    settings = SessionSettings(kernel=KernelSettings("linear"))
    return analyse(Dataset(np.ones((5, 2)), name="equal"), settings)


@cache
def worked_example() -> AnalysisResult:
    """The three points of the golden numbers, with their kernel matrix as given."""
    matrix = np.array([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0], [1.0, 0.0, 1.0]])
    return analyse(Dataset(matrix, kind="kernel", name="three"))
