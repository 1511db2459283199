"""The cards on the left: what the person can choose."""
