"""All pictures of a sweep in a window of their own."""
