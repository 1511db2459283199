"""The page that derives kernel PCA on the numbers on the screen."""
