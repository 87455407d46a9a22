"""
Fraud in a table of payments
============================

Two patterns of fraud hide among 4,000 payments: twelve gift-card purchases just below a limit at
night, and twenty refunds of nearly the same amount to one kind of shop. Nobody has labelled any.
"""

from __future__ import annotations

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

import rarefind as rf

# %%
# The table mixes numbers and categories; that is all right.
rng = np.random.default_rng(7)


def payments(n, amount, hour, shops, spread):
    return pd.DataFrame(
        {
            "amount": np.exp(rng.normal(np.log(amount), spread, n)).round(2),
            "hour": np.mod(rng.normal(hour, 4 if spread > 0.5 else 0.2, n), 24).round(1),
            "shop": rng.choice(shops, n),
        }
    )


table = pd.concat(
    [
        payments(4000, 40, 14, ["grocery", "fuel", "clothes", "travel", "games"], 0.9),
        payments(12, 495, 3, ["gift cards"], 0.01),
        payments(20, 120, 20, ["games"], 0.01),
    ],
    ignore_index=True,
)
truth = np.repeat(["fine", "gift-card fraud", "refund loop"], [4000, 12, 20])

# %%
# rarefind asks; here the known truth answers instead of an analyst.
hunt = rf.Hunt(table, background="fine")
while len(hunt.found) < 2 and len(hunt.labels) < 200:
    question = hunt.ask()
    hunt.tell(question.row, str(truth[question.row]))
print(f"{len(hunt.labels)} labels; first examples: {hunt.found}")
print("The last question:", question.why)

# %%
# Random sampling would have needed this many labels on average:
print(round(rf.evaluation.random_labels_needed([12, 20], len(table))))

# %%
# Where the questions were: the patterns are tight knots, one at the edge, one inside the crowd.
figure, axes = plt.subplots(figsize=(7, 4))
axes.scatter(table["hour"], table["amount"], s=4, color="#c4ccd4", linewidths=0)
for place, (row, label) in enumerate(hunt.labels.items(), start=1):
    colour = {"fine": "#22303c", "gift-card fraud": "#d55e00", "refund loop": "#0072b2"}[label]
    axes.scatter(table["hour"][row], table["amount"][row], s=36, color=colour)
    axes.annotate(str(place), (table["hour"][row], table["amount"][row]), fontsize=8)
axes.set(yscale="log", xlabel="hour", ylabel="amount", title="Questions in the order asked")
plt.show()

# %%
# Then every payment is ranked for one of the patterns, from the few examples there are.
told = list(hunt.labels)
by_column = (
    rf.kernels.On("amount", rf.kernels.Gaussian(50.0))
    + rf.kernels.On("hour", rf.kernels.Gaussian(2.0))
    + rf.kernels.On("shop", rf.kernels.Normalized(rf.kernels.Spectrum(3)))
)
model = rf.Lago(kernel=by_column, target="gift-card fraud")
model.fit(table.iloc[told], [hunt.labels[row] for row in told])
scores = model.decision_function(table)
top = np.argsort(-scores)[:12]
print(f"{(truth[top] == 'gift-card fraud').sum()} of the twelve ranked first are gift-card fraud")
