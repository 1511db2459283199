"""What is done with selected rows."""
