"""Every step of kernel PCA on the numbers that the window shows."""
