"""From scores back to points: three ways to approximate a pre-image."""
