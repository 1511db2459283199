"""Results → the world: images, tables, models and code."""
