"""The only meeting point of Qt and work. QtCore only."""
