"""What the window says of a result: rows, components, scores, sentences."""
