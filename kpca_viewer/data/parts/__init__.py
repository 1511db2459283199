"""A table in many files, or in one that is larger than memory: read piece by piece."""

from kpca_viewer.data.parts.blocks import PartBlock, PartRows, Preparation
from kpca_viewer.data.parts.layout import (
    Layout,
    decided,
    first_layout,
    learnt,
    sampled_labels,
    surveyed,
    without_variety,
)
from kpca_viewer.data.parts.pieces import (
    Piece,
    are_parts,
    find_parts,
    is_beyond_memory,
    pieces_of,
)
from kpca_viewer.data.parts.sampling import pieces_below, sampled_parts

__all__ = [
    "Layout",
    "PartBlock",
    "PartRows",
    "Piece",
    "Preparation",
    "are_parts",
    "decided",
    "find_parts",
    "first_layout",
    "is_beyond_memory",
    "learnt",
    "pieces_below",
    "pieces_of",
    "sampled_labels",
    "sampled_parts",
    "surveyed",
    "without_variety",
]
