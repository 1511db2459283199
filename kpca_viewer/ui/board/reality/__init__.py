"""The page that compares the picture with random data."""
