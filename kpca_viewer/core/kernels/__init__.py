"""Kernels: families, their parameters and formulas, Gram matrices."""
