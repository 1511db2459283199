"""The documents name what is there: links, paths, modules and terms."""

import ast
import re
import tomllib
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

import kpca_viewer
from kpca_viewer.core.kernels.families import FAMILIES
from kpca_viewer.engine.text.glossary import TERMS

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "kpca_viewer"

DOCUMENTS = [
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
    ROOT / "CHANGELOG.md",
    ROOT / "examples" / "README.md",
    *sorted(
        path
        for path in (ROOT / "docs").rglob("*.md")
        if not {"made", "gallery"} & set(path.parts)
    ),
]

MADE = (".venv/", "results/")
"""What make and commands of the documents make."""

PATH = re.compile(r"\.?[A-Za-z_][\w.-]*(/[\w.-]+)*/?", re.ASCII)
FILE_ENDINGS = (".py", ".md", ".toml", ".yml", ".svg", ".json", ".ipynb")
MODULE = re.compile(r"kpca_viewer(\.[A-Za-z_]\w*)+", re.ASCII)
CLASS_OR_TABLE = re.compile(r"[A-Z][a-z]+[A-Za-z]*|[A-Z][A-Z_]{3,}", re.ASCII)

every_document = pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)


def prose(document):
    """Return a document without its blocks of code."""
    text = document.read_text(encoding="utf-8")
    return re.sub(r"^```.*?^```", "", text, flags=re.DOTALL | re.MULTILINE)


def code_spans(document):
    return re.findall(r"`([^`\n]+)`", prose(document))


def link_targets(document):
    text = prose(document)
    targets = re.findall(r"\]\(([^)\s]+)\)", text)
    targets += re.findall(r'(?:src|srcset|href)="([^"]+)"', text)
    return [
        target
        for target in targets
        if not target.startswith(("http", "gallery/", "made/", "../made/"))
    ]


def anchors(document):
    """Return the fragments by which the headings of a document are linked to."""
    headings = re.findall(r"^#+ (.+)$", prose(document), flags=re.MULTILINE)
    plain = (re.sub(r"[^\w\s-]", "", heading.lower()) for heading in headings)
    return {heading.strip().replace(" ", "-") for heading in plain}


def is_path(span):
    """Whether a code span can only be the path of a file or a folder."""
    if not PATH.fullmatch(span) or span.startswith(MADE):
        return False
    return "/" in span or span.endswith(FILE_ENDINGS)


@every_document
def test_links_lead_somewhere(document):
    for target in link_targets(document):
        name, _, fragment = target.partition("#")
        path = document.parent / name if name else document
        assert path.exists(), target
        if fragment:
            assert fragment in anchors(path), target


@every_document
def test_paths_are_there(document):
    places = ROOT, PACKAGE, document.parent
    for span in filter(is_path, code_spans(document)):
        assert any((place / span).exists() for place in places), span


@every_document
def test_modules_are_there(document):
    for span in filter(MODULE.fullmatch, code_spans(document)):
        # The last part may be a name inside of the module.
        assert find_spec(span) or find_spec(span.rpartition(".")[0]), span


@cache
def defined():
    """Return the classes, functions and tables of the package."""
    names = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.parse(path.read_text(encoding="utf-8")).body:
            if isinstance(node, ast.ClassDef | ast.FunctionDef):
                names.add(node.name)
            elif isinstance(node, ast.Assign):
                names |= {getattr(target, "id", "") for target in node.targets}
            elif isinstance(node, ast.AnnAssign):
                names.add(getattr(node.target, "id", ""))
    return names


@pytest.mark.journey
@pytest.mark.parametrize("name", ["architecture.md", "glossary.md"])
def test_classes_and_tables_are_there(name):
    spans = filter(CLASS_OR_TABLE.fullmatch, code_spans(ROOT / "docs" / name))
    assert set(spans) <= defined()


def test_every_room_is_on_the_map():
    spans = set(code_spans(ROOT / "docs" / "architecture.md"))
    folders = {path.parent for path in PACKAGE.rglob("__init__.py")} - {PACKAGE}
    rooms = {f"{folder.relative_to(PACKAGE).as_posix()}/" for folder in folders}
    assert {room for room in rooms if room.count("/") <= 2} - spans == set()


def test_the_table_of_kernels_is_complete():
    text = prose(ROOT / "docs" / "mathematics.md")
    assert [name for name in FAMILIES if f"\n| `{name}` |" not in text] == []


def test_the_reference_has_every_public_object():
    text = (ROOT / "docs" / "reference" / "python.md").read_text(encoding="utf-8")
    named = set(re.findall(r"auto(?:class|function):: (\w+)$", text, re.MULTILINE))
    assert named == set(kpca_viewer.__all__) - {"__version__"}


@pytest.mark.parametrize("term", TERMS.values(), ids=lambda term: term.key)
def test_the_glossary_names_every_term_of_the_window(term):
    words = " ".join(prose(ROOT / "docs" / "glossary.md").split())
    assert re.search(rf"(^|· ){re.escape(term.title)}( ·|$)", words.split("else. ")[-1])


def test_every_decision_is_listed():
    folder = ROOT / "docs" / "decisions"
    listed = set(link_targets(folder / "README.md"))
    assert listed == {path.name for path in folder.glob("[0-9]*.md")}


def test_the_workflow_runs_on_every_python_that_is_claimed():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    claimed = re.findall(r"Python :: (3\.\d+)", str(project["project"]["classifiers"]))
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text(encoding="utf-8")
    (versions,) = re.findall(r"python: \[(.*)\]", workflow)
    assert re.findall(r"3\.\d+", versions) == claimed


def test_what_a_source_distribution_takes_along_is_there():
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    included = project["tool"]["hatch"]["build"]["targets"]["sdist"]["include"]
    assert [name for name in included if not (ROOT / name).exists()] == []
