"""What a sweep leaves in its folder: a journal to go on from, a table, pictures."""

import base64
import json
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
from PySide6.QtCore import QSize
from PySide6.QtGui import QImage
from PySide6.QtWidgets import QApplication

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.document.wire import settings_json
from kpca_viewer.engine.sweep.jobs import Job, Sweep
from kpca_viewer.engine.sweep.point import SweepPoint, SweepResult
from kpca_viewer.engine.sweep.scoring import Yardstick
from kpca_viewer.export.images.image import png_bytes, save_image
from kpca_viewer.export.images.spec import ImageSpec
from kpca_viewer.features.sweep.view.paper.sheet import Sheet, sheet_title
from kpca_viewer.features.sweep.view.thumbnails import Shades, Thumbnails
from kpca_viewer.support import paths
from kpca_viewer.support.atomic import write_atomically
from kpca_viewer.support.errors import DataError, ExportError
from kpca_viewer.support.json_lines import append_line, whole_lines
from kpca_viewer.widgets.theme import THEMES

JOURNAL = "points.jsonl"
DESCRIPTION = "sweep.json"
TABLE = "measures.csv"
OWN_FILES = (JOURNAL, DESCRIPTION, TABLE)


class Journal:
    """One line of JSON for every finished point, appended in one step.

    Parameters
    ----------
    folder : Path
        In which it is; made before.
    sweeps : sequence of Sweep
        What is computed; a folder that holds something else is refused.
    force : bool
        Replace what the folder holds instead.
    """

    def __init__(
        self, folder: Path, sweeps: Sequence[Sweep], *, force: bool = False
    ) -> None:
        self._path = folder / JOURNAL
        self._sweeps = sweeps
        description = describe(sweeps)
        known = self._known = folder / DESCRIPTION
        try:
            is_same = paths.exists(known) and _decoded_text(known) == description
            if not is_same and not force:
                _refuse_if_used(folder, known)
            self._is_new = not paths.exists(known)
            if not is_same:
                self._path.unlink(missing_ok=True)
        except OSError as error:
            raise ExportError(
                f"“{folder}” cannot be used: {error.strerror}; choose another folder."
            ) from error
        text = json.dumps(description, indent=1, ensure_ascii=False) + "\n"
        write_atomically(known, text.encode())

    def read(self) -> dict[Job, SweepPoint]:
        """Return the points that are there; a line that was cut off is dropped."""
        points: dict[Job, SweepPoint] = {}
        for line in whole_lines(self._path):
            try:
                job, point = self._decoded(line)
            except (ValueError, KeyError, TypeError, IndexError):
                continue
            # A value that failed for want of memory may well succeed now.
            if not point.error:
                points[job] = point
        return points

    def remove_if_empty(self) -> None:
        """Remove the description that this run has made, if no point followed it."""
        with suppress(OSError):
            if self._is_new and not whole_lines(self._path):
                self._known.unlink()
                self._path.unlink(missing_ok=True)

    def append(self, job: Job, point: SweepPoint) -> None:
        append_line(self._path, self._encoded(job, point))

    def _encoded(self, job: Job, point: SweepPoint) -> dict[str, Any]:
        return {
            "sweep": job.sweep,
            "kernel": point.settings.kernel.family,
            "index": job.index,
            "values": list(point.values),
            "measures": dict(point.measures),
            "yardstick": asdict(point.yardstick),
            "eigenvalues": point.eigenvalues.tolist(),
            "bounds": point.bounds.tolist(),
            "shares": point.shares.tolist(),
            "n": point.n,
            "solver": point.solver,
            "seconds": point.seconds,
            "error": point.error,
            "rows": _packed(point.rows, "<i4"),
            "labels": None if point.labels is None else _packed(point.labels, "<i4"),
            "coordinates": _packed(point.thumbnail, "<f4"),
        }

    def _decoded(self, line: dict[str, Any]) -> tuple[Job, SweepPoint]:
        job = Job(line["sweep"], line["index"])
        sweep = self._sweeps[job.sweep]
        if job.index < 0:
            raise IndexError(job.index)
        labels = line["labels"]
        return job, SweepPoint(
            job.index,
            sweep.settings.cells()[job.index],
            sweep.settings.apply(sweep.request.settings, job.index),
            rows=_unpacked(line["rows"], "<i4").astype(np.int64),
            thumbnail=_unpacked(line["coordinates"], "<f4").reshape(-1, 2),
            labels=None
            if labels is None
            else _unpacked(labels, "<i4").astype(np.int64),
            eigenvalues=np.array(line["eigenvalues"]),
            bounds=np.array(line["bounds"]).reshape(-1, 2),
            shares=np.array(line["shares"]),
            measures=line["measures"],
            yardstick=msgspec.convert(line["yardstick"], Yardstick),
            n=line["n"],
            solver=line["solver"],
            seconds=line["seconds"],
            error=line["error"],
        )


def _decoded_text(path: Path) -> object:
    """Return what a description says; None if it is damaged."""
    try:
        return json.loads(path.read_text())
    except ValueError:
        return None


def _refuse_if_used(folder: Path, known: Path) -> None:
    """Refuse a folder that holds another sweep, or files under the names of ours."""
    if paths.exists(known):
        state = "holds another sweep"
        if _decoded_text(known) is None:
            state = f"has a damaged {DESCRIPTION}"
        raise DataError(
            f"“{folder}” {state}; choose another folder, or add --force to replace it."
        )
    for name in OWN_FILES:
        if paths.exists(folder / name):
            raise ExportError(
                f"“{folder / name}” exists; choose another folder, or add --force to "
                "replace it."
            )


def describe(sweeps: Sequence[Sweep]) -> dict[str, Any]:
    """Return everything that decides the numbers, for comparing two runs."""
    opened = {
        name: dataset.content_hash
        for sweep in sweeps
        for name, dataset in sweep.request.opened.items()
    }
    described = [
        {
            "settings": settings_json(sweep.request.settings),
            "sweep": msgspec.to_builtins(sweep.settings),
        }
        for sweep in sweeps
    ]
    # Through JSON once, so that tuples and lists compare equal.
    return dict(json.loads(json.dumps({"data": opened, "sweeps": described})))


def picture_name(sweep: Sweep, point: SweepPoint) -> str:
    """Return a name for the picture of a point that every file system takes."""
    parts = [sweep.settings.apply(sweep.request.settings, point.index).kernel.family]
    parts.append(f"{point.index:04d}")
    for axis, value in zip(sweep.settings.axes, point.values, strict=True):
        if not axis.is_of_kernels:
            parts.append(f"{axis.parameter}_{value:.6g}")
    return "_".join(parts) + ".png"


def _packed(values: Any, kind: str) -> str:
    return base64.b64encode(np.asarray(values, dtype=kind).tobytes()).decode()


def _unpacked(text: str, kind: str) -> Any:
    return np.frombuffer(base64.b64decode(text), dtype=kind)


FOLDER = "thumbnails"
SIDE = 240
LARGEST = 18_000
"""Pixels of a strip; beyond, its pictures become narrower."""


def draw(
    folder: Path,
    dataset: Dataset,
    sweeps: Sequence[Sweep],
    results: Sequence[SweepResult],
    theme_name: str,
) -> None:
    """Write ``strip_KERNEL.png``, ``grid_KERNEL.png`` and a picture of every point."""
    application = QApplication.instance() or QApplication(["kpca-viewer"])
    theme = THEMES[theme_name]
    # All sweeps of one command have the same view.
    shades = Shades(fills=results[0].base.view.fills if results else False)
    if dataset.labels is not None:
        names = dataset.label_names
        shades = replace(shades, kind="class", codes=dataset.labels, names=names)
    thumbnails = Thumbnails(theme, shades)
    pictures = folder / FOLDER
    pictures.mkdir(exist_ok=True)
    for sweep, result in zip(sweeps, results, strict=True):
        family = result.base.kernel.family
        title = sheet_title(result, dataset.name)
        sheet = Sheet(result, theme=theme, shades=shades, title=title)
        for name, (width, height), paint in (
            ("strip", sheet.strip_size(), sheet.paint_strip),
            ("grid", sheet.grid_size(), sheet.paint_grid),
        ):
            if name == "strip" and sweep.settings.second is not None:
                continue  # a line through a grid would mean nothing
            spec = ImageSpec("png", min(width, LARGEST), height, "px", 96, "theme")
            save_image(folder / f"{name}_{family}.png", spec, paint)
        for point in result.points:
            if point.error:
                continue
            image: QImage = thumbnails.image(
                point, QSize(SIDE, SIDE), background=theme.card
            )
            write_atomically(pictures / picture_name(sweep, point), png_bytes(image))
    del application
