"""Sessions of the window: saved, kept in a hidden copy, restored."""
