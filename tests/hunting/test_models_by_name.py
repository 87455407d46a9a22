from __future__ import annotations

import pytest

from rarefind.cli.terminal.option_names import option_name
from rarefind.core.errors import ParameterError
from rarefind.hunting.models_by_name import make_detector
from rarefind.kernels import Linear, On, Spectrum, VectorSpace


def test_a_model_of_vectors_names_the_column_that_only_a_kernel_compares():
    kernel = On("vectors", Linear()) + 0.5 * On("memo", VectorSpace())
    with pytest.raises(ParameterError, match="Choose one of auto") as refused:
        make_detector("logistic", kernel)
    assert str(refused.value).endswith("the table is vectors: leave_out='memo'.")
    assert refused.value.worded(option_name).endswith("the table is vectors: --leave-out memo.")


def test_where_no_column_is_the_reason_none_is_named():
    with pytest.raises(ParameterError, match="compared by a kernel") as refused:
        make_detector("forest", Spectrum(3))
    assert refused.value.remedies == ()
