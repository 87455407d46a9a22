"""Health and names."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

from fastapi import APIRouter

from rarefind._version import __version__
from rarefind.core.names import Registry
from rarefind.web.routes.access import Bench
from rarefind.web.routes.json_answers import Answer
from rarefind.web.routes.schemas import Health, Named

router = APIRouter()

_LOOKING = ("pca", "kernel-pca")
"""Models that show records and rank none."""


@router.get("/health", response_model=Health, tags=["server"])
async def health() -> Answer:
    """Say that the server is up. The only route that needs no sign-in."""
    return Answer({"status": "ok", "version": __version__})


@router.get("/api/models", response_model=list[Named], tags=["names"])
async def models(bench: Bench) -> Answer:
    """List the models that can rank, with a line about each."""
    return Answer(await bench.quick(_names, "rarefind.detection.models"))


@router.get("/api/strategies", response_model=list[Named], tags=["names"])
async def strategies(bench: Bench) -> Answer:
    """List the strategies that choose questions, with a line about each."""
    return Answer(await bench.quick(_names, "rarefind.discovery.registry"))


@router.get("/api/kernels", response_model=list[Named], tags=["names"])
async def kernels(bench: Bench) -> Answer:
    """List the kernels that compare records, with a line about each."""
    return Answer(await bench.quick(_names, "rarefind.kernels.registry"))


@router.get("/api/embedders", response_model=list[Named], tags=["names"])
async def embedders(bench: Bench) -> Answer:
    """List the models that make embeddings of pictures or texts, with a line about each."""
    return Answer(await bench.quick(_embedder_names))


@cache
def _embedder_names() -> list[dict[str, Any]]:
    from rarefind.records.embedding.models import about_models

    return [{"name": name, "about": about} for name, about in about_models().items()]


@cache
def _names(module: str) -> list[dict[str, Any]]:
    """Describe what a registry knows; it is imported when somebody asks."""
    described = _described(import_module(module).registry)
    return [each for each in described if each["name"] not in _LOOKING]


def _described(registry: Registry) -> list[dict[str, Any]]:
    return [
        {"name": name, "about": _first_sentence(registry.get(name).__doc__)}
        for name in registry.names()
    ]


def _first_sentence(docstring: str | None) -> str:
    first = (docstring or "").strip().partition("\n\n")[0]
    return " ".join(first.replace("``", "").split())
