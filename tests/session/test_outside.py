"""What a session may read: what is beside it, and what was opened here before."""

import json
from pathlib import Path

import numpy as np
import pytest

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.document.files import (
    OutsideDataError,
    load,
    refuse_outside,
    save,
)
from kpca_viewer.engine.document.in_picture import document_of, metadata_of
from kpca_viewer.engine.document.model import Document, DocumentData, FileReference
from kpca_viewer.engine.notes import Notes
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.resources import asset


def of_file(path: Path, **more) -> Document:
    settings = SessionSettings(data=DataSettings(str(path)))
    return Document(settings, data=DocumentData(FileReference(path), **more))


def test_data_elsewhere_are_refused_unless_they_are_known(tmp_path):
    folder, secret = tmp_path / "mail", tmp_path / "secret.csv"
    (folder / "below").mkdir(parents=True)
    near = folder / "below" / "near.csv"
    for path in (secret, near):
        path.write_text("a,b\n1,2\n3,4\n")
    link = folder / "link.csv"
    link.symlink_to(secret)
    for path in (near, asset("data", "wine.csv"), folder / "gone.csv"):
        refuse_outside(of_file(path), folder, ())
    for path in (secret, link, folder / ".." / "secret.csv"):
        with pytest.raises(OutsideDataError, match="--allow-outside"):
            refuse_outside(of_file(path), folder, (near,))
    refuse_outside(of_file(secret), folder, (secret,))
    refuse_outside(of_file(secret, embedded=Dataset(np.eye(3))), folder, ())
    refuse_outside(Document(), folder, ())


def test_a_picture_carries_names_and_no_folders(tmp_path):
    result = analyse(Dataset(np.eye(4)))
    for data, found in (
        (tmp_path / "in" / "x.csv", tmp_path / "in" / "x.csv"),
        (tmp_path.parent / "x.csv", tmp_path / "x.csv"),
    ):
        document = of_file(data)
        notes = Notes(row_names=((1, "one"),))
        document = Document(document.settings, notes, document.data)
        text = metadata_of(result, document, tmp_path)
        assert str(tmp_path.parent) not in text
        assert json.loads(text)["settings"]["data"]["source"] == "x.csv"
        (tmp_path / "in").mkdir(exist_ok=True)
        (tmp_path / "in" / "x.csv").touch()
        back = document_of(text, tmp_path)
        assert back.data.file.path == found
        assert back.notes == notes
    # A session is the person's own, and keeps where its data are.
    save(document, tmp_path / "a.kpca")
    assert load(tmp_path / "a.kpca").data.file.path == data
