"""A damaged model file is refused when it is loaded, in one sentence."""

import json

import pytest

from kpca_viewer.data.generators import generate
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.export.model import load_prepared, save_fitted
from kpca_viewer.support.errors import DataError
from tests.export.model_mutations import (
    ODD_VALUES,
    damaged_arrays,
    damaged_values,
    members,
    models,
    verdict,
    write,
)

KINDS = models()
UNUSED = {
    *(("row_means.npy", title) for title in ("one fewer", "one more", "NaN")),
    *(("spectrum.npy", title) for title in ("one fewer", "one more")),
}
"""Of a low-rank model: it has no row means, and any number of eigenvalues."""


@pytest.fixture(params=KINDS)
def file(request, tmp_path):
    path = tmp_path / "model.npz"
    KINDS[request.param].save(path)
    assert verdict(path) is None
    return path


def is_a_sentence(text):
    return (
        text.startswith("“model.npz” is ")
        and text.endswith(("with KernelPCA.save.", "choose another file."))
        and "Error" not in text
        and "\n" not in text
        and len(text) < 300
    )


@pytest.mark.filterwarnings("error")
def test_no_array_can_be_wrong_unnoticed(file):
    description, parts = members(file)
    low_rank = "landmark_mean.npy" in parts
    for name, content in parts.items():
        for title, changed in damaged_arrays(content):
            others = {other: parts[other] for other in parts if other != name}
            write(
                file,
                description,
                others if changed is None else others | {name: changed},
            )
            said = verdict(file)
            if low_rank and (name, title) in UNUSED:
                continue
            assert said is not None, (name, title)
            assert is_a_sentence(said), (name, title, said)
            if title in ("missing", "texts"):
                assert f"“{name.removesuffix('.npy')}”" in said


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("file", ["ridge", "landmarks"], indirect=True)
def test_no_value_can_be_wrong_and_fail_later(file):
    description, parts = members(file)
    for title, changed in damaged_values(description, (None, "x", -1, 10**400)):
        write(file, changed, parts)
        said = verdict(file)
        # Some values are as good as others, such as another seed; those must work, or
        # say what every model of that kernel would.
        of_kernel = said is not None and said.startswith(
            "on use: The polynomial kernel"
        )
        assert said is None or of_kernel or is_a_sentence(said), (title, said)


def test_what_it_says_about_raw_rows_is_checked_too(tmp_path):
    result = analyse(
        generate("wine"), SessionSettings(data=DataSettings(scaling="standardise"))
    )
    path = tmp_path / "model.npz"
    save_fitted(result, path)
    description, parts = members(path)
    kept = dict(description["preparation"])
    names = kept["feature_names"]
    for key in kept:
        for odd in (*ODD_VALUES, names[1:], [1.0] * 12, [float("nan")] * 13):
            if key == "label_names" and odd == names[1:]:
                continue  # As good as any other.
            description["preparation"] = kept | {key: odd}
            write(path, description, parts)
            try:
                _, rows = load_prepared(path)
            except DataError:
                continue
            assert rows.points(result.dataset).shape == (178, 13), (key, odd)
    fewer = {
        key: kept[key][1:] for key in ("feature_names", "typical", "shift", "factor")
    }
    description["preparation"] = kept | fewer
    write(path, description, parts)
    with pytest.raises(DataError, match="prepares 12 features for a model of 13"):
        load_prepared(path)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"gamma": "0.5"}, "“gamma” is not a number"),
        ({"n_features": 7}, "speaks of 7 features, but has 3"),
        ({"feature_names": ["a"]}, "has 1 names for 3 features"),
        ({"parameters": {"colour": 3}}, "KernelPCA has no parameter 'colour'"),
        ({"parameters": {"center": "no"}}, "center is 'no'; it must be True or False"),
        ({"version": "new"}, "does not say of which format it is"),
        ({"fixed_point": True}, "do not fit its inverse transform"),
    ],
)
def test_the_sentence_names_what_is_wrong(tmp_path, change, words):
    path = tmp_path / "model.npz"
    KINDS["ridge"].save(path)
    description, parts = members(path)
    parameters = change.pop("parameters", {})
    description["parameters"] |= parameters
    write(path, json.loads(json.dumps(description | change)), parts)
    assert words in verdict(path)
