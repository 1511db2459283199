"""Rows that a person means: selected, named, left out, new."""
