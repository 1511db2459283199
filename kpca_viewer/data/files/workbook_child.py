"""A program of its own that reads one sheet of a workbook.

Formats of binary records (.xls, .xlsb) and of repeated cells (.ods) can ask calamine
for any amount of memory, which ends the process, or lead it in circles. So it runs
here, within limits, where it can be ended; nothing of the package is imported.
"""

import marshal
import sys
from typing import Any


def main(memory: str, seconds: str, path: str, wanted: str, target: str) -> None:
    """Write names of sheets, name, first column and cells of one of them."""
    limit(int(memory), int(seconds))
    from python_calamine import CalamineWorkbook, SheetTypeEnum

    book = CalamineWorkbook.from_path(path)
    names = [s.name for s in book.sheets_metadata if s.typ == SheetTypeEnum.WorkSheet]
    name = wanted if wanted in names else "".join(names[:1])
    found: tuple[Any, ...] = names, name, (0, 0), []
    if names:
        sheet = book.get_sheet_by_name(name)
        rows = [[*map(_plain, row)] for row in sheet.iter_rows()]
        found = names, name, sheet.start or (0, 0), rows
    with open(target, "wb") as file:
        marshal.dump(found, file)


def limit(memory: int, seconds: int) -> None:
    try:
        import resource
    except ImportError:  # Windows has no such limits
        return
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _plain(value: Any) -> str | int | float:
    if isinstance(value, str | int | float):
        return value
    return value.isoformat() if hasattr(value, "isoformat") else str(value)


if __name__ == "__main__":
    main(*sys.argv[1:])
