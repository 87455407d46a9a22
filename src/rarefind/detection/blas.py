"""Keeping the linear algebra library from splitting small products over processors.

Our blocks fit into a processor's cache, and a product of thin matrices is over before threads
have met: splitting it makes it several times slower.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def undivided_products() -> Iterator[None]:
    """Compute every matrix product inside the block by one thread."""
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    return ThreadpoolController()
