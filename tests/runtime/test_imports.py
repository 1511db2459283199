import re
import subprocess
import sys
from pathlib import Path

import pytest

from kpca_viewer import engine

ENGINE = Path(engine.__file__).parent


def test_the_engine_knows_qtcore_and_nothing_else_of_qt() -> None:
    """Import contracts see to what it reaches through others."""
    found = {
        module
        for path in ENGINE.rglob("*.py")
        for module in re.findall(r"(?:from|import) (PySide6[.\w]*)", path.read_text())
    }
    assert found == {"PySide6.QtCore"}


# What takes long to load, and is of no use to a window that opens.
LATER = """
later = {
    "dask", "distributed", "matplotlib", "pandas", "PIL", "psutil", "pyarrow",
    "python_calamine", "scipy", "sklearn", "urllib.request", "ziamath",
    "kpca_viewer.data.files.read",
}
"""
THE_WINDOW = f"""
import sys
import kpca_viewer.window.start
{LATER}
print(*sorted(later & set(sys.modules)))
"""
A_FIRST_PICTURE = f"""
import sys
from kpca_viewer.engine.analysis import run
from kpca_viewer.engine.initial_session import first_session
from kpca_viewer.engine.cache import StageCache
from kpca_viewer.engine.request import AnalysisRequest
from kpca_viewer.support.progress import never, silent
{LATER}
found = []

def publish(result):
    found.append(later & set(sys.modules) - {{"psutil"}})

run(AnalysisRequest(first_session()), StageCache(), never, silent, publish)
print(*sorted(found[0]))
"""


@pytest.mark.journey
@pytest.mark.parametrize("program", [THE_WINDOW, A_FIRST_PICTURE])
def test_a_start_waits_for_no_library_that_is_needed_later(program) -> None:
    run = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert run.stdout.split() == []


UNREAD = """
import linecache
import sys
import kpca_viewer.window.start
from shibokensupport.feature import pyside_feature_dict
sys.path.insert(0, sys.argv[1])
import other
ours = [name for name in linecache.cache if "kpca_viewer/" in name]
print(*ours, pyside_feature_dict["kpca_viewer.window.board"])
print(pyside_feature_dict["other"])
"""


@pytest.mark.journey
@pytest.mark.parametrize(("source", "known"), [("import PySide6", 0), ("a = 1", -1)])
def test_a_start_reads_no_source_of_ours(source, known, tmp_path) -> None:
    """PySide looks for its name in all others, which may have chosen snake_case."""
    (tmp_path / "other.py").write_text(source)
    command = [sys.executable, "-c", UNREAD, str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.split() == ["0", str(known)]


RENDERED = """
import sys
from kpca_viewer.cli.main import main
code = main(["render", "circles", "--out", sys.argv[1]])
print(code, *(name for name in ("scipy", "pandas", "sklearn") if name in sys.modules))
"""


@pytest.mark.journey
def test_a_picture_of_few_rows_needs_no_scipy(tmp_path) -> None:
    """To load it takes longer than all that it would compute."""
    command = [sys.executable, "-c", RENDERED, str(tmp_path / "a.png")]
    run = subprocess.run(command, capture_output=True, text=True, check=True)
    assert run.stdout.splitlines()[-1] == "0"
