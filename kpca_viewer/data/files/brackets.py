"""Points as people and programs write them in a line: (1, 2), (3, 4), (5, 6)."""

import re

_INNERMOST = re.compile(r"[(\[{]([^()\[\]{}]*+)[)\]}]")
_BETWEEN = re.compile(r"(?:array|dtype=\w++|[\s,;()\[\]{}])*+")


def bracketed_rows(text: str) -> str:
    r"""Return the contents of the innermost brackets, one a line.

    Empty where the text is anything else than such brackets.

    Examples
    --------
    >>> bracketed_rows("[(1, 2), (3, 4)]")
    '1, 2\n3, 4\n'
    """
    if not text.lstrip().startswith(("(", "[", "{", "array")):
        return ""
    rows: list[str] = []
    position = 0
    for found in _INNERMOST.finditer(text):
        between = _BETWEEN.match(text, position, found.start())
        if between is None or between.end() != found.start():
            return ""
        position = found.end()
        row = " ".join(found[1].split())
        if ":" in row:
            return ""  # names and values, not points
        # A bracket around nothing, or behind the last row, is no row.
        if row.strip(",; "):
            rows.append(row.rstrip(",; "))
    rest = _BETWEEN.match(text, position)
    if len(rows) < 2 or rest is None or rest.end() != len(text):
        return ""
    return "".join(f"{row}\n" for row in rows)
