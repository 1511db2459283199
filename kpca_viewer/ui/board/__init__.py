"""The four panels with the linked plots."""
