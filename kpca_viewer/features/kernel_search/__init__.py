"""Which kernel to take for some data, and what is said of it."""
