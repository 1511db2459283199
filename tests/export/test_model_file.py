import errno
import json
import os
import zipfile
from dataclasses import replace
from itertools import cycle

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.utils.validation import check_is_fitted

from kpca_viewer.core.estimator import model_file, streams
from kpca_viewer.core.estimator.kernel_pca import KernelPCA
from kpca_viewer.core.kernels.kernel import FAMILIES
from kpca_viewer.data.generators import generate
from kpca_viewer.data.raw_rows import RawRows
from kpca_viewer.engine.analysis import analyse
from kpca_viewer.engine.settings import DataSettings, SessionSettings
from kpca_viewer.export.model import load_prepared, save_fitted
from kpca_viewer.support.errors import DataError, ExportError

RANDOM = np.random.default_rng(0)
X = RANDOM.normal(size=(90, 4)) + 1.0
NEW = RANDOM.normal(size=(17, 4)) + 1.0
SOLVERS = ("auto", "dense", "arpack", "randomized", "krylov", "lowrank")


def again(model, folder):
    model.save(folder / "model.npz")
    return KernelPCA.load(folder / "model.npz")


def same(a, b):
    """Whether two arrays agree to the last bit, in the same type."""
    return a.dtype == b.dtype and a.tobytes() == b.tobytes()


@pytest.mark.parametrize(
    ("kernel", "solver"),
    # Low rank needs a definite kernel.
    sorted(
        {("rbf", solver) for solver in SOLVERS}
        | {*zip(FAMILIES, cycle(SOLVERS), strict=False)} - {("sigmoid", "lowrank")}
    ),
)
def test_every_kernel_and_solver_comes_back_bit_for_bit(tmp_path, kernel, solver):
    model = KernelPCA(3, kernel=kernel, gamma=0.2, eigen_solver=solver).fit(X)
    loaded = again(model, tmp_path)
    check_is_fitted(loaded)
    assert same(loaded.transform(NEW), model.transform(NEW))
    assert loaded.get_params() == model.get_params()
    for name in (
        *("eigenvalues_", "eigenvectors_", "eigenvalue_bounds_"),
        *("component_angle_bounds_", "score_bounds_"),
    ):
        assert same(getattr(loaded, name), getattr(model, name))
    for name in ("solver_", "solver_reason_", "rank_", "gamma_", "negative_mass_"):
        assert getattr(loaded, name) == getattr(model, name)
    assert same(loaded.explained_variance_ratio_, model.explained_variance_ratio_)


@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "rbf", "pre_image": "fixed_point"},
        {"kernel": "rbf", "pre_image": "fixed_point", "eigen_solver": "lowrank"},
        {"kernel": "rbf", "alpha": 0.1},
        {"kernel": "poly", "degree": 2, "center": False},
        {"kernel": "cosine", "eigen_solver": "lowrank"},
    ],
)
def test_the_inverse_comes_back_too(tmp_path, options):
    model = KernelPCA(3, gamma=0.2, fit_inverse_transform=True, **options).fit(X)
    loaded = again(model, tmp_path)
    scores = model.transform(NEW)
    assert same(loaded.inverse_transform(scores), model.inverse_transform(scores))
    assert loaded.reconstruction_error_ == model.reconstruction_error_


@pytest.mark.parametrize("in_blocks", [False, True])
@pytest.mark.parametrize(
    "options",
    [
        {"kernel": "linear"},
        {"kernel": "poly", "degree": 2, "gamma": 1.0},
        {"kernel": "rbf", "gamma": 1e-8},
    ],
)
def test_a_model_of_lower_rank_than_asked_comes_back(
    tmp_path, monkeypatch, options, in_blocks
):
    monkeypatch.setattr(streams, "AT_ONCE_ROWS", 1000)
    many = RANDOM.normal(size=(1200, 4))
    rows = [many[:700], many[700:]] if in_blocks else many
    model = KernelPCA(20, **options).fit(rows)
    assert model.rank_ < 20
    loaded = again(model, tmp_path)
    assert same(loaded.transform(NEW), model.transform(NEW))
    assert same(loaded.eigenvalue_bounds_, model.eigenvalue_bounds_)
    assert not model.transform(NEW)[:, model.rank_ :].any()


def test_a_model_of_an_older_version_has_no_angles(tmp_path):
    model = KernelPCA(3, kernel="rbf", gamma=0.2).fit(X)
    assert np.isfinite(model.component_angle_bounds_).all()
    model._found = replace(model._found, angles=None)
    loaded = again(model, tmp_path)
    with zipfile.ZipFile(tmp_path / "model.npz") as archive:
        assert "angles.npy" not in archive.namelist()
    assert same(loaded.transform(NEW), model.transform(NEW))
    assert np.isinf(loaded.component_angle_bounds_).all()
    assert np.isinf(loaded.score_bounds_).all()


def test_float32_and_large_models_come_back(tmp_path):
    many = RANDOM.normal(size=(1500, 2)).astype(np.float32)
    model = KernelPCA(4, kernel="rbf", gamma=1, eigen_solver="lowrank").fit(many)
    assert model.solver_ == "lowrank"
    loaded = again(model, tmp_path)
    assert loaded.X_fit_.dtype == np.float32
    assert same(loaded.landmarks_, model.landmarks_)
    assert same(loaded.transform(many), model.transform(many))


def test_a_model_of_low_rank_and_an_exact_pass_comes_back(tmp_path):
    many = RANDOM.normal(size=(1500, 2))
    model = KernelPCA(4, kernel="rbf", gamma=3).fit(many)
    assert "exact pass" in model.solver_reason_
    assert model.landmarks_ is None
    loaded = again(model, tmp_path)
    assert loaded.landmarks_ is None
    assert loaded.rank_ == model.rank_
    assert same(loaded.transform(many), model.transform(many))


@pytest.mark.parametrize("kind", ["precomputed", "precomputed_distances"])
def test_given_matrices_come_back(tmp_path, kind):
    far = np.linalg.norm(X[:, None] - X, axis=2)
    given = far if kind == "precomputed_distances" else X @ X.T
    model = KernelPCA(3, kernel=kind).fit(given)
    assert same(again(model, tmp_path).transform(given[:9]), model.transform(given[:9]))


@pytest.mark.parametrize("kernel", ["rbf", "linear", "cosine"])
def test_sparse_points_stay_sparse(tmp_path, kernel):
    # No row may be empty, whatever this version of scipy draws.
    points = sp.random(60, 8, 0.4, format="csr", random_state=0)
    points = (points + sp.csr_matrix(np.eye(8)[np.arange(60) % 8])).tocsr()
    model = KernelPCA(2, kernel=kernel).fit(points)
    loaded = again(model, tmp_path)
    assert sp.issparse(loaded.X_fit_)
    assert same(loaded.transform(points), model.transform(points))


def test_names_and_dropped_components_come_back(tmp_path):
    import pandas as pd

    table = pd.DataFrame(X, columns=["a", "b", "=c", "ü"])
    model = KernelPCA(kernel="linear").fit(table)
    loaded = again(model, tmp_path)
    assert list(loaded.feature_names_in_) == ["a", "b", "=c", "ü"]
    assert loaded.transform(table).shape == model.transform(table).shape == (90, 4)
    assert same(loaded.transform(table), model.transform(table))
    assert list(loaded.get_feature_names_out()) == list(model.get_feature_names_out())


def test_numpy_scalars_are_parameters_like_any_other(tmp_path):
    options = {"n_components": np.int64(2), "gamma": np.float64(0.1 + 0.2)}
    model = KernelPCA(kernel="rbf", **options).fit(X)
    assert again(model, tmp_path).get_params()["gamma"] == 0.1 + 0.2


def test_the_file_holds_no_pickle(tmp_path):
    KernelPCA(2, kernel="rbf").fit(X).save(tmp_path / "model.npz")
    with np.load(tmp_path / "model.npz", allow_pickle=False) as file:
        assert file["eigenvectors"].shape == (90, 2)
    with zipfile.ZipFile(tmp_path / "model.npz") as archive:
        description = json.loads(archive.read("model.json"))
    assert description["parameters"]["kernel"] == "rbf"
    assert description["version"] == model_file.VERSION


def test_functions_and_unfitted_models_are_refused(tmp_path):
    model = KernelPCA(2, kernel=lambda a, b: float(a @ b)).fit(X)
    with pytest.raises(ExportError, match="function cannot be saved"):
        model.save(tmp_path / "model.npz")
    with pytest.raises(ExportError, match="not fitted"):
        KernelPCA(2).save(tmp_path / "model.npz")
    state = np.random.RandomState(0)
    with pytest.raises(ExportError, match=r"set_params\(random_state=0\)"):
        KernelPCA(2, random_state=state).fit(X).save(tmp_path / "model.npz")
    model = KernelPCA(2).fit(X).set_params(kernel_params={"f": len})
    with pytest.raises(ExportError, match="kernel_params"):
        model.save(tmp_path / "model.npz")
    assert not list(tmp_path.iterdir())


def rewritten(path, **changes):
    """Write the file again with other members or another description."""
    with zipfile.ZipFile(path) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    description = json.loads(members["model.json"]) | changes.pop("description", {})
    members["model.json"] = json.dumps(description).encode()
    members.update(changes.pop("members", {}))
    with zipfile.ZipFile(path, "w", changes.pop("packing", 0)) as archive:
        for name, content in members.items():
            archive.writestr(name, content)


@pytest.fixture
def file(tmp_path):
    KernelPCA(2, kernel="rbf").fit(X).save(tmp_path / "model.npz")
    return tmp_path / "model.npz"


def test_files_of_the_future_say_so(file):
    rewritten(file, description={"version": 99})
    with pytest.raises(DataError, match="newer kpca_viewer"):
        KernelPCA.load(file)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"description": {"format": "something"}}, "not a model"),
        ({"description": {"parameters": {"colour": 3}}}, "damaged"),
        ({"members": {"eigenvalues.npy": b"nothing"}}, "damaged"),
        ({"packing": zipfile.ZIP_DEFLATED}, "never uses"),
    ],
)
def test_damage_is_named(file, change, message):
    rewritten(file, **change)
    with pytest.raises(DataError, match=message):
        KernelPCA.load(file)


def test_an_array_that_claims_terabytes_is_refused(file):
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000000000,), }"
    fake = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header
    rewritten(file, members={"X.npy": fake})
    with pytest.raises(DataError, match="damaged"):
        KernelPCA.load(file)


def test_pickled_objects_are_never_opened(file, tmp_path):
    np.save(tmp_path / "evil.npy", np.array([{"a": 1}]), allow_pickle=True)
    rewritten(file, members={"X.npy": (tmp_path / "evil.npy").read_bytes()})
    with pytest.raises(DataError, match="damaged"):
        KernelPCA.load(file)


def test_missing_files_and_other_files_are_told_apart(tmp_path):
    with pytest.raises(DataError, match="does not exist"):
        KernelPCA.load(tmp_path / "none.npz")
    (tmp_path / "text.npz").write_text("no zip")
    with pytest.raises(DataError, match="not a model"):
        KernelPCA.load(tmp_path / "text.npz")
    with pytest.raises(DataError, match="cannot be read"):
        KernelPCA.load(tmp_path)


@pytest.mark.parametrize(
    ("number", "message"),
    [
        (errno.ENOSPC, "disk is full"),
        (errno.EROFS, "is read-only"),
        (errno.ENOENT, "does not exist"),
        (errno.EIO, "the system says"),
    ],
)
def test_a_failure_leaves_the_old_file(file, monkeypatch, number, message):
    before = file.read_bytes()

    def fail(*_args):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(model_file.os, "replace", fail)
    with pytest.raises(ExportError, match=message):
        KernelPCA(3).fit(X).save(file)
    assert file.read_bytes() == before
    assert [entry.name for entry in file.parent.iterdir()] == ["model.npz"]


def test_a_folder_is_no_file(tmp_path):
    (tmp_path / "model.npz").mkdir()
    with pytest.raises(ExportError, match="this is a folder"):
        KernelPCA(2).fit(X).save(tmp_path / "model.npz")


def test_rights_and_links_are_kept(file):
    file.chmod(0o640)
    link = file.parent / "link.npz"
    link.symlink_to(file)
    KernelPCA(3, kernel="rbf").fit(X).save(link)
    assert link.is_symlink()
    assert file.stat().st_mode & 0o777 == 0o640
    assert KernelPCA.load(file).n_components == 3


def test_the_model_of_a_picture_prepares_raw_rows(tmp_path):
    result = analyse(
        generate("wine"), SessionSettings(data=DataSettings(scaling="standardise"))
    )
    save_fitted(result, tmp_path / "wine.npz")
    model, rows = load_prepared(tmp_path / "wine.npz")
    assert RawRows.from_json(rows.to_json()) == rows
    scores = model.transform(rows.points(result.dataset))
    np.testing.assert_allclose(scores, result.scores, atol=1e-5)
    # What it keeps besides does not disturb the estimator, which does not use it.
    with pytest.warns(UserWarning, match=r"model of scaled rows \(standardise\)"):
        assert KernelPCA.load(tmp_path / "wine.npz").kernel == "rbf"


def test_old_models_have_no_preparation(file):
    assert load_prepared(file)[1] is None


@pytest.mark.journey
def test_a_model_says_with_which_probability_its_bounds_hold(monkeypatch, tmp_path):
    monkeypatch.setattr("kpca_viewer.core.solvers.choice.ONE_PASS_FROM", 1000)
    X = np.random.default_rng(0).normal(size=(1200, 8))
    model = KernelPCA(
        3, kernel="rbf", gamma=0.05, tol=0.2, certificate="statistical"
    ).fit(X)
    assert model.certificate_ == "statistical"
    model.save(tmp_path / "model.npz")
    assert KernelPCA.load(tmp_path / "model.npz").certificate_ == "statistical"
    assert KernelPCA(3, kernel="rbf").fit(X[:100]).certificate_ == "proven"
