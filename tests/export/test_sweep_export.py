"""The table of a sweep in every format."""

import numpy as np
import pandas as pd
import pytest

from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.engine.settings import DataSettings, KernelSettings, SessionSettings
from kpca_viewer.engine.sweep.measures import MEASURES
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.run import run_sweep
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.features.sweep.files import measures_table, save_measures
from kpca_viewer.support.errors import ExportError


@pytest.fixture(scope="module")
def results():
    data = DataSettings("moons", (("samples", 50.0),))
    found = []
    for family, sweep in (
        ("rbf", SweepSettings(low=0.5, high=5, steps=2)),
        ("matern", SweepSettings("length_scale", 0.5, 5, 2)),
    ):
        settings = SessionSettings(data=data, kernel=KernelSettings(family))
        found.append(run_sweep(AnalysisRequest(settings), sweep, StageCache()))
    return found


def test_every_number_has_a_column(results):
    table = measures_table(results)
    columns = dict(table.columns)
    assert len(columns) == len(table.columns)
    assert columns["kernel"] == ("rbf", "rbf", "matern", "matern")
    assert set(MEASURES) < set(columns)
    assert columns["gamma"][:2].tolist() == [0.5, 5]
    assert np.isnan(columns["gamma"][2:]).all()
    point = results[0].points[0]
    assert columns["pc2_eigenvalue"][0] == point.eigenvalues[1]
    assert columns["pc2_low"][0] == point.bounds[1, 0]
    assert columns["pc2_share"][0] == point.shares[1]


def test_a_failed_point_is_a_row_with_gaps():
    sweep = SweepSettings(steps=1)
    point = SweepPoint(0, (0.1,), SessionSettings(), error="Too large.")
    result = SweepResult(sweep, SessionSettings(), (point,))
    columns = dict(measures_table([result]).columns)
    assert columns["error"] == ("Too large.",)
    assert np.isnan(columns["silhouette"]).all()


@pytest.mark.parametrize("ending", ["csv", "parquet"])
def test_files_come_back(results, tmp_path, ending):
    path = tmp_path / f"sweep.{ending}"
    save_measures(path, results)
    frame = pd.read_csv(path) if ending == "csv" else pd.read_parquet(path)
    expected = results[1].points[1].measures["effective_rank"]
    assert frame["effective_rank"].iloc[3] == expected
    assert len(frame) == 4


def test_other_endings_are_refused(results, tmp_path):
    with pytest.raises(ExportError, match="no format"):
        save_measures(tmp_path / "sweep.doc", results)
