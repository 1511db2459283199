"""The page Odd rows: leverage against distance to the model, and a sorted list."""
