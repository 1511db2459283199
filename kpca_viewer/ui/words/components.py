"""Which components a picture shows, in words."""

from collections.abc import Sequence


def components_text(axes: Sequence[int]) -> str:
    """Return components, counted from 0, as a person calls them.

    Examples
    --------
    >>> components_text((0, 1, 2)), components_text((3, 0)), components_text((4,))
    ('PC 1–3', 'PC 1, 4', 'PC 5')
    """
    numbers = sorted({axis + 1 for axis in axes})
    first, last = numbers[0], numbers[-1]
    if len(numbers) > 1 and last - first == len(numbers) - 1:
        return f"PC {first}–{last}"
    return f"PC {', '.join(map(str, numbers))}"
