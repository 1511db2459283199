"""What takes long, and is left by `make test` to `make journeys`."""

from pathlib import Path

import pytest

HERE = Path(__file__).parent

QUICK = {"test_first_minute"}
"""Walks through the program that `make test` takes, but for tests marked one by one."""

LONG = {
    "cli/test_choose.py",
    "cli/test_doctor.py",
    "cli/test_embed_parts.py",
    "cli/test_embed_terminal.py",
    "cli/test_paper.py",
    "cli/test_render.py",
    "cli/test_report.py",
    "cluster/test_connecting.py",
    "cluster/test_each.py",
    "cluster/test_rows.py",
    "cluster/test_sweeping.py",
    "core/choice/test_parallel.py",
    "core/reality/test_comparing.py",
    "data/files/test_fuzz.py",
    "data/files/test_hdf5.py",
    "data/files/test_plain.py",
    "export/report/test_report.py",
    "export/test_images.py",
    "export/test_model_damage.py",
    "session/choosing/test_choose.py",
    "session/test_accuracy.py",
    "session/test_document_kill.py",
    "test_benchmarks.py",
    "test_resources.py",
    "ui/board/derivation/test_derivation_page.py",
    "ui/board/odd/test_odd_page.py",
    "ui/board/test_bootstrap.py",
    "ui/board/test_columns_page.py",
    "ui/board/test_embedding_arrows.py",
    "ui/board/test_lift.py",
    "ui/board/test_pitfalls.py",
    "ui/export/test_images.py",
    "ui/export/test_report_page.py",
    "ui/lessons/test_authoring.py",
    "ui/lessons/test_lesson_strip.py",
    "ui/lessons/test_lesson_walk.py",
    "ui/test_drawing.py",
    "ui/test_empty_plane.py",
    "ui/test_presenter.py",
    "ui/test_trouble.py",
    "ui/window/test_workspaces.py",
}
"""Of other folders: processes, searches, boards and windows for every test."""


def is_journey(item: pytest.Item) -> bool:
    """Whether a test starts the program or a cluster, or its file takes long."""
    path = item.path.relative_to(HERE)
    fixtures = getattr(item, "fixturenames", ())
    starts = path.parts[0] == "e2e" or "start" in fixtures
    if "started_cluster" in fixtures or path.as_posix() in LONG:
        return True
    return starts and path.stem not in QUICK
