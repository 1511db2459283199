"""The main window, its messages, help and preferences."""
