"""Extras of a result that several features show."""

from kpca_viewer.core.methods.bootstrap import Bootstrap
from kpca_viewer.engine.stage import Extra

MOVES: Extra[Bootstrap] = Extra("moves")
"""How far rows and eigenvalues would move with other rows: ellipses and whiskers."""
