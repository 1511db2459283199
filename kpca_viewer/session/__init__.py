"""What the person has chosen and what follows from it. Plain Python, no Qt."""
