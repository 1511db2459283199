"""Sweeps: a range of a parameter, its analyses, what is measured of them."""
