"""The eigenvalues and what they explain."""

from kpca_viewer.engine.feature import Feature, Plot

FEATURE = Feature("spectrum", plots=(Plot("spectrum", "Spectrum", "spectrum"),))
