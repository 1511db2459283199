"""Widgets. They show values and emit wishes; they compute nothing."""
