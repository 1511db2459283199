"""Every widget that stands alone, shown by itself with sample data.

``python -m tools.preview`` lists them.
"""
