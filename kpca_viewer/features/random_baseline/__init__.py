"""Is it real? The same kernel on random data, and how far rows would move."""
