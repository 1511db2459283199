"""Sweeps over one or two parameters: film strip, gallery, comparison of pins, files."""
