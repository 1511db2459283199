import numpy as np

from kpca_viewer.widgets.plots.cloud_drawing import density_image

PALETTE = np.array([[255, 0, 0], [0, 255, 0], [0, 0, 255]], dtype=np.uint8)


def test_cells_show_the_most_frequent_class_and_empty_ones_nothing():
    cells = np.array([0, 0, 0, 2, 5])
    image = density_image(
        cells, (2, 3), np.array([0, 1, 1, 2, 0]), PALETTE, ordered=False
    )
    assert image.shape == (2, 3, 4)
    assert image[0, 0, :3].tolist() == [0, 255, 0]
    assert image[0, 2, :3].tolist() == [0, 0, 255]
    assert image[1, 2, :3].tolist() == [255, 0, 0]
    assert image[0, 1, 3] == image[1, 0, 3] == 0


def test_opacity_grows_with_the_logarithm_of_the_count():
    cells = np.repeat([0, 1, 2], [1, 30, 1000])
    alpha = density_image(
        cells, (1, 4), np.zeros(len(cells), int), PALETTE, ordered=False
    )[0, :, 3].astype(int)
    assert alpha[2] == 255
    assert 40 < alpha[0] < alpha[1] < alpha[2]
    assert abs((alpha[1] - alpha[0]) - (alpha[2] - alpha[1])) < 30


def test_scales_show_the_mean():
    image = density_image(
        np.array([0, 0]), (1, 1), np.array([0, 2]), PALETTE, ordered=True
    )
    assert image[0, 0, :3].tolist() == [0, 255, 0]


def test_nothing_gives_an_empty_picture():
    empty = np.empty(0, dtype=np.int64)
    for ordered in (True, False):
        assert not density_image(empty, (2, 2), empty, PALETTE, ordered=ordered).any()
