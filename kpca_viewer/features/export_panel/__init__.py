"""The export panel: pictures, numbers and code."""
