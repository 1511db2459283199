"""The same data for many values of γ, by the numbers that the window shows."""

from dataclasses import replace

import numpy as np

from kpca_viewer import analyse, generate
from kpca_viewer.engine.settings import KernelSettings, SessionSettings

data = generate("moons", seed=0, samples=300, noise=0.1)
settings = SessionSettings()

print("    γ  first two  effective rank  line accuracy  trustworthiness")
for gamma in np.geomspace(0.1, 100, 7):
    kernel = KernelSettings("rbf", (("gamma", float(gamma)),))
    result = analyse(data, replace(settings, kernel=kernel))
    quality = result.comparison.kernel
    print(
        f"{gamma:5.1f}  {result.shares[:2].sum():9.1%}  {result.effective_rank:14.1f}"
        f"  {quality.linear_accuracy:13.1%}  {quality.trustworthiness:15.3f}"
    )

suggestion = analyse(data, settings).suggestion
suggested = suggestion.values["gamma"]
print(f"suggested: γ = {suggested:.2f}, by {suggestion.grounds}")
