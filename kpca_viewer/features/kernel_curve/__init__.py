"""The kernel over distance, angle or dot product."""
