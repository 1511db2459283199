"""What a picture means: which columns move its components, and where to."""
