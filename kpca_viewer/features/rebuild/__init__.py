"""The kernel matrix from its largest parts; MDS, PCA and the linear kernel compared."""
