"""The same data for many values of γ, by the numbers that the window shows."""

from kpca_viewer import analyse, generate, sweep

data = generate("moons", seed=0, samples=300, noise=0.1)
swept = sweep(data, parameter="gamma", low=0.1, high=100, steps=7, kernel="rbf")

print("    γ  first two  effective rank  line accuracy  trustworthiness")
for point in swept.points:
    found = point.measures
    print(
        f"{point.value:5.1f}  {found['share_2']:9.1%}  {found['effective_rank']:14.1f}"
        f"  {found['linear_accuracy']:13.1%}  {found['trustworthiness']:15.3f}"
    )

result = analyse(data)
suggested = result.suggestion.values["gamma"]
print(f"suggested: γ = {suggested:.2f}, by {result.suggestion.grounds}")
