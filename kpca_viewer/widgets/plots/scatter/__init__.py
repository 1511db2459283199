"""Scatter plots in two and three dimensions, their legends and isolines."""
