"""Small tables of HTML, for results in notebooks."""

from collections.abc import Iterable, Sequence
from html import escape


def html_table(titles: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Return a table; texts are never markup, numbers have four digits."""
    head = "".join(f"<th>{escape(title)}</th>" for title in titles)
    lines = "".join(
        f"<tr>{''.join(f'<td>{escape(_text(cell))}</td>' for cell in row)}</tr>"
        for row in rows
    )
    return f"<table><thead><tr>{head}</tr></thead><tbody>{lines}</tbody></table>"


def _text(cell: object) -> str:
    if cell is None:
        return "—"
    return f"{cell:.4g}" if isinstance(cell, float) else str(cell)
