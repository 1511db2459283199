"""Small data of which every number is known."""

from itertools import cycle

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    as_values,
)
from kpca_viewer.features.derivation.compute import derive
from tests.core.reference import ALL_KERNELS
from tests.memory import memory

RBF = next(kernel for kernel in ALL_KERNELS if kernel.family.name == "rbf")
THREE = ((1, 0), (0, 1), (-1, 0))
GUIDE = ((1, 2), (3, 4), (5, 6))
SQUARE = {"gamma": 1, "degree": 2, "coef0": 0}


def kernels_with(options):
    """Return every kernel with one of the options in turn, and the RBF with all."""
    options = list(options)
    each = zip(ALL_KERNELS, cycle(options), strict=False)
    return [*each, *((RBF, option) for option in options)]


def rings(inner, outer):
    """Return two rings of four points."""
    angles = np.arange(4) * np.pi / 2
    circle = np.column_stack((np.cos(angles), np.sin(angles)))
    return np.vstack((inner * circle, outer * circle))


@memory.remembering
def result_of(
    points, family="rbf", *, kind="points", scaling="none", analysis=(), **values
):
    """Analyse points, or a given matrix."""
    settings = SessionSettings(
        data=DataSettings(scaling=scaling),
        kernel=KernelSettings(family, as_values(values)),
        analysis=AnalysisSettings(**dict(analysis)),
    )
    return analyse(Dataset(np.array(points, dtype=float), kind=kind), settings)


def derived(points, family="rbf", *, selected=(), new_points=(), **options):
    """Derive the result of points."""
    return derive(result_of(points, family, **options), selected, new_points)


@pytest.fixture(scope="session")
def many():
    """Return 700 points that no matrix is formed of."""
    return np.random.default_rng(5).normal(size=(700, 2))
