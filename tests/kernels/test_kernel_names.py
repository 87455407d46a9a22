from __future__ import annotations

import importlib.util
import re
import subprocess
import sys

import pytest

import rarefind.kernels as kernels
from rarefind.core.errors import ParameterError, UnknownNameError
from rarefind.kernels import Gaussian, Kernel, make_kernel, registry


def test_every_public_name_is_sorted_and_can_be_imported():
    assert kernels.__all__ == sorted(kernels.__all__)
    assert sorted(dir(kernels)) == dir(kernels)
    for name in dir(kernels):  # those imported when first used
        assert getattr(kernels, name).__name__ == name
    assert {*dir(kernels), "Kernel", "make_kernel", "registry"} == set(kernels.__all__)


def test_every_named_kernel_is_public_and_a_kernel():
    for name, path in registry.paths().items():
        module, _, attribute = path.partition(":")
        assert re.fullmatch(r"[a-z]+(-[a-z]+)*", name)
        assert attribute in kernels.__all__
        if importlib.util.find_spec(module) is not None:
            assert issubclass(registry.get(name), Kernel)


def test_every_public_kernel_has_a_name():
    named = {path.partition(":")[2] for path in registry.paths().values()}
    others = {"FeatureTransformer", "GramTransformer", "Kernel", "MercerReport", "check_mercer"}
    others |= {"format_kernel", "make_kernel", "parse_kernel", "registry"}
    others |= {"HiddenMarkovModel", "learn_hmm"}
    assert set(kernels.__all__) - others == named


def test_kernels_are_made_by_name():
    assert make_kernel("gaussian", width=3.0).width == 3.0
    kernel = Gaussian()
    assert make_kernel(kernel) is kernel
    with pytest.raises(UnknownNameError, match=r"There is no kernel 'gausian'. Did you mean"):
        make_kernel("gausian")
    with pytest.raises(UnknownNameError, match=r"called 'widht'. Did you mean 'width'"):
        make_kernel("gaussian", widht=3.0)
    with pytest.raises(ParameterError, match=r"must be a name or a rarefind.kernels.Kernel"):
        make_kernel(None)


def test_asking_for_a_kernel_imports_neither_the_others_nor_heavy_packages():
    code = (
        "import sys, rarefind.kernels; rarefind.kernels.Intersection; "
        "print([m for m in ('numba', 'networkx', 'rarefind.kernels.text') "
        "if m in sys.modules])"
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "[]"
