"""Results, sweeps and choices as Python shows them."""

import re
from io import BytesIO

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from sklearn.datasets import load_wine, make_circles
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import StandardScaler

import kpca_viewer
from kpca_viewer import KernelPCA, generate
from kpca_viewer.support.errors import DataError

X, Y = make_circles(80, factor=0.3, noise=0.05, random_state=0)


def test_a_sweep_has_the_numbers_of_the_estimator():
    swept = kpca_viewer.sweep(X, Y, "gamma", 0.5, 8, steps=3, kernel="laplacian")
    assert repr(swept) == "<SweepResult of 3 values: γ = 0.5 … γ = 8>"
    frame = swept.frame()
    assert frame["gamma"].tolist() == [0.5, 2, 8]
    for point, share in zip(swept.points, frame["share_2"], strict=True):
        model = KernelPCA(10, kernel="laplacian", gamma=point.value).fit(X)
        assert share == pytest.approx(model.explained_variance_ratio_[:2].sum())
    assert swept._repr_html_().count("<tr>") == 4
    with pytest.raises(DataError, match="cannot be swept"):
        kpca_viewer.sweep(X, parameter="colour")


def test_a_choice_is_a_pipeline_with_its_scaling():
    bunch = load_wine()
    found = kpca_viewer.choose(
        bunch.data, bunch.target, kernels=["rbf"], scaling="standardise", repeats=1
    )
    pipeline = found.pipeline()
    row = found.chosen
    same = make_pipeline(
        StandardScaler(),
        KernelPCA(row.components, kernel=row.line.family, **row.kernel.values),
    )
    np.testing.assert_allclose(
        np.abs(pipeline.fit_transform(bunch.data)),
        np.abs(same.fit_transform(bunch.data)),
        atol=1e-8,
    )
    assert repr(row.kernel) in repr(found)
    assert found._repr_html_().count("<tr>") == 1 + len(found.rows)
    plain = kpca_viewer.choose(X, Y, kernels=["rbf"], repeats=1).pipeline()
    assert [type(step).__name__ for _, step in plain.steps] == ["KernelPCA"]


def test_columns_are_scaled_as_they_were_chosen():
    wine = generate("wine")
    columns = {"proline": "log", "alcohol": "minmax"}
    found = kpca_viewer.choose(
        wine, kernels=["linear"], column_scaling=columns, repeats=1
    )
    step = found.pipeline()[0]
    scaled = step.fit_transform(wine.points)
    at = [wine.feature_names.index(name) for name in columns]
    logs = np.log(wine.points[:, at[0]])
    np.testing.assert_allclose(scaled[:, at[0]], (logs - logs.mean()) / logs.std())
    assert np.ptp(scaled[:, at[1]]) == pytest.approx(1)
    frame = pd.DataFrame(wine.points, columns=wine.feature_names)
    found = kpca_viewer.choose(frame, wine.labels, kernels=["linear"], repeats=1)
    assert found.pipeline()[0].how == "standardise"


def test_classes_come_with_the_points():
    assert kpca_viewer.analyse(X, y=Y).dataset.labels.tolist() == Y.tolist()
    with pytest.raises(DataError, match="give classes as y"):
        kpca_viewer.analyse(X, Y)


def test_a_result_is_short_and_shows_itself():
    rows = generate("moons", samples=50)
    result = kpca_viewer.analyse(rows, kernel={"kernel": "rbf", "gamma": 4})
    assert len(repr(result)) < 200
    assert "rbf(gamma=4.0)" in repr(result)
    assert Image.open(BytesIO(result._repr_png_())).format == "PNG"
    page = result._repr_html_()
    assert re.match('<iframe sandbox="allow-scripts allow-downloads"', page)
    assert "&quot;columns&quot;: [{&quot;name&quot;: &quot;class&quot;" in page
    many = kpca_viewer.analyse(generate("circles", samples=20_001))
    assert many._repr_html_() is None
