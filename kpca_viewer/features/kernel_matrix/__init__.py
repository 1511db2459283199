"""The kernel matrix as a picture."""
