"""Count lines, files and words to avoid: ``python tools/size.py [REVISION]``."""

import re
import subprocess
import sys
from collections import Counter
from pathlib import PurePosixPath

WORDS = re.compile(
    r"\b(wish\w*|nobody|somebody|whoever|lent|lends|elsewhere|overlooked|of now)\b",
    re.IGNORECASE,
)
PARTICIPLE = re.compile(r".(ing|ed)\.py$")


def sources(revision: str, folder: str) -> dict[PurePosixPath, str]:
    """Return the text of every module below a folder at a revision."""
    listed = _git("ls-tree", "-r", "--name-only", revision, "--", folder).splitlines()
    names = [name for name in listed if name.endswith(".py")]
    return {PurePosixPath(name): _git("show", f"{revision}:{name}") for name in names}


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], capture_output=True, text=True, check=True)
    return done.stdout


def main(revision: str = "HEAD") -> None:
    out = sys.stdout.write
    for folder in ("kpca_viewer", "tests"):
        found = sources(revision, folder)
        lines = {path: text.count("\n") for path, text in found.items()}
        out(f"{folder}: {len(found)} files, {sum(lines.values()):,} lines\n")
        parts: Counter[str] = Counter()
        for path, count in lines.items():
            parts["/".join(path.parts[: 3 if path.parts[1] == "features" else 2])] += (
                count
            )
        for part, count in parts.most_common():
            out(f"  {count:7,}  {part}\n")
        long = [f"{path} {count}" for path, count in lines.items() if count > 450]
        out(f"  longer than 450 lines: {', '.join(long) or 'none'}\n")
        words = Counter(w.lower() for t in found.values() for w in WORDS.findall(t))
        out(f"  words: {dict(words.most_common())}\n")
        named = [str(path) for path in found if PARTICIPLE.search(path.name)]
        out(f"  modules named by a participle: {len(named)}\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
