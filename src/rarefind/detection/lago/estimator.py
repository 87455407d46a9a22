"""LAGO: rank records by their nearness to a few known examples, in any geometry."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, Literal

import numpy as np
from scipy import sparse
from sklearn.base import BaseEstimator
from sklearn.utils import Tags
from sklearn.utils.validation import check_is_fitted

from rarefind.core.arrays import FloatArray, Records, take
from rarefind.core.params import (
    BOOLEAN,
    NOTHING,
    Constraint,
    Integer,
    Is,
    Number,
    OneOf,
    check_params,
)
from rarefind.detection.kernel.learner import is_vector_kernel
from rarefind.detection.lago.checks import check_bandwidth, check_directions
from rarefind.detection.lago.density import local_radii
from rarefind.detection.lago.fitting import TargetFit, fit_target
from rarefind.detection.lago.profiles import PROFILES, profile_name
from rarefind.detection.lago.votes import Vote, Voters, explain_votes
from rarefind.detection.targets import RanksTargets, choose_targets, place_of_target
from rarefind.detection.training import (
    fitted_kernel,
    one_record,
    read_queries,
    read_training,
    read_weights,
)
from rarefind.geometry import Measure, measure_for
from rarefind.kernels import Kernel, make_kernel


class Lago(RanksTargets, BaseEstimator):
    """Rank records for a rare class by the votes of its known examples.

    Every known example votes for the records around it. Its vote reaches as far as ordinary
    records are away: ``r_i`` is the mean distance to its K nearest background records, and the
    score is ``f(x) = mean_i φ(d(x, x_i) / (α r_i))``. An example deep in rare territory votes
    widely, one among ordinary records only next to itself. One known example is enough.

    Parameters
    ----------
    geometry
        ``"euclidean"`` (distances) or ``"sphere"`` (angles, for texts and other directions).
    profile
        How a vote falls with ``z = d/(α r)``: ``"gaussian"`` exp(-z²/2), ``"triangular"`` 1-z,
        ``"uniform"`` 1 up to z=1, ``"cosine"`` cos z up to z=π/2. ``"auto"`` is what was published:
        cosine on the sphere, else Gaussian (exp(-z²) in R's ``lago``, so its α is √2 times ours).
    bandwidth
        ``"scalar"``: one radius per example. ``"diagonal"``: one per example and feature, for
        vectors in Euclidean geometry.
    alpha
        Width of the votes in radii, or ``"auto"``: the best leave-one-out average precision.
    n_neighbors
        K, or ``"auto"``. A K above the number of background records is lowered with a warning.
    kernel
        A kernel (or its name) whose distance or angle is used, so that records may be strings,
        texts, trees or graphs. None: the records are vectors, taken as they are, so scale their
        features before; or a table with words, dates or gaps, compared as Hunt compares it.
    target
        The class to rank for, or a list of classes. None: the smaller of two classes; of more,
        all but the largest.
    density_correction
        Whether the density of the background around the record that is scored may count as well
        as that around the examples. How much is tuned: the share ``s`` of its radius ``r(x)`` in
        the bandwidth ``α r_i^(1-s) r(x)^s``, and the power of ``r(x)`` that multiplies the score.
        Ranks better where density varies, and is slower: the neighbours of every record among at
        most 50,000 background records are sought.
    order_zeros
        Whether records that nobody votes for (profiles that end) are ordered as the Gaussian
        profile would order them. Otherwise they are tied at the bottom.

    Attributes
    ----------
    classes_
        All classes; of two, the one ranked for comes last.
    targets_, background_class_
        The classes ranked for, and the largest of the others.
    alpha_, n_neighbors_, density_share_, density_power_, offset_
        What was chosen, one entry per target. Scores are shifted by the offset so that zero is
        the cut with the best leave-one-out F1.
    average_precision_
        Leave-one-out average precision of the choice, per target; NaN with one example only,
        where nothing can be left out. Then α=1 and K=5 are taken: neither changes the order.
    trials_
        All settings tried, one list per target.
    centres_, centre_rows_, centre_targets_, radii_, centre_weights_
        The known examples: records, rows of the training data, which target each belongs to
        (position in ``targets_``), radii and weights.
    background_, background_weights_, background_targets_, density_floor_
        What the density correction needs; empty where it is not used.

    Examples
    --------
    >>> import numpy as np
    >>> rng = np.random.default_rng(0)
    >>> X = np.vstack([rng.normal(size=(200, 2)), rng.normal(3.0, 0.1, size=(5, 2))])
    >>> y = ["ordinary"] * 200 + ["rare"] * 5
    >>> model = Lago().fit(X, y)
    >>> model.decision_function([[3.0, 3.0], [0.0, 0.0]]).round(1)
    array([ 0.2, -1.9])
    >>> model.predict([[3.0, 3.0], [0.0, 0.0]]).tolist()
    ['rare', 'ordinary']
    >>> [vote.row for vote in model.explain([3.0, 3.0], most=2)]
    [204, 200]
    """

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "geometry": [OneOf("euclidean", "sphere")],
        "profile": [OneOf("auto", *PROFILES)],
        "bandwidth": [OneOf("scalar", "diagonal")],
        "alpha": [Number(0, closed="neither"), OneOf("auto")],
        "n_neighbors": [Integer(1), OneOf("auto")],
        "kernel": [
            NOTHING,
            Is("a rarefind kernel or its name", lambda value: isinstance(value, Kernel | str)),
        ],
        "density_correction": [BOOLEAN],
        "order_zeros": [BOOLEAN],
    }

    def __init__(
        self,
        geometry: Literal["euclidean", "sphere"] = "euclidean",
        *,
        profile: Literal["auto", "gaussian", "triangular", "uniform", "cosine"] = "auto",
        bandwidth: Literal["scalar", "diagonal"] = "scalar",
        alpha: float | Literal["auto"] = "auto",
        n_neighbors: int | Literal["auto"] = "auto",
        kernel: Kernel | str | None = None,
        target: Any = None,
        density_correction: bool = False,
        order_zeros: bool = True,
    ) -> None:
        self.geometry = geometry
        self.profile = profile
        self.bandwidth = bandwidth
        self.alpha = alpha
        self.n_neighbors = n_neighbors
        self.kernel = kernel
        self.target = target
        self.density_correction = density_correction
        self.order_zeros = order_zeros

    def fit(self, X: Records, y: Any, sample_weight: Any = None) -> Lago:
        """Learn the radii, and the settings left to ``"auto"``, from labelled records.

        Parameters
        ----------
        X
            Vectors (dense or sparse), a table of pandas, polars or Arrow, or records of the
            kernel.
        y
            The label of every record.
        sample_weight
            A record of weight two counts as two equal records; without weight it is left out.
        """
        check_params(self, self._params)
        check_bandwidth(self.bandwidth, self.geometry, self.kernel)
        kernel = None if self.kernel is None else make_kernel(self.kernel)
        records, labels = read_training(self, X, y, kernel)
        weight = read_weights(sample_weight, len(labels), type(self).__name__)
        kept = np.flatnonzero(weight > 0)
        if len(kept) < len(weight):
            records, labels, weight = take(records, kept), labels[kept], weight[kept]
        targets = choose_targets(labels, self.target, weight, type(self).__name__)
        self.kernel_ = fitted_kernel(kernel, records)
        if self.kernel_ is not None and self.geometry == "euclidean":
            # Here, not when scoring: models saved before there was such a place score as they did.
            self.kernel_ = self.kernel_.for_distances()
        if self.bandwidth == "diagonal" and sparse.issparse(records):
            records = records.toarray()
        if self.geometry == "sphere":
            check_directions(records, self.kernel_)
        fits = [
            fit_target(self, records, labels == name, weight, self._measure())
            for name in targets.wanted
        ]
        self._rank_for(targets)
        self.alpha_ = np.array([fit.best.alpha for fit in fits])
        self.n_neighbors_ = np.array([fit.best.n_neighbors for fit in fits])
        self.density_share_ = np.array([fit.best.density_share for fit in fits])
        self.density_power_ = np.array([fit.best.density_power for fit in fits])
        self.average_precision_ = np.array([fit.best.average_precision for fit in fits])
        self.offset_ = np.array([fit.offset for fit in fits])
        self.trials_ = [fit.trials for fit in fits]
        rows = np.concatenate([fit.rows for fit in fits])
        self.centre_rows_ = kept[rows]
        self.centres_ = take(records, rows)
        self.centre_targets_ = np.repeat(np.arange(len(fits)), [len(fit.rows) for fit in fits])
        self.radii_ = np.concatenate([fit.radii for fit in fits])
        self.centre_weights_ = weight[rows]
        self._keep_background(records, weight, fits)
        return self

    def decision_function(self, X: Records) -> FloatArray:
        """Score records; higher is more like the target, above zero is predicted to be it.

        One number per record for one target, a column per target for a list of targets. With
        more than two classes and no target named, a column per class as scikit-learn expects;
        the background's is zero.
        """
        records = self._read(X)
        columns = range(len(self.targets_))
        scores = np.column_stack([self._scores(column, records) for column in columns])
        return self._decisions(scores)

    def votes(self, X: Records) -> FloatArray:
        """Give the mean vote f(x) as published: one number per record, or a column per target."""
        records = self._read(X)
        columns = range(len(self.targets_))
        sums = np.column_stack([self._voters(column, 0.0).sums(records) for column in columns])
        return sums[:, 0] if sums.shape[1] == 1 else sums

    def explain(self, x: Any, *, target: Any = None, most: int | None = None) -> list[Vote]:
        """Tell which known examples vote for one record, strongest vote first.

        ``target`` is needed only where several classes are ranked for; ``most`` limits the list.
        """
        check_is_fitted(self)
        column = place_of_target(target, self.targets_.tolist(), "Lago.explain")
        records = self._read(one_record(x, vectors=is_vector_kernel(self.kernel_)))
        rows = self.centre_rows_[self.centre_targets_ == column]
        share = self.density_share_[column]
        stretch = self._local(column, records) ** share if share else None
        return explain_votes(self._voters(column, share), records, rows, stretch)[:most]

    def _read(self, X: Records) -> Records:
        kernel = self.kernel_ if hasattr(self, "kernel_") else None
        records = read_queries(self, X, kernel)
        if self.bandwidth == "diagonal" and sparse.issparse(records):
            return records.toarray()
        return records

    def _measure(self) -> Measure:
        return measure_for(self.kernel_, angle=self.geometry == "sphere")

    def _scores(self, column: int, records: Records) -> FloatArray:
        share, power = self.density_share_[column], self.density_power_[column]
        voters = self._voters(column, share)
        if not share and not power:
            return voters.logarithms(records) - self.offset_[column]
        local = self._local(column, records)
        scores = voters.logarithms(records, local**share if share else None)
        return scores + power * np.log(local) - self.offset_[column]

    def _local(self, column: int, records: Records) -> FloatArray:
        mine = np.flatnonzero(self.background_targets_ == column)
        return local_radii(
            records,
            take(self.background_, mine),
            self.background_weights_[mine],
            self._measure(),
            self.density_floor_[column],
        )

    def _keep_background(self, records: Records, weight: FloatArray, fits: list[TargetFit]) -> None:
        """Keep the background records that scores are corrected by, if any are."""
        rows = np.concatenate([fit.density_rows for fit in fits])
        sizes = [len(fit.density_rows) for fit in fits]
        self.background_, self.background_weights_ = take(records, rows), weight[rows]
        self.background_targets_ = np.repeat(np.arange(len(fits)), sizes)
        self.density_floor_ = np.array([fit.density_floor for fit in fits])

    def _voters(self, column: int, share: float) -> Voters:
        mine = np.flatnonzero(self.centre_targets_ == column)
        weights = self.centre_weights_[mine]
        return Voters(
            take(self.centres_, mine),
            self.alpha_[column] * self.radii_[mine] ** (1.0 - share),
            weights / weights.sum(),
            profile_name(self.profile, self.geometry),
            self._measure(),
            self.order_zeros,
        )

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        if not is_vector_kernel(self.kernel):
            tags.input_tags.two_d_array = False
            tags.input_tags.string = True
        return tags
