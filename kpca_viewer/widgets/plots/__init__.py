"""The linked plots and the items they are drawn with."""
