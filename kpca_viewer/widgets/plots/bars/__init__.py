"""A sorted list of bars: names, bars and numbers, as many as there are."""
