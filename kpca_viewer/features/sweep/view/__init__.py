"""Sweeps on the screen: film strip, gallery, comparison of pins."""
