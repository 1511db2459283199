"""A table in many files, or in one that is larger than memory: read piece by piece."""
