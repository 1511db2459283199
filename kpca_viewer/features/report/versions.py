"""The programs that the numbers of a report come from."""

import platform
from importlib.metadata import version

import numpy as np
import scipy

from kpca_viewer import __version__


def versions() -> tuple[tuple[str, str], ...]:
    """Return pairs (program, version), ours first."""
    return (
        ("kpca_viewer", __version__),
        ("Python", platform.python_version()),
        ("NumPy", np.__version__),
        ("SciPy", scipy.__version__),
        # By its distribution: the library itself takes long to load.
        ("scikit-learn", version("scikit-learn")),
    )
