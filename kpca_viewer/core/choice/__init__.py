"""Which kernel, value and number of components can be defended, and by what."""
