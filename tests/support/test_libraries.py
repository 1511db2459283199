"""What Qt needs of the system is one list, and its absence one sentence."""

import re
import sys
from pathlib import Path

import pytest

from kpca_viewer.console.terminal import guarded
from kpca_viewer.support import libraries

ROOT = Path(__file__).parents[2]


def test_set_up_and_the_package_for_debian_name_the_same_libraries():
    listed = (ROOT / "tools" / "system-libraries").read_text(encoding="utf-8")
    pairs = re.findall(r"^(lib\S+) (lib\S+)$", listed, re.MULTILINE)
    assert dict(pairs) == libraries.PACKAGES
    control = (ROOT / "packaging" / "deb").read_text(encoding="utf-8")
    (depends,) = re.findall("^Depends: (.*)$", control, re.MULTILINE)
    names = set(re.split("[,| ]+", depends))
    assert names - {"libc6", "libglib2.0-0t64"} == set(libraries.PACKAGES.values())


@pytest.mark.skipif(sys.platform != "linux", reason="libraries of Linux")
def test_a_missing_library_is_one_sentence(monkeypatch, capsys):
    def work(_):
        raise ImportError("libnone.so.9: cannot open shared object file")

    monkeypatch.setattr(libraries, "PACKAGES", {"libnone.so.9": "libnone9"})
    assert guarded("render", work) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("kpca-viewer render: libnone.so.9")
    assert line.endswith("sudo apt-get install libnone9")
    monkeypatch.setattr(libraries, "PACKAGES", {})
    with pytest.raises(ImportError):
        guarded("render", work)
