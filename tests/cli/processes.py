"""The program in processes of its own, which load their modules only once."""

import json
import os
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

SERVER = """
import json, os, sys
from kpca_viewer.cli.main import main

# What is loaded on first use is loaded here.
assert main(["embed", sys.argv[1], "--out", f"{sys.argv[1]}.npz", "--quiet"]) == 0
for line in sys.stdin:
    job = json.loads(line)
    child = os.fork()
    if child:
        print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]), flush=True)
        continue
    os.chdir(job["folder"])
    for number, path in enumerate(job["streams"]):
        os.dup2(os.open(path, os.O_WRONLY if number else os.O_RDONLY), number)
    exec(job["spoil"])
    # As Python finds its streams when it starts.
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        try:
            by_lines = 1 if number == 2 else -1
            stream = open(number, "w" if number else "r", by_lines, encoding="utf-8")
        except OSError:
            stream = None
        setattr(sys, name, stream)
    sys.argv = ["kpca-viewer", *job["words"]]
    try:
        code = main()
    except SystemExit as end:
        code = end.code or 0
    # As Python ends, but for the time that it takes to forget all modules.
    for stream in (sys.stdout, sys.stderr):
        try:
            stream is None or stream.flush()
        except OSError as error:
            os.write(2, f"Exception ignored: {error}".encode())
            code = 120
    os._exit(code)
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: bytes
    err: str


class Programs:
    """Starts the program as a shell does; every start is a fork of one process."""

    def __init__(self, folder: Path) -> None:
        table = folder / "first.csv"
        table.write_text("a,b,kind\n1,2,x\n3,4,y\n5,6,x\n2,9,y\n8,1,x\n4,4,y\n")
        self._server = subprocess.Popen(
            [sys.executable, "-c", SERVER, table],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def close(self) -> None:
        self._server.kill()
        self._server.communicate()

    def __call__(self, *words, folder, given=b"", spoil="") -> Done:
        """Run the program; ``spoil`` is done to its streams and folder before."""
        with tempfile.TemporaryDirectory() as kept:
            streams = [os.path.join(kept, name) for name in ("in", "out", "err")]
            for path, content in zip(streams, (given, b"", b""), strict=True):
                Path(path).write_bytes(content)
            job = {"words": words, "folder": str(folder), "spoil": spoil}
            self._server.stdin.write(json.dumps({**job, "streams": streams}) + "\n")
            self._server.stdin.flush()
            code = int(self._server.stdout.readline())
            out, err = (Path(path).read_bytes() for path in streams[1:])
        return Done(code, out, err.decode())
