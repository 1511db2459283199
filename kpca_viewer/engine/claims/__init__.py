"""Claims about data: one function a claim, numbers in, `Claim` or None out.

Window, report, command line and Python say the texts of these claims and no others. How
often each is made where it is false, and where it is true, is measured by
`tools/claims.py` and printed in docs/choosing.md.
"""

from dataclasses import dataclass


@dataclass(frozen=True)
class Claim:
    """A sentence that numbers support."""

    key: str
    """Names the kind of claim, for tests and the table of rates."""
    text: str
    """The whole sentence, as it is shown."""
    component: int | None = None
    """Of which component it is, from 0, where it is of one."""


__all__ = ["Claim"]
