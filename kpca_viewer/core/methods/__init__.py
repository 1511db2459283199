"""What is done with a decomposition, or instead of one: one method a file."""
