"""The embedding: scores of the chosen components."""
