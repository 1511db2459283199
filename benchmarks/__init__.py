"""Side by side with scikit-learn and pyqtgraph; run by ``make bench``."""
