"""The rows of a result as a table."""
