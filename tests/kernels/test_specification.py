from __future__ import annotations

import contextlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import NotAvailableError, ParameterError, RarefindError
from rarefind.kernels import (
    Centered,
    CharacterWeighted,
    Constant,
    Exp,
    ExponentialDiffusion,
    FixedLengthHMM,
    GapWeighted,
    Gaussian,
    GivenGram,
    HiddenTree,
    LatentSemantic,
    Linear,
    Mismatch,
    Normalized,
    Nystroem,
    On,
    PairHMM,
    PathSum,
    Polynomial,
    RecordWeighted,
    Sigmoid,
    SoftMatching,
    Spectrum,
    VectorSpace,
    WeisfeilerLehman,
    registry,
)
from rarefind.kernels.formulas.reading import format_kernel, parse_kernel


def same(one, other):
    return repr(one) == repr(other)


READ = {
    "gap-weighted(length=3, decay=0.5) + 2*spectrum(4)": GapWeighted(3, 0.5) + 2 * Spectrum(4),
    "on(name, mismatch(5,1)) + on(amount, gaussian)": On("name", Mismatch(5, 1))
    + On("amount", Gaussian()),
    "spectrum": Spectrum(),
    " spectrum ( 2 ) ": Spectrum(2),
    "GapWeighted(2)": GapWeighted(2),
    "gap_weighted(2)": GapWeighted(2),
    "(linear + constant(2)) ** 3": (Linear() + Constant(2)) ** 3,
    "linear^2*gaussian": Linear() ** 2 * Gaussian(),
    "linear + 1.5": Linear() + 1.5,
    "2*3*linear": 6 * Linear(),
    "linear/4": Linear() / 4,
    "normalized(centered(exp(gaussian(width=2e1))))": Normalized(
        Centered(Exp(Gaussian(width=20.0)))
    ),
    "normalized(spectrum)": Normalized(Spectrum()),
    "nystroem(gaussian, 50, random_state=3)": Nystroem(Gaussian(), 50, random_state=3),
    "gaussian(kernel=2*spectrum(2) + spectrum(3))": Gaussian(kernel=2 * Spectrum(2) + Spectrum(3)),
    "latent-semantic(50, kernel=none)": LatentSemantic(50),
    "vector-space(analyzer=char, ngram_range=(1, 3), lowercase=false)": VectorSpace(
        analyzer="char", ngram_range=(1, 3), lowercase=False
    ),
    'on("a column, with signs", linear)': On("a column, with signs", Linear()),
    "on('it', linear)": On("it", Linear()),
    "on(0, spectrum)": On(0, Spectrum()),
    "on([a, b], gaussian)": On(["a", "b"], Gaussian()),
    "on(größe, gaussian)": On("größe", Gaussian()),
    "sigmoid(offset=-1)": Sigmoid(offset=-1),
    "weisfeiler-lehman(3, edge_labelled=True)": WeisfeilerLehman(3, edge_labelled=True),
    "mismatch(alphabet=[A, C, G, T])": Mismatch(alphabet=["A", "C", "G", "T"]),
    'character-weighted(2, {A: 0.5, "-": 1})': CharacterWeighted(2, {"A": 0.5, "-": 1}),
    "soft-matching(2, similarity={(A, G): 0.5})": SoftMatching(2, similarity={("A", "G"): 0.5}),
    "diffusion([[a, b], [b, c]], 0.5)": ExponentialDiffusion([["a", "b"], ["b", "c"]], 0.5),
    "hmm(states=3)": FixedLengthHMM(states=3),
    "pair-hmm([1], [[1]], [[0.5, 0.5]], alphabet=ab)": PairHMM(
        [1], [[1]], [[0.5, 0.5]], alphabet="ab"
    ),
    "hidden-tree([-1, 0], [1], [[1]], [[0.5, 0.5]])": HiddenTree([-1, 0], [1], [[1]], [[0.5, 0.5]]),
    'path-sum([[s, t, 1], [s, t, "on(0, linear)"]], source=s, sink=t)': PathSum(
        [("s", "t", 1), ("s", "t", On(0, Linear()))], source="s", sink="t"
    ),
}


@pytest.mark.parametrize(("text", "kernel"), READ.items(), ids=list(READ))
def test_specifications_give_the_kernels_they_say(text, kernel):
    read = parse_kernel(text)
    assert same(read, kernel) or read.get_params() == kernel.get_params()
    assert format_kernel(parse_kernel(format_kernel(read))) == format_kernel(read)


def test_a_kernel_that_was_read_computes_the_same():
    texts = ["GATTACA", "GATTTACA", "CCC"]
    read = parse_kernel("gap-weighted(length=3, decay=0.5) + 2*spectrum(4)")
    np.testing.assert_allclose(read(texts), (GapWeighted(3, 0.5) + 2 * Spectrum(4))(texts))


WRONG = {
    "": "at character 1: expected a kernel",
    "   ": "expected a kernel",
    "spectrum(length=)": "at character 17: expected a whole number after length=",
    "spectrum(length": "at character 10: expected a whole number for length",
    "spectrum(4": r"at character 11: expected '\)' to close the one at character 9",
    "spectrum 4": "at character 10: did not expect '4'",
    "spectrm(3)": "at character 1: there is no kernel 'spectrm'. Did you mean 'spectrum'",
    "linear + gausian": "at character 10: there is no kernel 'gausian'. Did you mean 'gaussian'",
    "spectrum(lengt=3)": "at character 10: there is no parameter of .* called 'lengt'.*'length'",
    "spectrum(3, 4)": "at character 13: Spectrum takes 1 parameter",
    "spectrum(3, length=4)": "at character 13: length is given twice",
    "mismatch(mismatches=1, 5)": "at character 24: a parameter without a name follows",
    "spectrum(length=many)": "at character 17: expected a whole number after length=, got 'many'",
    "spectrum(0)": "at character 1: The 'length' parameter of Spectrum must be a whole number",
    "spectrum(2.5)": "must be a whole number",
    "vector-space(analyzer=chars)": "expected 'word', 'char' or 'char_wb' after analyzer=",
    "vector-space(idf=maybe)": "expected true or false after idf=",
    "2": "a number alone is no kernel; write constant\\(2\\)",
    "linear - linear": "at character 8: kernels cannot be subtracted",
    "-linear": "at character 1: expected a kernel, got '-'",
    "0*linear": "at character 2: A kernel can be multiplied by a positive number",
    "linear/0": "expected a number above zero after /",
    "linear/linear": "only numbers can",
    "linear**2.5": "at character 9: expected a whole number",
    "linear**0": "at character 7: A kernel can be raised to a whole power",
    "2**3": "only kernels are raised",
    "on(3)": "on needs kernel, as in on\\(column, kernel\\)",
    "on(linear(), spectrum)": "expected '\\)'",
    "on(, spectrum)": "expected the name of a column, got ','",
    "precomputed": "precomputed needs gram",
    "normalized(3)": "must be a kernel",
    "record-weighted(linear, len)": "expected a value for weight",
    "__import__('os')": "there is no kernel '__import__'",
    "linear; linear": "at character 7: ';' has no meaning here",
    "on('abc, linear)": "at character 4: the quoted text never ends",
    "gaussian(1e999)": "the number is larger",
    "9" * 1500 + "*linear": "the number is larger",
    "(" * 50 + "linear" + ")" * 50: "nested more than 40 deep",
    "normalized(" * 50 + "linear" + ")" * 50: "nested more than 40 deep",
    "mismatch(alphabet=" + "[" * 60: "nested more than 40 deep",
    "x" * 3000: "at character 1: the name is longer than 200 characters",
    "x" * 600_000: "may have 500000 characters",
    "linear" + "+linear" * 600: "more than 500 kernels and numbers are joined",
    "linear" + "**2" * 600: "more than 500 kernels and numbers are joined",
    "character-weighted(weights={A 1})": "at character 31: expected ':' and a value after A",
    "character-weighted(weights={A: 1, A: 2})": "at character 35: A is given twice",
    "character-weighted(weights={A: })": "at character 32: expected a value, got '}'",
    "character-weighted(weights={=})": "expected a name and a value, got '='",
    "character-weighted(weights={A: 1": "expected '}' to close the values",
    "path-sum([[s, t]], source=s, sink=t)": r"An edge is \[from, to, kernel\]",
    "path-sum([[s, t, lineer]], source=s, sink=t)": "there is no kernel 'lineer'",
    "hmm": "FixedLengthHMM needs 'states'",
    "hmm(states=2, initial=[1])": "either 'states', to learn its tables, or the tables",
    "hmm(file=3)": "at character 10: expected the name of a file",
    "hmm(file=nowhere.json)": "nowhere.json: the file cannot be read",
    "diffusion(graph=nowhere.csv)": "at character 17: nowhere.csv: the file cannot be read",
}


@pytest.mark.parametrize(("text", "words"), WRONG.items(), ids=[text[:30] for text in WRONG])
def test_what_cannot_be_read_is_refused_naming_the_place(text, words):
    with pytest.raises(ParameterError, match=words):
        parse_kernel(text)


def test_only_text_is_a_specification():
    with pytest.raises(ParameterError, match="must be text"):
        parse_kernel(3)


PIECES = [
    "linear", "spectrum", "on", "(", ")", ",", "=", "+", "*", "**", "2", "-1", "'a'", "[", "]",
    "normalized", "length", "0.5", " ", "none", "é", "\0", "word", "gaussian(", "kernel=",
]  # fmt: skip


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
def test_any_pieces_give_a_kernel_or_one_sentence(text):
    try:
        kernel = parse_kernel(text)
    except RarefindError as problem:
        said = str(problem)
    else:
        said = format_kernel(kernel)
        assert format_kernel(parse_kernel(said)) == said
    assert "\n" not in said


@given(st.text(max_size=30))
def test_any_text_gives_a_kernel_or_one_sentence(text):
    with contextlib.suppress(ParameterError):
        parse_kernel(text)


NEED_SOMETHING = {
    "centered", "derived-subsets", "exp", "exponential-diffusion", "fixed-length-hmm",
    "hidden-tree", "multiple", "normalized", "nystroem", "on", "pair-hmm", "path-sum", "power",
    "precomputed", "product", "record-weighted", "sum", "von-neumann-diffusion",
}  # fmt: skip


def test_every_kernel_of_the_registry_that_needs_nothing_comes_back():
    for name in registry.names():
        try:
            kernel = parse_kernel(name)
        except ParameterError:
            assert name in NEED_SOMETHING
        else:
            assert type(kernel) is registry.get(name)
            assert format_kernel(kernel) == name


def test_what_no_specification_can_hold_is_said():
    with pytest.raises(NotAvailableError, match="can hold a ndarray"):
        format_kernel(GivenGram(np.eye(300)))
    assert format_kernel(GivenGram(np.eye(2))) == "precomputed([[1, 0], [0, 1]])"
    weighted = RecordWeighted(Polynomial(3), weight=len)
    with pytest.raises(NotAvailableError, match=r"function.*record-weighted"):
        format_kernel(weighted)
    assert format_kernel(weighted, short=True) == "record-weighted(polynomial(3), ...)"

    class Own(Linear):
        pass

    with pytest.raises(NotAvailableError, match="Own has no name"):
        format_kernel(Own())
    assert format_kernel(Own(), short=True) == "Own"


@pytest.mark.parametrize(
    "formula",
    ["spectrum({})", "gap-weighted({})", "mismatch({})", "soft-matching({})", "markov-fisher({})",
     "fixed-subsequences({})", "weisfeiler-lehman({})"],
)  # fmt: skip
def test_pieces_longer_than_anything_are_refused_before_anything_is_counted(formula):
    for length in (10**4, 10**9):
        with pytest.raises(ParameterError, match="must be a whole number in"):
            parse_kernel(formula.format(length))


def test_products_of_more_columns_than_there_are_take_no_time():
    kernel = parse_kernel(f"anova({10**15})")
    X = np.ones((50, 3))
    np.testing.assert_array_equal(kernel(X), np.zeros((50, 50)))
    np.testing.assert_array_equal(kernel.diag(X), np.zeros(50))


def test_names_are_looked_up_once_however_many_a_formula_has(monkeypatch):
    looks = []
    monkeypatch.setattr("rarefind.core.names.entry_points", lambda group: looks.append(group) or [])
    assert parse_kernel("+".join(["linear"] * 20))([[1.0]], [[2.0]]) == 40.0
    assert len(looks) == 1
