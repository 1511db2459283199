#!/usr/bin/env python3
"""Read thousands of hostile files, each with a watchdog: ``fuzz_files.py [COUNT]``.

Every file must become a table or one sentence. A refused file may take two seconds and
300 MB, and whatever is read must ask at least every 250 ms whether to go on; times are
those of the processor, so that a busy machine changes nothing. Prints how many files
there were, what became of them, and the worst ones; the exit code is 1 if anything
failed.
"""

import argparse
import json
import os
import select
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

PATIENCE = 30.0
"""Seconds after which a reader is given up and its process ended."""

HUGE = 50_000_000
"""Bytes from which the window shows the first rows before it reads the others."""

SECONDS, MEGABYTES, PAUSE = 2.0, 300.0, 0.25


def serve() -> None:
    """Read the files whose names come in, one a line; say how each one went."""
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    from kpca_viewer.resources import asset

    for path in asset("data").iterdir():
        _tried(path)  # libraries are loaded before anything is measured
    _tried(Path("a.svg"))
    for line in sys.stdin:
        print(json.dumps(_tried(Path(line.rstrip("\n")))), flush=True)  # noqa: T201


def _tried(path: Path) -> dict[str, Any]:
    from kpca_viewer.support.errors import KpcaError

    last, pause = time.process_time(), 0.0

    def asked() -> bool:
        nonlocal last, pause
        now = time.process_time()
        pause, last = max(pause, now - last), now
        return False

    def done() -> None:
        nonlocal last
        asked()
        last = float("inf")

    Path("/proc/self/clear_refs").write_text("5")
    before = _memory("VmRSS")
    start = time.process_time()
    try:
        _read(path, asked, done)
        outcome = "read"
    except KpcaError as error:
        outcome = "refused" if "\n" not in str(error) else "failed: two lines"
    except Exception as error:  # noqa: BLE001 — that is what is looked for
        outcome = f"failed: {type(error).__name__}: {error}"
    asked()
    return {
        "outcome": outcome,
        "seconds": time.process_time() - start,
        "megabytes": (_memory("VmHWM") - before) / 1024,
        "pause": pause,
    }


def _read(path: Path, should_stop: Any, done: Any) -> None:
    from kpca_viewer.data.files import preview_table, read_table
    from kpca_viewer.data.importing import guess_import, to_dataset
    from kpca_viewer.engine.document.files import load, open_data

    if path.suffix == ".kpca":
        open_data(load(path), should_stop)
    elif path.suffix in (".svg", ".pdf", ".png"):
        from kpca_viewer.engine.document.in_picture import read_metadata

        read_metadata(path)
    else:
        if path.stat().st_size > HUGE:
            preview_table(path, should_stop=should_stop)
        table = read_table(path, should_stop=should_stop)
        done()
        to_dataset(table, guess_import(table))


def _memory(field: str) -> int:
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith(field):
            return int(line.split()[1])
    return 0


class Reader:
    """A process that reads files, and is replaced when it takes too long."""

    def __init__(self) -> None:
        self._process = self._start()

    def read(self, path: Path) -> dict[str, Any]:
        """Return how it went."""
        process = self._process
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(f"{path}\n")
        process.stdin.flush()
        ready, _, _ = select.select([process.stdout], [], [], PATIENCE)
        answer = process.stdout.readline() if ready else ""
        if answer:
            return dict(json.loads(answer))
        ended = process.poll()
        self.close()
        self._process = self._start()
        what = "gave no answer in time" if ended is None else f"died ({ended})"
        return {"outcome": f"failed: {what}", "seconds": PATIENCE, "megabytes": 0.0}

    def close(self) -> None:
        """End the process."""
        self._process.kill()
        self._process.wait()

    def _start(self) -> subprocess.Popen[str]:
        return subprocess.Popen(
            [sys.executable, __file__, "--serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )


def problems(result: dict[str, Any]) -> list[str]:
    """Return what is wrong with how a file was read."""
    found = [] if not result["outcome"].startswith("failed") else [result["outcome"]]
    if result["outcome"] == "refused":
        if result["seconds"] > SECONDS:
            found.append(f"refused after {result['seconds']:.1f} s")
        if result["megabytes"] > MEGABYTES:
            found.append(f"refused after {result['megabytes']:.0f} MB")
    if result.get("pause", 0.0) > PAUSE:
        found.append(f"not to be stopped for {result['pause']:.2f} s")
    return found


def main() -> int:
    """Run the whole of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=2000)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--keep", type=Path, help="where files that fail are kept")
    parser.add_argument("--serve", action="store_true", help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.serve:
        serve()
        return 0
    from tests.data.files.traps import hostile_files

    say = sys.stdout.write
    counts = {"read": 0, "refused": 0}
    worst: dict[str, tuple[float, str]] = {}
    failures = []
    reader = Reader()
    with tempfile.TemporaryDirectory() as folder:
        for name, content in hostile_files(options.count, options.seed):
            path = Path(folder) / name.replace("/", " ")
            path.write_bytes(content)
            result = reader.read(path)
            counts[result["outcome"]] = counts.get(result["outcome"], 0) + 1
            for measure in ("seconds", "megabytes", "pause"):
                key = f"{measure} {result['outcome'][:7]}"
                value = result.get(measure, 0.0)
                worst[key] = max(worst.get(key, (0.0, "")), (value, name))
            if wrong := problems(result):
                failures.append(f"{name} ({len(content):,} bytes): {'; '.join(wrong)}")
                say(f"  {failures[-1]}\n")
                if options.keep is not None:
                    options.keep.mkdir(exist_ok=True)
                    (options.keep / path.name).write_bytes(content)
            path.unlink()
    reader.close()
    total = sum(counts.values())
    say(f"{total:,} files, {counts['refused']:,} refused, {counts['read']:,} read\n")
    for key in sorted(worst):
        say(f"worst {key}: {worst[key][0]:.3f} ({worst[key][1]})\n")
    say(f"{len(failures)} failures\n")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
