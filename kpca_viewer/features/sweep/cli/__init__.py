"""``kpca-viewer sweep``: many values of a parameter, on several processes."""
