"""The eigenvalues as bars."""
