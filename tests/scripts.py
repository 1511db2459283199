"""Generated scripts, run in this interpreter."""

from typing import Any


def executed(code: str) -> dict[str, Any]:
    """Run a script as ``python script.py`` would, but without its picture."""
    names = {"__name__": "script"}
    exec(compile(code, "script.py", "exec"), names)
    return names
