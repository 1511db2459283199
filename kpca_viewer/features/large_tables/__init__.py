"""Tables larger than memory: scores of every part, the fit of all rows, clusters."""
