from __future__ import annotations

import io
import json
import zipfile

import numpy as np
import pytest
from scipy import sparse
from sklearn.compose import ColumnTransformer
from sklearn.decomposition import PCA
from sklearn.discriminant_analysis import LinearDiscriminantAnalysis
from sklearn.ensemble import (
    ExtraTreesClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.linear_model import LogisticRegression, Perceptron, SGDClassifier
from sklearn.neighbors import KNeighborsClassifier
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, StandardScaler
from sklearn.svm import SVC, LinearSVC

from rarefind.core.errors import DataError, NotAvailableError, RarefindWarning
from rarefind.detection import load, save
from rarefind.detection.auto.detector import AutoDetector
from rarefind.detection.files.boosting import boosting_parts, restore_boosting
from rarefind.detection.kernel.fisher import KernelFisherDiscriminant
from rarefind.detection.kernel.logistic import KernelLogisticRegression
from rarefind.detection.kernel.mkl import SimpleMKL
from rarefind.detection.kernel.perceptron import KernelPerceptron
from rarefind.detection.lago.estimator import Lago
from rarefind.detection.models import make, registry
from rarefind.kernels import (
    Gaussian,
    LatentSemantic,
    Linear,
    Normalized,
    Spectrum,
    WeisfeilerLehman,
)
from rarefind.kernels.graphs import Graph
from tests.detection.letters import KINDS, WORDS, Letters

RNG = np.random.default_rng(0)
Y = np.arange(45) % 3
X = RNG.normal(size=(45, 4)) + Y[:, None]

MODELS = [
    KernelPerceptron(random_state=0),
    KernelLogisticRegression(Gaussian(1.5)),
    KernelFisherDiscriminant("linear"),
    SimpleMKL([Linear(), ("narrow", Gaussian(0.5))]),
    SimpleMKL(),
    Lago(),
    LogisticRegression(),
    LinearDiscriminantAnalysis(),
    LinearSVC(),
    Perceptron(),
    SGDClassifier(random_state=0),
    SVC(),
    SVC(kernel="linear"),
    SVC(kernel=Gaussian(2.0)),
    KNeighborsClassifier(3),
    ExtraTreesClassifier(5, random_state=0),
    RandomForestClassifier(5, random_state=0),
    HistGradientBoostingClassifier(max_iter=5, min_samples_leaf=3),
    make_pipeline(StandardScaler(), PCA(2), SVC(C=10.0)),
]


def judge(model, records):
    method = getattr(model, "decision_function", None) or model.predict_proba
    return method(records)


@pytest.fixture
def path(tmp_path):
    return tmp_path / "model.rarefind"


@pytest.fixture
def install(monkeypatch, tmp_path_factory):
    """Install a package that registers something in an entry-point group."""

    def install(group, name, place):
        folder = tmp_path_factory.mktemp("site")
        facts = folder / "letters-1.0.dist-info"
        facts.mkdir()
        (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: letters\nVersion: 1.0\n")
        (facts / "entry_points.txt").write_text(f"[{group}]\n{name} = {place}\n")
        monkeypatch.syspath_prepend(folder)

    return install


@pytest.fixture
def registered(install):
    """The test's own string kernel, as an installed package would register it."""
    install("rarefind.saved_classes", "tests.Letters", "tests.detection.letters:Letters")


@pytest.mark.parametrize("labels", ["numbers", "words"])
@pytest.mark.parametrize("model", MODELS, ids=lambda model: type(model).__name__)
def test_a_loaded_model_judges_the_same_to_the_bit(model, labels, path):
    y = Y if labels == "numbers" else np.array(["a", "b", "c"], dtype=object)[Y]
    model.fit(X, y)
    save(model, path)
    again = load(path)
    assert type(again) is type(model)
    assert repr(again) == repr(model)
    fresh = np.random.default_rng(1).normal(size=(20, 4)) + 1
    np.testing.assert_array_equal(judge(again, fresh), judge(model, fresh))
    np.testing.assert_array_equal(again.predict(fresh), model.predict(fresh))


@pytest.mark.parametrize(
    "make",
    [
        lambda kernel: KernelPerceptron(kernel, random_state=0),
        KernelLogisticRegression,
        KernelFisherDiscriminant,
        lambda kernel: SimpleMKL([kernel]),
        lambda kernel: SVC(kernel=kernel),
    ],
)
def test_models_of_strings_keep_kernel_and_strings(make, path, registered):
    model = make(Letters()).fit(WORDS, KINDS)
    save(model, path)
    words = ["abba", "xyz", ""]
    np.testing.assert_array_equal(
        load(path).decision_function(words), model.decision_function(words)
    )


def test_a_loaded_perceptron_goes_on_learning(path):
    model = KernelPerceptron(Gaussian(1.0), random_state=0).fit(X[:30], Y[:30])
    save(model, path)
    again = load(path).partial_fit(X[30:], Y[30:])
    model.partial_fit(X[30:], Y[30:])
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


def test_sparse_records_and_nothing_but_a_kernel_can_be_saved(path):
    counts = sparse.csr_array(np.where(X > 1, X, 0.0))
    for model in (SVC(kernel="linear"), KernelLogisticRegression("linear"), KNeighborsClassifier()):
        model.fit(counts, Y)
        save(model, path)
        np.testing.assert_array_equal(load(path).predict(counts), model.predict(counts))
    save(Gaussian(3.5), path)
    assert load(path).width == 3.5
    save(KernelLogisticRegression(Gaussian(float(np.float64(0.1) + 0.2))), path)
    assert load(path).kernel.width == 0.1 + 0.2


def test_tables_with_words_can_be_saved(path):
    table = np.array([["a", 1.0], ["b", 2.0], ["a", 3.0], ["c", 4.0]], dtype=object)
    parts = ColumnTransformer([("word", OneHotEncoder(), [0]), ("number", StandardScaler(), [1])])
    model = make_pipeline(parts, LogisticRegression()).fit(table, [0, 1, 0, 1])
    save(model, path)
    np.testing.assert_array_equal(load(path).decision_function(table), judge(model, table))


@pytest.mark.parametrize(
    ("model", "words"),
    [
        (
            HistGradientBoostingClassifier(max_iter=2, categorical_features=[0]),
            "boosting with categorical features",
        ),
        (FunctionTransformer(np.log1p), "FunctionTransformer cannot be saved"),
        (SVC(kernel=lambda A, B: A @ B.T), "function cannot be saved"),
        (Perceptron(random_state=np.random.RandomState(0)), "it is a RandomState"),
    ],
)
def test_what_is_not_numbers_and_words_is_refused(model, words, path):
    model.fit(np.abs(np.round(X)) if "categorical" in words else X, Y)
    with pytest.raises(NotAvailableError, match=words):
        save(model, path)
    assert list(path.parent.iterdir()) == []


def test_a_kernel_nobody_registered_is_refused(path):
    with pytest.raises(NotAvailableError, match="Letters cannot be saved"):
        save(KernelPerceptron(Letters()), path)


def test_models_by_name_and_classes_in_files_are_registered_apart(install, path):
    install("rarefind.models", "letters", "tests.detection.letters:Letters")
    assert "letters" in registry.names()
    with pytest.raises(NotAvailableError, match=r"entry-point group rarefind\.saved_classes"):
        save(KernelPerceptron(Letters()), path)


def test_only_classes_can_be_registered_for_files(install, saved):
    install("rarefind.saved_classes", "tests.words", "tests.detection.letters:WORDS")
    rewrite(saved, lambda manifest: manifest["model"].update({"class": "tests.words"}))
    refused(saved, "'tests.words' is registered in rarefind.saved_classes, but is not a class")


def test_saving_replaces_the_file_only_when_complete(path):
    save(Gaussian(1.0), path)
    with pytest.raises(NotAvailableError):
        save(KernelPerceptron(Letters()), path)
    assert load(path).width == 1.0
    assert [file.name for file in path.parent.iterdir()] == [path.name]


def rewrite(path, change=lambda manifest: None, arrays=None, compress=zipfile.ZIP_STORED):
    """Write the archive anew with a changed description or other arrays."""
    with zipfile.ZipFile(path) as old:
        content = {name: old.read(name) for name in old.namelist()}
    manifest = json.loads(content["model.json"])
    changed = change(manifest)
    content["model.json"] = json.dumps(manifest if changed is None else changed).encode()
    content |= arrays or {}
    with zipfile.ZipFile(path, "w", compress) as new:
        for name, data in content.items():
            new.writestr(name, data)


@pytest.fixture
def saved(path):
    save(SVC().fit(X, Y), path)
    return path


def refused(path, words):
    with pytest.raises(DataError, match=f"^model.rarefind cannot be loaded as a model: .*{words}"):
        load(path)


def test_files_of_other_kinds_are_refused(path):
    import pickle

    evil = b"cos\nsystem\n(S'touch evil'\ntR."
    plain = io.BytesIO()
    np.savez(plain, a=np.ones(3))
    zipped = io.BytesIO()
    with zipfile.ZipFile(zipped, "w") as archive:
        archive.writestr("data.pkl", evil)
        archive.writestr("schema.json", "{}")
    for content in (b"", b"hello", evil, pickle.dumps([1, 2]), plain.getvalue(), zipped.getvalue()):
        path.write_bytes(content)
        refused(path, "damaged, cut short|without a description|would not have written")
    with pytest.raises(FileNotFoundError):
        load(path.parent / "nowhere")


def test_every_truncation_and_changed_byte_is_noticed_or_harmless(saved):
    whole = saved.read_bytes()
    before = load(saved).decision_function(X)
    rng = np.random.default_rng(0)
    for cut in [1, 10, len(whole) // 2, len(whole) - 1, *rng.integers(1, len(whole), 20)]:
        saved.write_bytes(whole[: int(cut)])
        refused(saved, "")
    for place in rng.integers(0, len(whole), 150):
        damaged = bytearray(whole)
        damaged[place] ^= 1 << int(rng.integers(8))
        saved.write_bytes(damaged)
        try:
            again = load(saved)
        except DataError:
            continue
        np.testing.assert_array_equal(again.decision_function(X), before)


def test_unknown_classes_are_never_imported(saved):
    names = ["os:system", "subprocess.Popen", "rarefind.core.errors:DataError", "builtins.eval"]
    names += ["rarefind.detection.files.reading:os", "rarefind.detection.nothing:Here", 7]
    names += ["rarefind.detection:load", "rarefind.detection...x:y", "sklearn.NoSuch", ["list"]]
    for version in (1, 2):
        rewrite(saved, lambda manifest, version=version: manifest.update({"version": version}))
        for name in names:
            rewrite(saved, lambda manifest, name=name: manifest["model"].update({"class": name}))
            refused(saved, "does not know|not by a word")


def test_crafted_descriptions_are_refused(saved):
    whole = saved.read_bytes()
    deep = {"$": "tuple", "items": []}
    for _ in range(100):
        deep = {"$": "tuple", "items": [deep]}

    def set_(*keys, value):
        def change(manifest):
            place = manifest
            for key in keys[:-1]:
                place = place[key]
            place[keys[-1]] = value

        return change

    state = ("model", "state")
    for change, words in [
        (set_("version", value=99), "format version 99, and this rarefind reads versions up to 2"),
        (set_("version", value=0), "no format version 0"),
        (set_("version", value=True), "no format version True"),
        (set_("version", value="2"), "no format version 2"),
        (set_("version", value=None), "no format version None"),
        (set_("format", value="other"), "not written by rarefind"),
        (set_("arrays", value=7), "description of the model is damaged"),
        (set_("arrays", value=[{}]), "arrays it lists"),
        (set_("model", value={"$": "code", "value": "1"}), "unknown kind 'code'"),
        (set_("model", value={"value": 1}), "unknown kind"),
        (set_("model", value=deep), "nested too deep"),
        (set_(*state, "predict", value=1), "no attribute 'predict'"),
        (set_(*state, "__class__", value=1), "no attribute '__class__'"),
        (set_(*state, "a b", value=1), "no attribute 'a b'"),
        (set_("model", "params", "nonsense", value=1), "damaged"),
        (set_(*state, "support_", value={"$": "array", "array": 999}), "array that is not there"),
        (set_(*state, "support_", value={"$": "array"}), "damaged"),
        (set_(*state, "support_", value=[0, 1]), "do not fit together"),
        (set_(*state, "n_features_in_", value=400), "do not fit together"),
        (set_(*state, "shape_fit_", value=[3, 3]), "do not fit together"),
    ]:
        saved.write_bytes(whole)
        rewrite(saved, change)
        refused(saved, words)
    saved.write_bytes(whole)
    rewrite(saved, lambda manifest: [])
    refused(saved, "not written by rarefind")


@pytest.mark.parametrize(("name", "value"), [("alpha", -5), ("n_neighbors", 0), ("profile", "x")])
def test_parameters_out_of_range_are_refused_at_once(path, name, value):
    save(Lago().fit(X, Y), path)
    rewrite(path, lambda manifest: manifest["model"]["params"].update({name: value}))
    refused(path, f"'{name}' parameter of Lago must be ")


@pytest.mark.parametrize(
    ("name", "value"), [("records", 1.5), ("labels", []), ("metric", "x" * 5000)]
)
def test_whatever_a_library_says_is_told_in_one_short_sentence(path, name, value):
    save(KNeighborsClassifier(3).fit(X, Y), path)

    def change(manifest):
        model = manifest["model"]
        (model if name in model else model["params"])[name] = value

    rewrite(path, change)
    with pytest.raises(DataError) as caught:
        load(path)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 500


@pytest.mark.parametrize("model", [Lago, KernelLogisticRegression])
@pytest.mark.parametrize(
    ("kernel", "words"),
    [
        ("nonsense", "no kernel 'nonsense'"),
        ("spectrum(", "cannot be read"),
        ('hmm(file="/etc/passwd")', "file"),
        ("gaussian(width=-1)", "'width' parameter of Gaussian must be"),
    ],
)
def test_a_kernel_that_does_not_exist_is_refused_at_once(path, model, kernel, words):
    save(model(kernel="gaussian").fit(X, Y), path)
    rewrite(path, lambda manifest: manifest["model"]["params"].update({"kernel": kernel}))
    refused(path, words)


@pytest.mark.parametrize(("name", "value"), [("kernel", "nonsense"), ("C", -1.0)])
def test_parameters_of_other_models_are_refused_too(path, name, value):
    save(SVC().fit(X, Y), path)
    rewrite(path, lambda manifest: manifest["model"]["params"].update({name: value}))
    refused(path, f"'{name}' parameter of SVC must be ")


def test_a_file_of_a_later_version_is_refused_in_one_sentence(saved):
    rewrite(saved, lambda manifest: manifest.update({"version": 3}))
    with pytest.raises(DataError) as caught:
        load(saved)
    assert str(caught.value) == (
        "model.rarefind cannot be loaded as a model: it has format version 3, and this rarefind "
        "reads versions up to 2: install a newer rarefind."
    )


def npy(header, data=b""):
    text = header.encode().ljust(117) + b"\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text + data


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (10000000000,), }"), "not as long"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (-1,), }"), "not as long"),
        (npy("{'descr': '|O', 'fortran_order': False, 'shape': (1,), }", b"\x80\x04N."), "objects"),
        (npy("{'descr': '<U0', 'fortran_order': False, 'shape': (9,), }"), "objects"),
        (npy("__import__('os')"), "damaged header"),
        (npy("{'descr': '<f8', 'shape': (1,"), "damaged header"),
        (npy("(" * 110), "damaged header"),
        (npy("{'descr': '<f8', 'fortran_order': False, 'shape': (0, 10**30), }"), "damaged header"),
        (npy(f"{{'descr': '<f8', 'fortran_order': False, 'shape': (0, {10**30}), }}"), "shape"),
        (b"\x80\x04N.", "damaged header"),
    ],
)
def test_crafted_arrays_are_refused_though_their_checksum_is_right(saved, content, words):
    import hashlib

    def sign(manifest):
        manifest["arrays"][0]["sha256"] = hashlib.sha256(content).hexdigest()

    rewrite(saved, sign, {"arrays/0.npy": content})
    refused(saved, words)


def test_wrong_checksums_additions_and_compression_are_refused(saved):
    whole = saved.read_bytes()
    rewrite(saved, arrays={"arrays/0.npy": b"something else"})
    refused(saved, "checksum differs")
    saved.write_bytes(whole)
    rewrite(saved, arrays={"../evil.npy": b""})
    refused(saved, "only those")
    saved.write_bytes(whole)
    rewrite(saved, compress=zipfile.ZIP_DEFLATED)
    refused(saved, "would not have written")


def test_trees_that_point_outside_are_refused(path):
    import hashlib

    save(ExtraTreesClassifier(1, random_state=0).fit(X, Y), path)
    whole = path.read_bytes()
    with zipfile.ZipFile(path) as archive:
        arrays = {name: archive.read(name) for name in archive.namelist() if name != "model.json"}
    loaded = {name: np.load(io.BytesIO(data)) for name, data in arrays.items()}
    name, nodes = next((n, a) for n, a in loaded.items() if a.dtype.names)
    for field, value in (("left_child", 10**6), ("right_child", 0), ("feature", 77)):
        changed = nodes.copy()
        changed[field][0] = value
        buffer = io.BytesIO()
        np.save(buffer, changed)
        number = int(name.split("/")[1].split(".")[0])

        digest = hashlib.sha256(buffer.getvalue()).hexdigest()

        def sign(manifest, number=number, digest=digest):
            manifest["arrays"][number]["sha256"] = digest

        path.write_bytes(whole)
        rewrite(path, sign, {name: buffer.getvalue()})
        refused(path, "points outside itself")


def test_another_release_of_scikit_learn_is_said(saved):
    rewrite(saved, lambda manifest: manifest.update({"scikit-learn": "0.24.1"}))
    with pytest.warns(RarefindWarning, match=r"saved with scikit-learn 0\.24\.1"):
        load(saved)


@pytest.mark.parametrize("name", sorted(set(registry.names()) - {"auto"}))
def test_every_model_under_the_roof_can_be_saved(name, path):
    rare = (np.arange(45) % 5 == 0).astype(int)
    records = X + 2.0 * rare[:, None]
    quick = {"forest": {"n_estimators": 10}, "boosting": {"max_iter": 5}}
    model = make(name, **quick.get(name, {})).fit(records, rare)
    save(model, path)
    np.testing.assert_array_equal(load(path).decision_function(X), model.decision_function(X))


def test_auto_can_be_saved_whatever_it_chose(path):
    rare = (np.arange(45) % 5 == 0).astype(int)
    records = X + 2.0 * rare[:, None]
    candidates = {
        "boosting": make("boosting", max_iter=5, min_samples_leaf=3),
        "forest": make("forest", n_estimators=5),
        "pca": make("pca"),
    }
    model = AutoDetector({name: one.estimator for name, one in candidates.items()})
    model.fit(records, rare)
    save(model, path)
    again = load(path)
    assert again.why_ == model.why_
    np.testing.assert_array_equal(again.decision_function(X), model.decision_function(X))


@pytest.mark.parametrize(
    "change",
    [
        lambda nodes: nodes["left"].__setitem__(0, 10_000),
        lambda nodes: nodes["right"].__setitem__(0, 0),
        lambda nodes: nodes["feature_idx"].__setitem__(0, 99),
        lambda nodes: nodes["is_categorical"].__setitem__(0, 1),
    ],
)
def test_boosted_trees_that_leave_themselves_are_refused(change):
    model = HistGradientBoostingClassifier(max_iter=1, min_samples_leaf=3).fit(X, Y == 0)
    parts = boosting_parts(model, "model")
    restore_boosting(model.get_params(), parts)
    change(parts["nodes"])
    with pytest.raises(DataError, match="points outside itself"):
        restore_boosting(model.get_params(), parts)
    with pytest.raises(DataError, match="do not fit together"):
        restore_boosting(model.get_params(), parts | {"sizes": parts["sizes"] + 1})


def test_files_that_are_not_there_are_named(tmp_path):
    with pytest.raises(DataError, match=r"There is no file .*nowhere"):
        load(tmp_path / "nowhere")
    with pytest.raises(FileNotFoundError):
        load(tmp_path / "nowhere")
    with pytest.raises(DataError, match="is a folder, not a model"):
        load(tmp_path)
    with pytest.raises(DataError, match="load needs the name of a file"):
        load(3)
    with pytest.raises(DataError, match="is a folder"):
        save(Gaussian(), tmp_path)
    with pytest.raises(DataError, match="is missing"):
        save(Gaussian(), tmp_path / "no" / "model")


def test_fitted_kernels_inside_others_can_be_saved(path):
    texts = ["the cat sat", "a dog ran", "the sun is up", "sun and moon"] * 3
    kernel = LatentSemantic(rank=2) + 2.0 * Normalized(Spectrum(length=2))
    model = SVC(kernel=kernel.fit(texts)).fit(texts, [0, 0, 1, 1] * 3)
    save(model, path)
    # A list of its own: the machine takes a shortcut when it meets its very training list.
    new = [*texts, "a cat in the sun"]
    np.testing.assert_array_equal(load(path).decision_function(new), judge(model, new))


def test_graphs_can_be_saved_with_their_model(path):
    ring = Graph([0, 1, 0, 1], [(0, 1), (1, 2), (2, 3), (3, 0)])
    line = Graph([0, 1, 0, 1], [(0, 1), (1, 2), (2, 3)])
    model = KernelPerceptron(WeisfeilerLehman(), random_state=0).fit([ring, line] * 3, [0, 1] * 3)
    save(model, path)
    np.testing.assert_array_equal(
        load(path).decision_function([line, ring]), model.decision_function([line, ring])
    )
