"""What is no session is refused in one sentence; what is merely newer is kept."""

import base64
import json
import os
import random
import zlib
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as effort
from hypothesis import strategies as st

from kpca_viewer.data.dataset import Dataset
from kpca_viewer.engine.document.files import load, save
from kpca_viewer.engine.document.format import from_bytes, to_bytes
from kpca_viewer.engine.document.model import Document, DocumentData
from kpca_viewer.engine.notes import Notes, PinNote, Selected, SweepNote
from kpca_viewer.engine.settings import (
    AnalysisSettings,
    DataSettings,
    KernelSettings,
    SessionSettings,
    ViewSettings,
)
from kpca_viewer.engine.sweep.settings import SweepSettings
from kpca_viewer.engine.views import Camera, Pose, Views
from kpca_viewer.support import memory
from kpca_viewer.support.errors import DataError

GAMMA = SessionSettings(kernel=KernelSettings("rbf", (("gamma", 3.0),)))
FIRST, SECOND = PinNote("first", GAMMA), PinNote("second", SessionSettings())
FULL = Document(
    notes=Notes(
        ((1, "odd"),),
        (FIRST, SECOND),
        SweepNote(SweepSettings(steps=4), GAMMA),
        Selected.of(np.arange(6) > 2),
    ),
    data=DocumentData(
        embedded=Dataset(
            np.arange(12.0).reshape(6, 2), np.array([0, 0, 1, 1, -1, 0]), ("a", "b")
        )
    ),
    views=Views("table", (1,), embedding=Pose(Camera(zoom=2.0))),
)


def from_text(text):
    return from_bytes(text.encode())


def changed(change):
    """Return the text of a full session after a change of its JSON."""
    body = json.loads(to_bytes(FULL))
    change(body)
    return json.dumps(body)


def at(path, value):
    """Return a change that sets one field."""
    *way, last = path.split(".")

    def key(part, step):
        return int(step) if isinstance(part, list) else step

    def change(body):
        for step in way:
            body = body[key(body, step)]
        body[key(body, last)] = value

    return change


# Versions


def test_the_component_of_isolines_that_sessions_once_had_does_no_harm():
    document = from_text(changed(at("settings.view.isoline_component", 4)))
    assert document == replace(FULL, unknown=document.unknown)


@pytest.mark.parametrize("version", [2, 3, 10**30])
def test_a_newer_version_says_so(version):
    with pytest.raises(DataError) as caught:
        from_text(changed(at("kpca_viewer", version)))
    assert str(caught.value) == (
        f"This session was written by a newer version ({version}); update kpca_viewer."
    )


def test_a_newer_version_says_so_whatever_else_it_holds():
    with pytest.raises(DataError, match="newer version"):
        from_text('{"kpca_viewer": 2, "settings": [], "data": 7}')


@pytest.mark.parametrize("version", [0, -1, "1", 1.5, None, True, [1]])
def test_no_version_is_no_session(version):
    with pytest.raises(DataError, match="not a session of kpca_viewer"):
        from_text(changed(at("kpca_viewer", version)))


def test_unknown_fields_are_kept_at_every_depth(tmp_path):
    text = changed(
        lambda body: [
            change(body)
            for change in (
                at("lesson", {"page": 3}),
                at("nothing", None),
                at("settings.view.glow", True),
                at("settings.sound", {"volume": 11}),
                at("data.colour", "red"),
                at("embedded.unit", "cm"),
                at("views.embedding.camera.lens", 35),
                at("views.globe", {"camera": {"azimuth": 3.0}}),
                at("sweep.sweep.third", {"parameter": "offset"}),
                at("sweep.author", "ann"),
                at("pins.1.stars", 5),
                at("pins.1.settings.sound", True),
            )
        ]
    )
    path = tmp_path / "a.kpca"
    path.write_text(text)
    document = load(path)
    assert document == replace(FULL, unknown=document.unknown)
    # Another pin before it: what was said of one is said of that one.
    notes = replace(document.notes, pins=(replace(FIRST, name="new"), SECOND))
    save(replace(document, settings=GAMMA, notes=notes), path)
    body = json.loads(path.read_text())
    assert body["lesson"] == {"page": 3}
    assert "nothing" in body
    assert body["settings"]["view"]["glow"] is True
    assert body["settings"]["sound"] == {"volume": 11}
    assert body["data"]["colour"] == "red"
    assert body["embedded"]["unit"] == "cm"
    assert body["settings"]["kernel"]["values"] == [["gamma", 3.0]]
    assert body["views"]["embedding"]["camera"]["lens"] == 35
    assert body["views"]["globe"] == {"camera": {"azimuth": 3.0}}
    assert body["sweep"]["sweep"]["third"] == {"parameter": "offset"}
    assert body["sweep"]["author"] == "ann"
    assert [pin.get("stars") for pin in body["pins"]] == [None, 5]
    assert body["pins"][1]["settings"]["sound"] is True
    assert load(path).unknown == document.unknown


# Values


@pytest.mark.parametrize(
    "change",
    [
        at("settings", None),
        at("settings.view.axes", [0, 1]),
        at("settings.view.axes", [0, 1, -1]),
        at("settings.view.data_axes", [0, 1, 2**31]),
        at("settings.view.color_by", "feature:x"),
        at("settings.view.color_by", "feature:²"),
        at("settings.view.color_by", "component:-1"),
        at("settings.view.color_by", ""),
        at("settings.view.point_size", 0),
        at("settings.view.point_size", 1e9),
        at("settings.view.spectrum", "cubic"),
        at("settings.view.null", "uniform"),
        at("settings.view.null_draw", -1),
        at("settings.data.scaling", "robust"),
        at("settings.data.seed", -1),
        at("settings.data.seed", 2**32),
        at("settings.data.seed", 10**40),
        at("settings.analysis.components", 0),
        at("settings.analysis.components", "ten"),
        at("settings.kernel.values", [["gamma", None]]),
        at("data", None),
        at("data", {"kind": "cloud"}),
        at("data", {"kind": "file"}),
        at("data", {"kind": "file", "absolute": "a\0b"}),
        at("row_names", {"first": "odd"}),
        at("new_points", [[1.0]]),
        at("new_points", [["a", "b"]]),
        at("row_names", {"1": 2}),
        at("row_names", {"-1": "odd"}),
        at("selection.rows", 7),
        at("selection.rows", 70),
        at("selection.rows", -1),
        at("selection.rows", 10**15),
        at("selection.bits", "no base64!"),
        at("selection.bits", "AAAA"),
        at("embedded.points", "AAAA"),
        at("embedded.points", ""),
        at("embedded.points", "\u00e9"),
        at("embedded.label_names", ["only one"]),
        at("embedded.kind", "graph"),
        at("embedded.feature_names", ["a", "b", "c"]),
        lambda body: body.pop("settings"),
        lambda body: body.pop("data"),
    ],
)
def test_a_wrong_value_is_named(change):
    with pytest.raises(DataError, match="damaged session") as caught:
        from_text(changed(change))
    assert "\n" not in str(caught.value)
    assert str(caught.value).endswith("open another copy.")


def npy(header, body=b""):
    """Return an array as text, with any header."""
    text = header.encode().ljust(117) + b"\n"
    whole = b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + body
    return base64.b64encode(zlib.compress(whole)).decode()


@pytest.mark.parametrize(
    "text",
    [
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (900000000000, 9), }"),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (6, 2), }"),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (6, 2), }", b"0" * 97),
        npy("{'descr': '<f8', 'fortran_order': True, 'shape': (6, 2), }", b"0" * 96),
        npy("{'descr': '|O', 'fortran_order': False, 'shape': (6, 2), }", b"0" * 96),
        npy("{'descr': '<f4', 'fortran_order': False, 'shape': (6, 2), }", b"0" * 48),
        npy("__import__('os').abort()"),
        npy("{'descr': '<f8', 'fortran_order': False, 'shape': (6, 2), }", b"0" * 96)[
            :-8
        ],
    ],
    ids=["terabytes", "empty", "too long", "order", "objects", "small", "code", "cut"],
)
def test_arrays_hold_what_they_declare(text):
    with pytest.raises(DataError, match=r"embedded data|memory"):
        from_text(changed(at("embedded.points", text)))


@pytest.mark.journey
def test_a_bomb_is_not_unpacked():
    bomb = base64.b64encode(zlib.compress(bytes(50_000_000), 9)).decode()
    for path in ("selection.bits", "embedded.points"):
        with pytest.raises(DataError):
            from_text(changed(at(path, bomb)))


def test_arrays_longer_than_the_first_look(tmp_path):
    points = np.random.default_rng(0).standard_normal((5000, 3))
    for rows in (1, 37, 38, 5000):  # 38 rows of 3 end right after the first look
        document = Document(data=DocumentData(embedded=Dataset(points[:rows])))
        assert from_bytes(to_bytes(document)) == document


@pytest.mark.parametrize(
    "settings",
    [
        SessionSettings(kernel=KernelSettings("rbf", (("gamma", float("nan")),))),
        SessionSettings(data=DataSettings(values=(("noise", float("inf")),))),
        SessionSettings(view=ViewSettings(point_size=float("nan"))),
        SessionSettings(analysis=AnalysisSettings(components=0)),
        SessionSettings(view=ViewSettings(color_by="feature:one")),
    ],
)
def test_what_could_not_be_read_again_is_not_written(tmp_path, settings):
    path = tmp_path / "a.kpca"
    save(FULL, path)
    with pytest.raises(DataError, match="makes no sense"):
        save(Document(settings), path)
    assert load(path) == FULL


@pytest.mark.parametrize(
    "document",
    [
        Document(notes=Notes(((0, "\udce4"),))),
        Document(unknown={"a": object()}),
        Document(unknown={1: {2, 3}, "b": np.zeros(3)}),
    ],
    ids=["surrogate", "object", "array"],
)
def test_what_is_no_text_is_refused(tmp_path, document):
    with pytest.raises(DataError, match="cannot be written as text"):
        save(document, tmp_path / "a.kpca")
    assert not list(tmp_path.iterdir())


# Pins, sweeps and views: what is wrong in one is no reason to refuse a session


@pytest.mark.parametrize(
    ("change", "pins", "unread"),
    [
        (at("pins", None), (), 0),
        (at("pins", "nonsense"), (), 0),
        (at("pins.0", 3), (SECOND,), 1),
        (at("pins.0", {"name": "first"}), (SECOND,), 1),
        (at("pins.0.name", 7), (SECOND,), 1),
        (at("pins.0.settings", []), (SECOND,), 1),
        (at("pins.0.settings.view.axes", [0, 1]), (SECOND,), 1),
        (at("pins.0.settings.analysis.components", 0), (SECOND,), 1),
        (at("pins.0.measures", [["share_2", "much"]]), (SECOND,), 1),
        (at("pins.0.content", 1.5), (SECOND,), 1),
        (at("pins", [1, "two", None]), (), 3),
    ],
)
def test_a_pin_that_is_not_understood_is_counted_and_kept(change, pins, unread):
    text = changed(change)
    document = from_text(text)
    assert (document.notes.pins, document.unread) == (pins, unread)
    assert document.notes.sweep == FULL.notes.sweep
    # Whoever understands it finds it in the file that is saved next.
    before, after = json.loads(text)["pins"], json.loads(to_bytes(document))
    assert after.get("pins", [])[len(pins) :] == (before[:unread] if unread else [])
    assert from_bytes(to_bytes(document)) == document


@pytest.mark.parametrize(
    "change",
    [
        at("sweep", [1]),
        at("sweep.base", None),
        at("sweep.base.data.seed", -1),
        at("sweep.sweep.low", 5000.0),
        at("sweep.sweep.steps", "many"),
        at("sweep.sweep.parameter", "colour"),
        at("sweep.sweep.second", {"parameter": 3}),
    ],
)
def test_a_sweep_that_is_not_understood_is_counted_and_kept(change):
    text = changed(change)
    document = from_text(text)
    assert (document.notes.sweep, document.unread) == (None, 1)
    assert document.notes.pins == FULL.notes.pins
    assert json.loads(to_bytes(document))["sweep"] == json.loads(text)["sweep"]
    # A sweep of this version takes its place.
    own = replace(document, notes=FULL.notes)
    assert from_bytes(to_bytes(own)).notes == FULL.notes


@pytest.mark.parametrize(
    ("change", "views"),
    [
        (at("views", None), Views()),
        (at("views", [1]), Views()),
        (at("views.page", 3), replace(FULL.views, page=None)),
        (at("views.hidden", "all"), replace(FULL.views, hidden=())),
        (at("views.data", {"range": [[0, 1], [3, 2]]}), FULL.views),
        (at("views.data", {"range": [[0, 1]]}), FULL.views),
        (at("views.data", {"camera": {"zoom": 0}}), FULL.views),
        (at("views.data", {"camera": {"distance": "far"}}), FULL.views),
        (
            at("views.data", {"camera": 3, "range": [[0, 1], [2, 3]]}),
            replace(FULL.views, data=Pose(None, ((0.0, 1.0), (2.0, 3.0)))),
        ),
    ],
)
def test_views_that_make_no_sense_are_passed_over(change, views):
    document = from_text(changed(change))
    assert document == replace(FULL, views=views, unknown=document.unknown)


# Files


@pytest.mark.journey
def test_every_cut_is_noticed(tmp_path):
    content = to_bytes(FULL)
    for length in range(len(content) - 2):
        with pytest.raises(DataError, match=r"damaged session|not a session"):
            from_bytes(content[:length])


@pytest.mark.journey
def test_flipped_bits_give_a_session_or_a_sentence():
    content = to_bytes(FULL)
    choose = random.Random(5)
    outcomes, sentences = {"read": 0, "refused": 0}, set()
    for _ in range(1500):
        broken = bytearray(content)
        for _ in range(choose.randint(1, 4)):
            broken[choose.randrange(len(broken))] ^= 1 << choose.randrange(8)
        try:
            from_bytes(bytes(broken))
            outcomes["read"] += 1
        except DataError as error:
            outcomes["refused"] += 1
            sentences.add(str(error))
    assert outcomes["refused"] > 500
    assert sum(outcomes.values()) == 1500
    assert not [text for text in sentences if "\n" in text]


@given(st.binary(max_size=200))
@effort(max_examples=200, deadline=None)
def test_any_bytes_are_refused(content):
    with pytest.raises(DataError, match="not a session"):
        from_bytes(content)


@pytest.mark.parametrize(
    "content",
    [
        b"",
        b"\0" * 100,
        b"\x89PNG\r\n\x1a\n" + bytes(100),
        b"[1, 2]",
        b"{}",
        b"a,b\n1,2\n",
        b'{"kernel": "rbf"}',
        b'{"a": "\xff"}',
        b'{"x": ' + b"[" * 100_000,
    ],
    ids=["empty", "zeros", "png", "list", "object", "csv", "other", "latin", "deep"],
)
def test_other_files_are_no_sessions(tmp_path, content):
    path = tmp_path / "a.kpca"
    path.write_bytes(content)
    with pytest.raises(DataError, match=r"“a.kpca” is not a session of kpca_viewer"):
        load(path)


def test_a_session_nested_too_deeply_is_damaged():
    deep = '{"kpca_viewer": 1, "pins": ' + "[" * 100_000
    with pytest.raises(DataError, match="damaged session"):
        from_text(deep)


def test_a_huge_file_is_refused_before_it_is_read(tmp_path):
    path = tmp_path / "huge.kpca"
    with open(path, "wb") as file:
        file.write(b'{"kpca_viewer": 1, ')
        os.truncate(file.fileno(), 1 << 42)
    with pytest.raises(DataError, match=r"“huge.kpca” needs .* TB"):
        load(path)


def test_a_folder_and_a_missing_file_are_named(tmp_path):
    with pytest.raises(DataError, match="folder"):
        load(tmp_path)
    with pytest.raises(DataError, match=r"“gone.kpca” does not exist"):
        load(tmp_path / "gone.kpca")
    with pytest.raises(DataError, match="not a file name"):
        load(tmp_path / "a\0b.kpca")


def test_a_pipe_is_not_waited_for(tmp_path):
    os.mkfifo(tmp_path / "pipe.kpca")
    with pytest.raises(DataError, match="device"):
        load(tmp_path / "pipe.kpca")


@pytest.mark.parametrize(
    ("error", "says"),
    [
        (PermissionError(13, "Permission denied"), "may not be read"),
        (OSError(5, "Input/output error"), "Input/output error"),
        (MemoryError(), "MemoryError"),
    ],
)
def test_trouble_with_the_disk_is_a_sentence(tmp_path, monkeypatch, error, says):
    path = tmp_path / "a.kpca"
    save(FULL, path)

    def fail(*_):
        raise error

    monkeypatch.setattr(memory, "require", fail)
    with pytest.raises(DataError, match=says):
        load(path)
