"""What a notebook has becomes a data set."""

import numpy as np
import pandas as pd
import pytest

from kpca_viewer.data.frames import of_arrays
from kpca_viewer.support.errors import DataError


def test_points_alone():
    dataset = of_arrays([[1, 2], [3, 4], [5, 6]], name="mine")
    assert (dataset.n, dataset.d, dataset.name) == (3, 2, "mine")
    assert dataset.labels is None


def test_classes_of_any_kind_are_numbered_in_order():
    dataset = of_arrays(np.eye(3), ["b", "a", "b"])
    assert dataset.labels.tolist() == [1, 0, 1]
    assert dataset.label_names == ("a", "b")


def test_a_frame_names_the_features():
    frame = pd.DataFrame({"height": [1.0, 2.0], "width": [3.0, 4.0]})
    assert of_arrays(frame, [0, 1]).feature_names == ("height", "width")


def test_text_is_refused_with_a_sentence():
    with pytest.raises(DataError, match="not all numbers"):
        of_arrays([["a", "b"]])
