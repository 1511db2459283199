"""Drawing points by hand: pencil, brush and eraser in the data panel."""
