"""Save a model, load it, and use it from the command line."""

from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np

import kpca_viewer
from kpca_viewer.cli.main import main

WINE = str(Path(__file__).parents[1] / "assets" / "data" / "wine.csv")

with TemporaryDirectory() as name:
    folder = Path(name)
    model, scores = str(folder / "model.npz"), str(folder / "scores.npy")

    # In a terminal: kpca-viewer embed assets/data/wine.csv --model model.npz --out …
    main(["embed", WINE, "--components", "3", "--model", model, "--out", scores])

    # The model is plain arrays, no pickle, and knows how raw rows are prepared: the
    # command line projects other files onto it.
    again = str(folder / "again.npy")
    main(["embed", WINE, "--onto", model, "--out", again, "--quiet"])
    print(f"the same to {np.abs(np.load(again) - np.load(scores)).max():.0e}")

    # Python loads it as well: a pipeline whose first step prepares raw rows.
    loaded = kpca_viewer.load(model)
    rows, fitted = loaded[0].rows, loaded[-1]
    print(f"{fitted.kernel} with γ = {fitted.gamma_:.3g}, {rows.scaling} before")
    raw = np.loadtxt(WINE, delimiter=",", skiprows=1, usecols=range(13), max_rows=2)
    print(loaded.transform(raw).round(3))
