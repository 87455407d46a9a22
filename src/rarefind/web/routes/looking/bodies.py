"""What clients send about many records, with limits for everything."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field

from rarefind.service.asking.steps import MOST_AT_ONCE
from rarefind.web.routes.bodies import Body, EventId, Name, Row, Target

MapMethod = Literal["pca", "lda", "kernel-pca", "umap"]


class NewMap(Body):
    """A map to be drawn aside."""

    method: MapMethod


class Rows(Body):
    """Records to be told in a line each."""

    rows: Annotated[list[Row], Field(min_length=1, max_length=200)]


class ManyLabels(Body):
    """What many records are. The id is that of the step: sent again, it counts once."""

    id: EventId
    rows: Annotated[list[Row], Field(min_length=1, max_length=MOST_AT_ONCE)]
    label: Name


class ManyUndos(Body):
    """Events or steps to take back; the id is that of the step this makes."""

    id: EventId
    targets: Annotated[list[Target], Field(min_length=1, max_length=MOST_AT_ONCE)]
