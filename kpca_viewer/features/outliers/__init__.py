"""Which rows are odd to a model: their numbers, limits, and the columns behind it."""
