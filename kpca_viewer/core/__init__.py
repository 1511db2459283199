"""The mathematics of kernel PCA: numpy, scipy and scikit-learn; no Qt, no files."""

from kpca_viewer.core import old_paths as old_paths
