"""Kernel PCA of rows that nobody holds all at once: a pass or two over their blocks."""

from kpca_viewer.core.streaming.blocks import (
    ArrayBlock,
    Block,
    Blocks,
    Each,
    array_blocks,
    each_block,
)
from kpca_viewer.core.streaming.density import Density, Plane, density
from kpca_viewer.core.streaming.fitting import Streamed, decompose
from kpca_viewer.core.streaming.looking import Look, look

__all__ = [
    "ArrayBlock",
    "Block",
    "Blocks",
    "Density",
    "Each",
    "Look",
    "Plane",
    "Streamed",
    "array_blocks",
    "decompose",
    "density",
    "each_block",
    "look",
]
