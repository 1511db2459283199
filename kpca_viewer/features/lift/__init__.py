"""The plane raised into feature space, as far as that can be drawn."""
