"""Whether a picture is more than chance, and how far its rows would move."""
