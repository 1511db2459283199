"""The scikit-learn side: KernelPCA, its checks, its model files."""
