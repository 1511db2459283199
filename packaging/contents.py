"""Look into wheel and source distribution: contents.py FOLDER."""

import sys
import tarfile
import zipfile
from pathlib import Path

NEEDED = (
    "kpca_viewer/py.typed",
    "kpca_viewer/core/linalg/eigh_child.py",
    "assets/icon.svg",
    "assets/data/wine.csv",
    "assets/lessons/rings/",
    "assets/site/index.html",
)
ONLY_IN_SOURCE = "tests/", "docs/", "packaging/"
NOWHERE = "__pycache__", ".pyc", ".venv", "/.git/", "docs/made/", "docs/gallery/"

folder = Path(sys.argv[1])
(wheel,) = folder.glob("*.whl")
(source,) = folder.glob("*.tar.gz")
with zipfile.ZipFile(wheel) as file:
    in_wheel = file.namelist()
with tarfile.open(source) as file:
    in_source = [name.partition("/")[2] for name in file.getnames()]

for path, names in (wheel, in_wheel), (source, in_source):
    for part in NEEDED:
        if not any(part in name for name in names):
            sys.exit(f"{part} is missing in {path.name}.")
    for part in NOWHERE:
        if found := next((name for name in names if part in name), None):
            sys.exit(f"{found} has no place in {path.name}.")
for part in ONLY_IN_SOURCE:
    if any(name.startswith(part) for name in in_wheel):
        sys.exit(f"{part} has no place in {wheel.name}.")
    if not any(name.startswith(part) for name in in_source):
        sys.exit(f"{part} is missing in {source.name}.")
print(f"{wheel.name}: {len(in_wheel)} files; {source.name}: {len(in_source)} files")
