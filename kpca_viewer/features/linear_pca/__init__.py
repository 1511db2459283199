"""Linear PCA."""
