"""The type of arrays in signatures; docstrings tell their shapes."""

from typing import Any

from numpy.typing import NDArray

Array = NDArray[Any]
