"""Matrices of kernels: products, centring, small eigenproblems, each written once."""
