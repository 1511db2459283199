"""The raw data, with isolines of a component and new points."""
