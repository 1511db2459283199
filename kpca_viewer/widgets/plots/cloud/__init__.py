"""Points: projected, drawn in layers, labelled, found under the mouse."""
