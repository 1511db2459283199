"""Every widget that stands alone, shown by itself with sample data.

``python -m kpca_viewer.window.preview`` lists them.
"""
