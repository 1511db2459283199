"""Lessons: files, values, checks, hand-ins and marks."""
