"""Small tables that are treated as large ones are."""

import numpy as np

from kpca_viewer.core.solvers import choice
from kpca_viewer.engine import forecast


def let_few_be_many(monkeypatch) -> None:
    """Let two thousand rows count as many, and 120 landmarks as patience."""
    for module, name in (
        (choice, "MANY_ROWS"),
        (choice, "ONE_PASS_FROM"),
        (forecast, "MANY_ROWS"),
        (forecast, "LARGE_FROM"),
        (forecast, "FROM_ROWS"),
    ):
        monkeypatch.setattr(module, name, 2000)
    monkeypatch.setattr(forecast, "PATIENT_RANK", 120)


def flat_rows() -> np.ndarray:
    """Return rows of eight columns, whose spectrum is flat for the suggested γ."""
    return np.random.default_rng(0).normal(size=(2400, 8)) * np.linspace(3, 1, 8)
