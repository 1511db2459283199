"""Pictures of an exact size, composed, in pixels or vectors, with their session."""
