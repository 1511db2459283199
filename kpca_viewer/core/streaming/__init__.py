"""Kernel PCA of rows that nobody holds all at once: a pass or two over their blocks."""
