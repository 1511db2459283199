"""Save a model, load it, and use it from the command line."""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import kpca_viewer


def embed(*words):
    """Do what ``kpca-viewer embed …`` does in a terminal."""
    subprocess.run([sys.executable, "-m", "kpca_viewer", "embed", *words], check=True)


with TemporaryDirectory() as name:
    folder = Path(name)
    model, scores = str(folder / "model.npz"), str(folder / "scores.npy")
    embed("wine", "--components", "3", "--model", model, "--out", scores, "--quiet")

    # The model is plain arrays, no pickle, and knows how raw rows are prepared: the
    # command line projects other files onto it.
    again = str(folder / "again.npy")
    embed("wine", "--onto", model, "--out", again, "--quiet")
    print(f"the same to {np.abs(np.load(again) - np.load(scores)).max():.0e}")

    # Python loads it as well: a pipeline whose first step prepares raw rows.
    loaded = kpca_viewer.load(model)
    rows, fitted = loaded[0].rows, loaded[-1]
    print(f"{fitted.kernel} with γ = {fitted.gamma_:.3g}, {rows.scaling} before")
    raw = kpca_viewer.generate("wine").points[:2]
    print(loaded.transform(raw).round(3))
