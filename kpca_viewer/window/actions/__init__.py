"""What can be done: the table of actions, and which are possible now."""
