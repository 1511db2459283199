"""Lessons: prepared states with texts, and questions that the program checks."""
