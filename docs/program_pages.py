"""Pages and pictures of the site that are made from the tables of the program."""

import argparse
import contextlib
import os
import shlex
import zipfile
from collections.abc import Iterable
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory

from program_gallery import lessons

from kpca_viewer import KernelPCA, generate
from kpca_viewer.cli.main import COMMANDS, _Parser, _parser, main
from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.data.files.formats import FORMATS
from kpca_viewer.data.generators import GENERATORS
from kpca_viewer.engine.document.format import to_bytes
from kpca_viewer.engine.document.model import Document
from kpca_viewer.engine.settings import SessionSettings
from kpca_viewer.engine.text.glossary import TERMS
from kpca_viewer.window.help import sections

PICTURES = {
    "rings_data.png": "--data circles --gamma 10 --what data --size 560x400",
    "rings_rbf.png": "--data circles --gamma 10 --what embedding --size 560x400",
    "window.png": "--data circles --gamma 10",
    "wine.png": "--data wine --what embedding --size 640x420",
    "spectrum.png": "--data wine --what spectrum --size 560x360",
    "digits.png": "--data digits --what embedding --size 640x460",
    "real.png": "--data moons --what real --size 820x460",
    "derivation.png": "--data three_points --what derivation --size 900x900",
}
"""What `kpca-viewer render` draws, on white, by the name of the file."""


def write_all(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    pages = {
        "command-line.md": command_line(),
        "formats.md": formats(),
        "keys.md": keys(),
        "terms.md": terms(),
        "kernels.md": kernels(),
        "lessons.md": lessons(folder),
        "session.md": session(),
    }
    for name, lines in pages.items():
        text = "\n".join(lines) + "\n"
        path = folder / name
        if not path.exists() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")
    for name, options in PICTURES.items():
        if not (folder / name).exists():
            draw(folder / name, options)


def draw(path: Path, options: str) -> None:
    words = ["render", *shlex.split(options), "--out", str(path), "--quiet"]
    if "--what" in words:
        words += ["--background", "white"]
    if code := main(words):
        raise RuntimeError(f"{path.name} was not drawn: exit code {code}")


def command_line() -> Iterable[str]:
    os.environ["COLUMNS"] = "86"
    yield "# The command line"
    yield ""
    yield "No command writes over what it reads, nor over a file without `--force`; `-`"
    yield "stands for pipes, `--json` and `--quiet` are for scripts. All but the window"
    yield "need no screen. The exit code is 0, or 2 with one line on stderr."
    yield ""
    yield "## kpca-viewer"
    yield from literal(_parser().format_help())
    for name, module in COMMANDS.items():
        parser = _Parser(prog="kpca-viewer")
        subparsers = parser.add_subparsers(parser_class=_Parser)
        import_module(module).add_parser(subparsers)
        yield f"## kpca-viewer {name}"
        for one in subparsers.choices.values():
            yield from literal(one.format_help())
            yield from nested(one)


def nested(parser: argparse.ArgumentParser) -> Iterable[str]:
    """Yield the commands of a command, such as `lesson new`."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for inner in action.choices.values():
                yield from literal(inner.format_help())


def literal(text: str) -> Iterable[str]:
    yield from ("", "```text", text.rstrip(), "```", "")


def table(heads: Iterable[str], rows: Iterable[Iterable[str]]) -> Iterable[str]:
    yield ""
    for row in (heads, ["---"] * len(list(heads)), *rows):
        yield f"| {' | '.join(cell.replace('|', chr(92) + '|') for cell in row)} |"
    yield ""


def formats() -> Iterable[str]:
    yield "# Formats"
    yield ""
    yield "What a file is, is read from its content; the ending only breaks ties."
    yield from table(
        ["format", "endings"],
        ([row.title, " ".join(f"`.{e}`" for e in row.extensions)] for row in FORMATS),
    )
    yield "Tables may lie inside of `.gz`, `.bz2`, `.xz`, `.zst` and `.zip` files. A"
    yield "folder or a pattern of Parquet, CSV or NPY files is one"
    yield "[table in parts](../large-tables.md)."
    yield ""
    yield "## Files of the program"
    yield from table(
        ["file", "what it is"],
        [
            [
                "`.kpca`",
                "a session: settings, names, groups, pins and sweeps as JSON,"
                " with the data or where they lie. *File ▸ Save session*.",
            ],
            [
                "`.npz`",
                "a model without pickle: `model.save`, `embed --model`; read by"
                " `kpca_viewer.load` and `embed --onto`.",
            ],
            ["`.lesson`", "a [lesson](../lessons.md): a folder in a zip file."],
            [
                "`.png` `.svg` `.pdf`",
                "pictures carry their session: drop one onto the"
                " window and the session comes back.",
            ],
            ["`.html`", "a page to share, or a report; both need no network."],
        ],
    )


def session() -> Iterable[str]:
    yield "# Session and model files"
    yield ""
    yield "A session (`.kpca`) is JSON. What differs from a new session may be left"
    yield "out, and what a later version has written is kept. With the data inside,"
    yield "`embedded` holds them; otherwise `data` says where they lie. A new one:"
    text = to_bytes(Document(SessionSettings())).decode()
    yield from ("", "```json", text, "```", "")
    yield "A model (`.npz`) is an archive of arrays without pickle. That of rings:"
    yield ""
    with TemporaryDirectory() as folder:
        path = Path(folder, "model.npz")
        rings = generate("circles").points
        KernelPCA(2, kernel="rbf", gamma=10).fit(rings).save(path)
        with zipfile.ZipFile(path) as archive:
            members = archive.infolist()
    rows = [[f"`{member.filename}`", str(member.file_size)] for member in members]
    yield from table(["member", "bytes"], rows)
    yield "`kpca_viewer.load` reads a model of the program, `KernelPCA.load` one that"
    yield "`save` has written. A lesson (`.lesson`) is described under"
    yield "[lessons](../lessons.md)."


def keys() -> Iterable[str]:
    yield "# Keys and gestures"
    yield ""
    yield "The same list is in the window under F1. Ctrl+K finds every action by words."
    for title, lines in sections():
        yield f"\n## {title}"
        yield from table(["do", "what happens"], lines)


def terms() -> Iterable[str]:
    yield "# Terms"
    yield ""
    yield "The sentences of tooltips and of F1. Words for the code are in"
    yield "[words](../glossary.md), formulas in [the mathematics](../mathematics.md)."
    for term in sorted(TERMS.values(), key=lambda term: term.title.lower()):
        yield f"\n## {term.title}\n"
        yield f"{code(term.formula)}\n\n{' '.join(term.sentence.split())}"


def code(formula: str) -> str:
    return f"`{formula}`" if formula else ""


def kernels() -> Iterable[str]:
    yield "# Kernels and data sets"
    yield ""
    yield "Formulas are in [the mathematics](../mathematics.md#kernels)."
    yield from table(
        ["kernel", "in the window", "parameters"],
        (
            [
                f"`{family.name}`",
                family.title,
                ", ".join(f"{p.symbol} `{p.name}`" for p in family.parameters),
            ]
            for family in FAMILIES.values()
        ),
    )
    yield "## Data sets that need no file"
    yield from table(
        ["`--data`", "in the window", "what there is to see"],
        ([f"`{row.key}`", row.title, row.help] for row in GENERATORS.values()),
    )


if __name__ == "__main__":
    with contextlib.suppress(FileExistsError):
        write_all(Path(__file__).parent / "made")
