"""The mathematics of kernel PCA: numpy, scipy and scikit-learn; no Qt, no files."""
