"""The window that compares kernels, and takes one of them with its evidence."""
