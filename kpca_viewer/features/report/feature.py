"""One document of data, kernel, pictures, numbers and code."""

from kpca_viewer.engine.feature import Feature

FEATURE = Feature("report", commands={"report": "kpca_viewer.cli.report"})
