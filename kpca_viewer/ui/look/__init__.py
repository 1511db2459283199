"""Colours, type sizes and icons."""
