"""Every block of Python and every command of README and site runs, page by page."""

import re
import shlex
from pathlib import Path

import pytest

from kpca_viewer.cli import main as cli
from kpca_viewer.window.feature import all_actions

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
PAGES = [
    *(
        path
        for folder in ("start", "how_to")
        for path in sorted((DOCS / folder).glob("*.md"))
    ),
    *(DOCS / f"{name}.md" for name in ("bounds", "random_data", "slips")),
    ROOT / "README.md",
]
BLOCK = re.compile(r"^```(python|sh)\n(.*?)^```", re.DOTALL | re.MULTILINE)


def blocks(page, language):
    found = BLOCK.findall(page.read_text(encoding="utf-8"))
    return [text for kind, text in found if kind == language]


@pytest.mark.journey
@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_a_page_runs(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("QT_QPA_PLATFORM", "offscreen")
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    names = {}
    for language, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if language == "python":
            exec(compile(text, str(page), "exec"), names)
            continue
        for line in text.splitlines():
            program, *words = shlex.split(line, comments=True)
            if program in ("make", "pip"):
                continue  # the two tests below
            assert program == "kpca-viewer", line
            if words[0].startswith("--"):
                # Where there is no screen, the window becomes a picture.
                words += ["--picture", "window.png"]
            assert cli.main(words) == 0, line


def test_the_first_commands_of_the_readme_are_there():
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    project = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    seen = set()
    for text in blocks(ROOT / "README.md", "sh"):
        for line in text.splitlines():
            program, *words = shlex.split(line, comments=True)
            if program == "make":
                assert f"\n{words[0]}: " in makefile, line
            elif program == "pip":
                assert words[0] == "install"
                assert f'\nname = "{words[1]}"\n' in project
            seen.add(program)
    assert seen == {"make", "pip", "kpca-viewer"}


def test_the_readme_is_short_and_reads_on_the_package_index():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    assert len(text.splitlines()) < 120
    base = "https://raw.githubusercontent.com/kpca-viewer/kpca_viewer/main/"
    for is_picture, target in re.findall(r"(!?)\[[^]]*\]\(([^)]+)\)", text):
        assert target.startswith("https://"), target
        if is_picture:
            path = ROOT / target.removeprefix(base)
            assert path.stat().st_size <= 3_000_000


def test_pages_of_the_site_that_the_readme_names_are_there():
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    pages = re.findall(r"github\.io/kpca_viewer/([\w/]+)\.html", text)
    assert len(pages) > 5
    for page in pages:
        if page.split("/")[0] not in ("made", "gallery"):
            assert (DOCS / f"{page}.md").is_file(), page


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.stem)
def test_menus_that_a_page_names_are_there(page):
    places = {f"{a.menu.replace('&', '')} ▸ {a.name}" for _, a in all_actions()}
    places |= {"Help ▸ Lessons", "Decide ▸ Is it real?"}
    for place in re.findall(r"\*([^*\n]+ ▸ [^*\n]+)\*", page.read_text("utf-8")):
        assert place.rstrip("…") in places, place
