"""The same script as a Jupyter notebook."""

import json
from typing import Any

from kpca_viewer import __version__
from kpca_viewer.export.code.script import Library, snippets
from kpca_viewer.export.wording import caption, one_line
from kpca_viewer.session.document.model import FileReference
from kpca_viewer.session.result import AnalysisResult
from kpca_viewer.session.settings import ViewSettings


def as_notebook(
    result: AnalysisResult,
    library: Library = "kpca_viewer",
    *,
    file: FileReference | None = None,
    view: ViewSettings | None = None,
) -> str:
    """Return a notebook (format 4.5) that computes the embedding again and draws it.

    Parameters
    ----------
    result, library, file, view
        As for `as_python`.
    """
    name = one_line(result.dataset.name).replace("<", "‹").replace(">", "›")
    head = (
        f"# Kernel PCA of {name}\n\n{caption(result)}\n\n"
        f"Made with kpca_viewer {__version__}."
    )
    cells = [_cell(0, "markdown", head)]
    for title, snippet in snippets(result, library, file=file, view=view):
        lines = [f"# {title}", *snippet.imports]
        if snippet.imports:
            lines.append("")
        cells.append(_cell(len(cells), "code", "\n".join([*lines, snippet.body])))
    notebook = {
        "cells": cells,
        "metadata": {
            "kernelspec": {
                "display_name": "Python 3",
                "language": "python",
                "name": "python3",
            },
            "language_info": {"name": "python"},
        },
        "nbformat": 4,
        "nbformat_minor": 5,
    }
    return json.dumps(notebook, indent=1, ensure_ascii=False) + "\n"


def _cell(number: int, kind: str, source: str) -> dict[str, Any]:
    cell: dict[str, Any] = {
        "cell_type": kind,
        "id": f"cell-{number}",
        "metadata": {},
        "source": source.splitlines(keepends=True),
    }
    if kind == "code":
        cell |= {"execution_count": None, "outputs": []}
    return cell
