"""Rows that a person selects, names, leaves out or adds."""
