"""Points drawn by hand: pencil, brush and eraser."""
