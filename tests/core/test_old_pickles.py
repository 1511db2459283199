"""Models that an earlier version has pickled are read, and compute what they did."""

import pickle
from pathlib import Path

import numpy as np
import pytest

from kpca_viewer.core import old_paths

FILE = Path(__file__).parents[1] / "data" / "models_of_before.pickle"


@pytest.fixture(scope="module")
def before():
    pytest.importorskip("numpy._core", reason="NumPy 2 has written it")
    return pickle.loads(FILE.read_bytes())


@pytest.mark.parametrize(
    "name",
    [
        "dense",
        "lowrank",
        "poly",
        "ridge",
        "fixed_point",
        "distances",
        "linear",
        "many_rows",
    ],
)
def test_a_model_of_before_gives_the_same_numbers(before, name):
    found = before["models"][name]
    model = found["model"]
    scores = model.transform(before["new"])
    np.testing.assert_allclose(scores, found["scores"], atol=1e-12)
    if "points" in found:
        points = model.inverse_transform(found["scores"])
        np.testing.assert_allclose(points, found["points"], atol=1e-7)


def test_a_model_of_before_can_be_pickled_again_without_old_paths(before):
    again = pickle.dumps([found["model"] for found in before["models"].values()])
    assert not any(path.encode() + b"\x94" in again for path in old_paths.NOW)
    pickle.loads(again)
