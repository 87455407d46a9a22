"""Bringing home a class: the next records to look at, answers, and what is to be expected."""

from __future__ import annotations

import time
from concurrent.futures import Future
from typing import TYPE_CHECKING

from rarefind.core.errors import ParameterError, StateError
from rarefind.core.params import Integer, Number, check_param
from rarefind.service.hunts.opened import OpenHunt
from rarefind.service.shared import ServiceBase, clean_name, once_kept
from rarefind.service.showing.progress import class_views
from rarefind.service.showing.views import HarvestView, LookView
from rarefind.store.contract import Kept

if TYPE_CHECKING:
    from rarefind.hunting.harvest_round import Round


class Harvesting(ServiceBase):
    """Rounds of a harvest; all that counts is in the answers, so any process may go on."""

    def harvest(
        self,
        hunt_id: str,
        target: str,
        annotator: str,
        model: str = "auto",
        looks: int = 10,
        enough: float = 0.95,
    ) -> HarvestView:
        """Rank with everything said and give somebody the next records to look at.

        Records that others were given a short while ago are left to them. The view says how many of
        the class are probably left, and why the harvest has ended once it has.
        """
        from rarefind.service.ranking.in_workroom import harvest_round

        check_param("harvest", "looks", looks, Integer(1, 1000))
        check_param("harvest", "enough", enough, Number(0.0, 1.0, closed="right"))
        hunt, who = self._up_to_date(hunt_id), clean_name(annotator)
        _, said = hunt.log.said()
        aside = set(hunt.looks.others(who)) | {
            lease.candidate.row
            for lease in self.store.leases(hunt.id, time.time())
            if lease.annotator != who
        }
        try:
            made, news = self._computed(
                "harvest", hunt, harvest_round, said, target, model, looks, aside
            )
        except StateError as nothing_left:
            found = sum(event.label == target for event in said)
            return HarvestView(
                target, model, (), found, 0, 0, None, None, str(nothing_left), str(nothing_left)
            )
        given = {look.row: look for look in made.looks}
        hunt.looks.give(who, given, hunt.settings.lease_seconds)
        return _view(hunt, made, news, enough)

    def submit_look(
        self,
        hunt_id: str,
        target: str,
        row: int,
        answer: bool | str,
        annotator: str,
        event_id: str | None = None,
    ) -> Future[Kept]:
        """Say whether a record is of the class, or what it is; done once that is kept for good.

        False stands for the ordinary class, or for the class told most often beside the target.
        """
        from rarefind.hunting.harvest_round import Look, other_class

        hunt = self._at_row(hunt_id, row)
        if answer is False:
            hunt.log.catch_up()
            ordinary = [
                each.name for each in class_views(hunt.log, hunt.settings) if each.background
            ]
            answer = str(other_class(hunt.log.labels().values(), ordinary, target))
        label = target if answer is True else str(answer).strip()
        if not label:
            raise ParameterError(
                f"The answer about row {row} is empty. Say yes, no, or the name of its class."
            )
        look = hunt.looks.given(row) or Look(row, 0.0, None)
        asked_by = look.asked_by(target)
        return self._submit(hunt, "label", row, label, annotator, event_id, asked_by=asked_by)

    tell_look = once_kept(submit_look)
    """Say whether a record is of the class; kept for good when it returns."""


def _view(hunt: OpenHunt, made: Round, news: str | None, enough: float) -> HarvestView:
    forecast = made.forecast
    looks = tuple(
        LookView(look.row, look.score, look.chance, hunt.records.viewer.summary(look.row))
        for look in made.looks
    )
    return HarvestView(
        made.ranking.target,
        made.ranking.model,
        looks,
        forecast.found,
        forecast.looked,
        len(made.ranking.rows),
        forecast.left,
        forecast.looks_needed,
        f"{forecast} {made.ranking.quality.sentence}",
        news or forecast.over(enough),
    )
