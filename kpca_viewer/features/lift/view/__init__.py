"""The data plot raised into feature space, and a kernel value computed both ways."""
