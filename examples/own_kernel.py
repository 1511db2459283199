"""A kernel matrix of one's own, and a table of distances."""

import csv
from collections import Counter
from itertools import pairwise
from pathlib import Path

import numpy as np

from kpca_viewer import KernelPCA

# Words are alike where they share pairs of letters: a dot product of counts.
words = ["kernel", "kennel", "colonel", "matrix", "matrices", "mattress", "eigenvalue"]
pairs = [Counter(pairwise(word)) for word in words]
K = np.array([[sum(a[p] * b[p] for p in a) for b in pairs] for a in pairs], float)
lengths = np.sqrt(np.diagonal(K))
model = KernelPCA(2, kernel="precomputed")
for word, score in zip(
    words, model.fit_transform(K / np.outer(lengths, lengths)), strict=True
):
    print(f"{word:12} {score[0]:6.2f} {score[1]:6.2f}")
print(f"negative mass {model.negative_mass_:.1%}")

# Distances are centred by classical scaling; those on a sphere fit into no plane.
table = Path(__file__).parents[1] / "assets" / "data" / "cities_distances.csv"
with table.open(encoding="utf-8", newline="") as file:
    rows = list(csv.reader(file))
names, D = [row[0] for row in rows[1:]], np.array([row[1:] for row in rows[1:]], float)
model = KernelPCA(2, kernel="precomputed_distances")
for name, place in zip(names, model.fit_transform(D), strict=True):
    print(f"{name:12} {place[0]:7.0f} {place[1]:7.0f}")
print(f"a plane holds {model.explained_variance_ratio_.sum():.1%}")
