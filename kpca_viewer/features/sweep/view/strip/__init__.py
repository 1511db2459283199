"""The film strip under the board."""
