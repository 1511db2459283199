"""In place of scikit-learn's KernelPCA: the same calls, and bounds on top."""

from sklearn.datasets import make_circles
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import make_pipeline

from kpca_viewer import KernelPCA

X, y = make_circles(2000, factor=0.3, noise=0.05, random_state=0)

model = KernelPCA(4, kernel="rbf", gamma=10).fit(X)
print(f"solver {model.solver_}, rank {model.rank_}: {model.solver_reason_}")
for value, (low, high), share in zip(
    model.eigenvalues_,
    model.eigenvalue_bounds_,
    model.explained_variance_ratio_,
    strict=True,
):
    print(f"μ = {value:9.4f}  between {low:9.4f} and {high:9.4f}  {share:6.2%}")

# As few components as are proven to hold 90 % of the variance.
enough = KernelPCA(0.9, kernel="rbf", gamma=10).fit(X)
print(f"{enough.n_components_} components hold 90 %")

# It is an estimator like any other.
pipeline = make_pipeline(KernelPCA(2, kernel="rbf"), LogisticRegression())
search = GridSearchCV(pipeline, {"kernelpca__gamma": [0.01, 0.1, 1, 10]}, cv=3)
search.fit(X[:500], y[:500])
gamma = search.best_params_["kernelpca__gamma"]
print(f"best γ = {gamma}: {search.score(X[500:], y[500:]):.1%} of new rows are right")
