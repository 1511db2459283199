"""A kernel and a reader for kpca_viewer, by entry points; see pyproject.toml."""

import json
from dataclasses import replace

import numpy as np

from kpca_viewer.core.kernels.families.rbf import RBF


def cauchy(B, values):
    """``1 / (1 + γB)`` of squared distances B."""
    return 1 / (1 + values["gamma"] * B)


CAUCHY = replace(
    RBF,
    name="cauchy",
    title="Cauchy",
    short="",
    formula=r"k(x,y)=\frac{{1}}{{1+{gamma}\|x-y\|^2}}",
    plain="k(x, y) = 1 / (1 + {gamma}‖x − y‖²)",
    apply=cauchy,
    slope=lambda B, values: -values["gamma"] * np.square(cauchy(B, values)),
    inverse=lambda K, values: (1 / K - 1) / values["gamma"],
    operations=None,
    conventions=None,
    sklearn=None,
    gaussian=False,
    computation=replace(
        RBF.computation,
        written=lambda x, y, values, entry: [f"1 / (1 + γ‖x − y‖²) = {entry:.4g}"],
        code=lambda values: [
            "squares = np.square(A[:, None] - B).sum(axis=2)",
            f"return 1 / (1 + {values['gamma']} * squares)",
        ],
    ),
)


def read_stations(path):
    """Return the columns of a file by name; a data frame will do as well."""
    stations = json.loads(path.read_text(encoding="utf-8"))["stations"]
    return {name: [s[name] for s in stations] for name in stations[0]}
