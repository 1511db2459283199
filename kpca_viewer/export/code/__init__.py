"""The picture as Python: script and notebook that give the same numbers."""
