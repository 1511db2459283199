"""Values as Python writes them, laid out as people do."""

from dataclasses import dataclass
from typing import Any

WIDTH = 88


@dataclass(frozen=True)
class Snippet:
    """Lines of Python."""

    body: str
    imports: tuple[str, ...] = ()
    """What the lines need."""
    has_position: bool = False
    """Whether ``position`` (n,) is there after them."""


def quoted(value: Any) -> str:
    """Return a value as Python writes it, texts in double quotes where they can be."""
    if isinstance(value, tuple | list):
        inner = ", ".join(map(quoted, value))
        if isinstance(value, list):
            return f"[{inner}]"
        return f"({inner},)" if len(value) == 1 else f"({inner})"
    simple = isinstance(value, str) and value.isprintable()
    if simple and '"' not in value and "\\" not in value:
        return f'"{value}"'
    return repr(value)


def literal(value: Any, taken: int = 0, indent: int = 0) -> str:
    """Return a value on one line, or on as many as it needs.

    Parameters
    ----------
    taken : int
        What stands before the value on its first line.
    indent : int
        Of the line that it begins on.
    """
    if isinstance(value, dict):
        pairs = [f"{quoted(key)}: {quoted(item)}" for key, item in value.items()]
        flat = f"{{{', '.join(pairs)}}}"
    else:
        pairs, flat = [], quoted(value)
    sequence = isinstance(value, tuple | list)
    fits = indent + taken + len(flat) < WIDTH
    if fits or not (sequence or pairs):
        return flat
    space = " " * (indent + 4)
    if pairs or any(isinstance(item, tuple | list) for item in value):
        lines = [f"{space}{text}," for text in pairs or map(quoted, value)]
    else:
        lines = _filled([f"{quoted(item)}," for item in value], space)
    return "\n".join([flat[0], *lines, " " * indent + flat[-1]])


def _filled(items: list[str], space: str) -> list[str]:
    """Return lines of as many items as there is room for."""
    lines = [space + items[0]]
    for item in items[1:]:
        if len(lines[-1]) + 1 + len(item) <= WIDTH:
            lines[-1] += f" {item}"
        else:
            lines.append(space + item)
    return lines
