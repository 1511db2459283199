"""A report as one page of HTML that needs nothing beside it."""

import base64
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from html import escape

from kpca_viewer.export.document import (
    Block,
    Code,
    Facts,
    Figure,
    Figures,
    Paragraph,
    Picture,
    Pictures,
    Quotation,
    Report,
    Section,
    Table,
)

STYLE = """
:root { color-scheme: light dark; --ink: #1b1f24; --muted: #59636e; --paper: #ffffff;
  --line: #d5dae0; --soft: #f3f5f7; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ed; --muted: #a3adb8;
  --paper: #16191d; --line: #3a424b; --soft: #20252b; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Helvetica, Arial, sans-serif; }
main { max-width: 54rem; margin: 0 auto; padding: 2rem 1.25rem 4rem; }
h1 { font-size: 1.7rem; line-height: 1.25; margin: 0 0 .25rem; }
h2 { font-size: 1.2rem; margin: 2.4rem 0 .6rem; padding-top: .6rem;
  border-top: 1px solid var(--line); }
p { margin: .6rem 0; overflow-wrap: anywhere; }
.muted, figcaption, caption, footer { color: var(--muted); }
.small { font-size: .875rem; color: var(--muted); }
blockquote { margin: .6rem 0; padding: .75rem 1rem; background: var(--soft);
  border-left: 3px solid var(--line); }
.wide { overflow-x: auto; margin: 1rem 0; }
table { border-collapse: collapse; font-size: .9rem; }
caption { text-align: left; padding: 0 0 .35rem; }
th, td { padding: .3rem .75rem; text-align: left; vertical-align: top;
  border-bottom: 1px solid var(--line); }
th { font-weight: 600; }
.number { text-align: right; font-variant-numeric: tabular-nums; }
.number, .name { white-space: nowrap; }
.facts th { font-weight: 400; color: var(--muted); white-space: nowrap; }
.facts td { overflow-wrap: anywhere; }
.figures { display: flex; flex-wrap: wrap; gap: 1rem; margin: 1rem 0; }
figure { flex: 1 1 20rem; margin: 0; }
figure img { display: block; width: 100%; height: auto; background: #ffffff;
  border: 1px solid var(--line); border-radius: 4px; }
figcaption { font-size: .875rem; margin-top: .35rem; }
pre { background: var(--soft); padding: 1rem; overflow-x: auto; border-radius: 4px;
  font: .8rem/1.45 ui-monospace, "SF Mono", Menlo, Consolas, monospace; }
footer { margin-top: 3rem; font-size: .875rem; }
@media print { details { display: none; }
  :root { --ink: #000000; --muted: #444444; --paper: #ffffff;
  --line: #bbbbbb; --soft: #f4f4f4; }
  body { font-size: 10.5pt; } main { max-width: none; padding: 0; }
  h2 { break-after: avoid; } figure, table, blockquote { break-inside: avoid; }
  pre { white-space: pre-wrap; overflow-wrap: anywhere; font-size: 8pt; }
  .wide { overflow: visible; } }
"""


_MEDIA = {"svg": "image/svg+xml", "png": "image/png"}


SHORT = 24
"""Letters of a name up to which it is not broken."""

FigureRow = Callable[[Sequence[Figure]], Iterable[str]]
"""Returns lines of HTML for pictures that stand side by side."""


def as_html(
    report: Report,
    pictures: Pictures | FigureRow,
    style: str = STYLE,
    embedding: str | None = None,
) -> str:
    """Return the page. It is well-formed XML too.

    Parameters
    ----------
    pictures : mapping of str to Picture, or callable
        What the page holds itself, or how else a row of pictures is written.
    embedding : str, optional
        An element with the embedding to zoom and hover, below its picture.
    """
    row = pictures if callable(pictures) else partial(_figures, pictures, embedding)
    return "\n".join(_page(report, row, style)) + "\n"


def _page(report: Report, row: FigureRow, style: str) -> Iterator[str]:
    title = _text(report.title)
    yield "<!DOCTYPE html>"
    yield '<html lang="en">'
    yield "<head>"
    yield '<meta charset="utf-8"/>'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"/>'
    yield f'<meta name="generator" content="{_text(report.maker)}"/>'
    yield f"<title>{title}</title>"
    yield f"<style>{style}</style>"
    yield "</head>"
    yield "<body>"
    yield "<main>"
    yield f"<h1>{title}</h1>"
    yield f'<p class="muted">{_text(report.subtitle)}</p>'
    for section in report.sections:
        yield from _section(section, row)
    yield f"<footer>Written by {_text(report.foot)}.</footer>"
    yield "</main>"
    yield "</body>"
    yield "</html>"


def _section(section: Section, row: FigureRow) -> Iterator[str]:
    key = section.title.lower().replace(" ", "-")
    yield f'<section id="{key}">'
    yield f"<h2>{_text(section.title)}</h2>"
    for block in section.blocks:
        yield from _block(block, row)
    yield "</section>"


def _block(block: Block, row: FigureRow) -> Iterator[str]:
    match block:
        case Paragraph(text, is_small):
            how = ' class="small"' if is_small else ""
            yield f"<p{how}>{_text(text)}</p>"
        case Quotation(text):
            yield f"<blockquote><p>{_text(text)}</p></blockquote>"
        case Facts(rows):
            yield '<div class="wide"><table class="facts">'
            for what, how in rows:
                head = f'<th scope="row">{_text(what)}</th>'
                yield f"<tr>{head}<td>{_text(how)}</td></tr>"
            yield "</table></div>"
        case Table():
            yield from _table(block)
        case Figures(figures):
            yield from row(figures)
        case Code(text):
            yield f"<pre><code>{_text(text)}</code></pre>"


def _table(table: Table) -> Iterator[str]:
    kinds = [_kind(table, column) for column in range(len(table.titles))]
    yield '<div class="wide"><table class="cells">'
    yield f"<caption>{_text(table.caption)}</caption>"
    cells = (
        f'<th scope="col"{kind}>{_text(title)}</th>'
        for kind, title in zip(kinds, table.titles, strict=True)
    )
    yield f"<thead><tr>{''.join(cells)}</tr></thead>"
    yield "<tbody>"
    for row in table.rows:
        cells = (
            f"<td{kind}>{_text(cell)}</td>"
            for kind, cell in zip(kinds, row, strict=True)
        )
        yield f"<tr>{''.join(cells)}</tr>"
    yield "</tbody></table></div>"


def _kind(table: Table, column: int) -> str:
    if column not in table.words:
        return ' class="number"'
    longest = max((len(row[column]) for row in table.rows), default=0)
    return ' class="name"' if longest <= SHORT else ""


def _figures(
    pictures: Pictures, embedding: str | None, row: Sequence[Figure]
) -> Iterator[str]:
    yield '<div class="figures">'
    for figure in row:
        yield _figure(figure, pictures[figure.key])
    yield "</div>"
    if embedding is not None and any(figure.key == "embedding" for figure in row):
        summary = "The embedding to zoom, turn and hover, in classes and row numbers"
        yield f"<details><summary>{summary}</summary>"
        yield f"{_printable(embedding)}</details>"


def _figure(figure: Figure, picture: Picture) -> str:
    packed = base64.b64encode(picture.content).decode()
    return (
        f'<figure><img src="data:{_MEDIA[picture.kind]};base64,{packed}" '
        f'width="{picture.width:.0f}" height="{picture.height:.0f}" '
        f'alt="{_text(figure.alt)}"/>'
        f"<figcaption>{_text(figure.caption)}</figcaption></figure>"
    )


def _text(text: str) -> str:
    # XML holds no control characters, not even escaped, and half of a pair neither.
    return escape(_printable(text))


def _printable(text: str) -> str:
    return "".join(c if c.isprintable() or c in "\t\n" else " " for c in text)
