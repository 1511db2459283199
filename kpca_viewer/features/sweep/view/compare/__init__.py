"""Two pinned pictures beside each other."""
