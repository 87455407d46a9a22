"""How each model is put together: the scaling it needs, and settings that suit rare classes.

No class weights: they raise recall at a fixed threshold, but a ranking has none, and on rare
classes they were measured to cost average precision and time.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib import import_module
from inspect import signature
from typing import Any

from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.utils import get_tags

from rarefind.core.errors import ParameterError
from rarefind.detection.component_ranker import ComponentRanker
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.ranker import RareRanker
from rarefind.features.unit_spread import UnitSpread
from rarefind.kernels.contract import Kernel


def lago(*, target: Any = None, **params: Any) -> Pipeline:
    """LAGO as published, in Euclidean geometry."""
    return make_pipeline(*_steps(_built(Lago, {"target": target}, params), owner="Lago"))


def lago_density(*, target: Any = None, **params: Any) -> Pipeline:
    """LAGO that also heeds the background's density around the record it scores."""
    usual = {"target": target, "density_correction": True}
    return make_pipeline(*_steps(_built(Lago, usual, params), owner="Lago"))


def sphere_lago(*, target: Any = None, **params: Any) -> Lago:
    """LAGO on the unit sphere, with the published profile; directions are not scaled."""
    return _built(Lago, {"target": target, "geometry": "sphere"}, params)


def svm(*, target: Any = None, **params: Any) -> RareRanker:
    """Soft-margin support vector machine with a Gaussian kernel."""
    return _scaled("sklearn.svm:SVC", {"C": 10.0}, params, target)


def svm_hard(*, target: Any = None, **params: Any) -> RareRanker:
    """Support vector machine that allows (nearly) no error, with a Gaussian kernel."""
    return _scaled("sklearn.svm:SVC", {"C": 1e6, "max_iter": 1_000_000}, params, target)


def logistic(*, target: Any = None, **params: Any) -> RareRanker:
    """Logistic regression by Newton's method."""
    usual = {"solver": "newton-cg", "max_iter": 1000}
    return _scaled("sklearn.linear_model:LogisticRegression", usual, params, target)


def logistic_ml(*, target: Any = None, **params: Any) -> RareRanker:
    """Logistic regression by maximum likelihood: no penalty, coefficients as in textbooks."""
    return _plain("rarefind.detection.linear.logistic:LogisticML", {}, params, target)


def logistic_sgd(*, target: Any = None, **params: Any) -> RareRanker:
    """Logistic regression by stochastic gradient descent, until the likelihood is greatest."""
    usual = {"random_state": 0}
    return _plain("rarefind.detection.linear.logistic:LogisticSGD", usual, params, target)


def perceptron(*, target: Any = None, **params: Any) -> RareRanker:
    """Rosenblatt's perceptron: passes until it separates what can be separated."""
    usual = {"random_state": 0}
    return _scaled("rarefind.detection.linear.perceptron:Perceptron", usual, params, target)


def fisher(*, target: Any = None, **params: Any) -> RareRanker:
    """Fisher's discriminant without shrinkage, worked out as in textbooks."""
    return _plain("rarefind.detection.linear.fisher:FisherDiscriminant", {}, params, target)


def lda(*, target: Any = None, **params: Any) -> RareRanker:
    """Linear discriminant analysis with a shrunken covariance, so many features do no harm."""
    usual = {"solver": "lsqr", "shrinkage": "auto"}
    name = "sklearn.discriminant_analysis:LinearDiscriminantAnalysis"
    return _scaled(name, usual, params, target)


def forest(*, target: Any = None, **params: Any) -> RareRanker:
    """Extremely randomised trees; numbers may be missing."""
    usual = {"n_estimators": 200, "random_state": 0}
    return _scaled("sklearn.ensemble:ExtraTreesClassifier", usual, params, target)


def boosting(*, target: Any = None, **params: Any) -> RareRanker:
    """Gradient boosting of trees on histograms; numbers may be missing."""
    usual = {"random_state": 0}
    return _scaled("sklearn.ensemble:HistGradientBoostingClassifier", usual, params, target)


def neighbours(*, target: Any = None, **params: Any) -> RareRanker:
    """Votes of the nearest labelled records, near ones more."""
    return _scaled("rarefind.detection.neighbour_votes:NeighbourVotes", {}, params, target)


def kernel_logistic(*, target: Any = None, **params: Any) -> RareRanker:
    """Kernel logistic regression: a ranking with probabilities, those of the mix of labels."""
    name = "rarefind.detection.kernel.logistic:KernelLogisticRegression"
    return _scaled(name, {}, params, target)


def kernel_fisher(*, target: Any = None, **params: Any) -> RareRanker:
    """Kernel Fisher discriminant."""
    name = "rarefind.detection.kernel.fisher:KernelFisherDiscriminant"
    return _scaled(name, {}, params, target)


def kernel_perceptron(*, target: Any = None, **params: Any) -> RareRanker:
    """Perceptron in a kernel's feature space."""
    name = "rarefind.detection.kernel.perceptron:KernelPerceptron"
    return _scaled(name, {"random_state": 0}, params, target)


def mkl(*, target: Any = None, **params: Any) -> RareRanker:
    """SimpleMKL: a weighted sum of kernels, the weights learnt with the machine."""
    if "kernel" in params:  # as other models call it: the terms of a sum are weighed
        params["kernels"] = params.pop("kernel")
    return _scaled("rarefind.detection.kernel.mkl:SimpleMKL", {}, params, target)


def pca(*, target: Any = None, **params: Any) -> RareRanker:
    """Linear discriminant in the principal components that hold most of the variance."""
    usual = {"n_components": 0.95, "svd_solver": "full"}
    return _components("sklearn.decomposition:PCA", usual, params, target)


def kernel_pca(*, target: Any = None, **params: Any) -> RareRanker:
    """Linear discriminant in the principal components of a Gaussian kernel's feature space."""
    return _components("rarefind.detection.kernel.components:KernelComponents", {}, params, target)


def auto(*, target: Any = None, **params: Any) -> Any:
    """Average the rankings of several models."""
    return _load("rarefind.detection.auto.detector:AutoDetector", {"target": target}, params)


def without_scaling(model: Any) -> Any:
    """Take the scaling out of a model of ours: vectors are then taken as they are."""
    if hasattr(model, "steps"):
        return Pipeline([step for step in model.steps if not isinstance(step[1], UnitSpread)])
    if hasattr(model, "candidates"):
        return model.set_params(scale=False)
    if hasattr(model, "estimator"):
        return model.set_params(estimator=without_scaling(model.estimator))
    return model


def _scaled(path: str, usual: Mapping[str, Any], params: Mapping[str, Any], target: Any) -> Any:
    return RareRanker(make_pipeline(*_steps(_load(path, usual, params))), target=target)


def _plain(path: str, usual: Mapping[str, Any], params: Mapping[str, Any], target: Any) -> Any:
    """Leave the units of the features: the learner sees to their size itself."""
    return RareRanker(_load(path, usual, params), target=target)


def _components(path: str, usual: Mapping[str, Any], params: Mapping[str, Any], target: Any) -> Any:
    discriminant = LinearDiscriminantAnalysis(solver="lsqr", shrinkage="auto")
    steps = make_pipeline(*_steps(_load(path, usual, params)), discriminant)
    return ComponentRanker(steps, target=target)


def _steps(learner: Any, owner: str = "UnitSpread") -> tuple[Any, ...]:
    """Put the scaling before a learner that compares vectors, and nothing before any other."""
    tags = get_tags(learner).input_tags
    kernel = getattr(learner, "kernel", None)
    # scikit-learn's SVC cannot say that its kernel takes strings.
    vectors = kernel.takes_vectors if isinstance(kernel, Kernel) else tags.two_d_array
    if not vectors or tags.pairwise:
        return (learner,)
    # Where the model understands gaps, the scaling before it lets them through.
    return UnitSpread(owner, allow_missing=bool(tags.allow_nan)), learner


def _load(path: str, usual: Mapping[str, Any], params: Mapping[str, Any]) -> Any:
    module, _, attribute = path.partition(":")
    return _built(getattr(import_module(module), attribute), usual, params)


def _built(make: Callable[..., Any], usual: Mapping[str, Any], params: Mapping[str, Any]) -> Any:
    taken = signature(make).parameters
    unknown = ", ".join(repr(name) for name in params if name not in taken)
    if unknown:
        raise ParameterError(
            f"{make.__name__} does not take these parameters: {unknown}. It takes "
            f"{', '.join(name for name in taken if name not in ('target', 'self'))}."
        )
    return make(**{**usual, **params})
