"""A workbench from another program: a small client of its HTTP interface.

It needs nothing but Python. Every call is one request; what the server refuses is an error with its
sentence. Answers carry ids made here, so that one sent again after a broken connection counts once.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http.client import HTTPException
from pathlib import Path
from typing import Any
from urllib.error import HTTPError, URLError
from urllib.parse import quote, urlencode
from urllib.request import ProxyHandler, Request, build_opener

from rarefind.core.errors import RarefindError

_PAUSE = 0.2
"""Seconds between two looks at work that goes on."""

_TRIES = 3
"""Times a request is sent that got no answer: connections break, and all may be repeated."""


class ClientError(RarefindError, RuntimeError):
    """The server refused something, or could not be reached.

    Attributes
    ----------
    status
        The status of the answer; 0 if there was none.
    """

    def __init__(self, sentence: str, status: int = 0) -> None:
        super().__init__(sentence)
        self.status = status


@dataclass(frozen=True)
class Question:
    """A record that the hunt wants to know about.

    Attributes
    ----------
    row
        Which record.
    why
        Why it is asked, in a sentence.
    evidence
        The numbers behind that.
    record
        Its summary, fields and what is to be drawn, as the page gets them.
    neighbours
        The records most like it.
    """

    row: int
    why: str
    evidence: Mapping[str, float]
    record: Mapping[str, Any]
    neighbours: tuple[Mapping[str, Any], ...]


@dataclass(frozen=True)
class Ranked:
    """A record in a ranking: its place, its score, and its label if it has one."""

    rank: int
    row: int
    score: float
    label: str | None
    summary: str


@dataclass(frozen=True)
class RemoteRanking:
    """A ranking that was made: for which class, by which model, and why by that."""

    id: str
    target: str
    model: str
    why: str
    n_ranked: int
    hunt: RemoteHunt = field(repr=False)

    def top(self, count: int = 10) -> list[Ranked]:
        """Return the records most like the class, best first."""
        return [each for each, _ in zip(self, range(count), strict=False)]

    def __iter__(self) -> Iterator[Ranked]:
        """Go through all records, best first; they are fetched a thousand at a time."""
        offset = 0
        while page := self.hunt.get(f"rankings/{self.id}", offset=offset, limit=1000):
            yield from (_only(Ranked, each) for each in page)
            offset += len(page)


class RemoteHunt:
    """One hunt on a server.

    Attributes
    ----------
    id
        Its id.
    """

    def __init__(self, client: Client, id: str) -> None:
        self._client, self.id = client, id

    def ask(self) -> Question | None:
        """Return the next question, None if nothing is left; waits until the hunt is set up."""
        asked = self._client.patiently("POST", self._path("ask"), {"count": 1})["questions"]
        return _only(Question, asked[0]) if asked else None

    def tell(self, question: Question | int, label: str) -> None:
        """Say what a record is; returns once that is kept."""
        row = question.row if isinstance(question, Question) else question
        asked = isinstance(question, Question)
        self._send("labels", {"row": row, "label": label, "asked": asked})

    def skip(self, question: Question | int) -> None:
        """Leave a record undecided."""
        row = question.row if isinstance(question, Question) else question
        self._send("skip", {"row": row})

    def undo(self) -> None:
        """Take back the last thing that this annotator said."""
        self._send("undo", {})

    def progress(self) -> dict[str, Any]:
        """Return what was found so far, by whom, and what may still be unseen."""
        return dict(self.get("progress"))

    def rank(self, target: str, model: str = "auto") -> RemoteRanking:
        """Rank all records for a class; returns once that is done."""
        body = {"target": target, "model": model}
        job = self._client.request("POST", self._path("rankings"), body)["job"]
        made = self._client.result(self._path(f"jobs/{job}"))
        return _only(RemoteRanking, {**made, "hunt": self})

    def export(self, path: str | Path, what: str = "records") -> Path:
        """Write ``"records"`` with their labels, or all ``"labels"``; the ending says how."""
        path = Path(path)
        query = {"what": what, "format": path.suffix.lstrip(".")}
        path.write_bytes(self._client.raw("GET", f"{self._path('export')}?{urlencode(query)}"))
        return path

    def get(self, part: str, **query: Any) -> Any:
        """Return what the server has at an address below the hunt's."""
        asked = f"?{urlencode(query)}" if query else ""
        return self._client.request("GET", self._path(part) + asked)

    def _send(self, part: str, body: dict[str, Any]) -> None:
        self._client.request("POST", self._path(part), {"id": str(uuid.uuid4()), **body})

    def _path(self, part: str) -> str:
        return f"/api/hunts/{self.id}/{part}"


class Client:
    """A workbench, by its address and its token.

    Parameters
    ----------
    address
        As ``rarefind serve`` prints it, without what follows the port.
    token
        The word in the server's token file (``rarefind.files/token`` beside rarefind.db), or the
        path of that file.
    annotator
        Under whose name answers are kept.
    patience
        Seconds to wait for a set-up or a ranking at most.

    Examples
    --------
    >>> client = Client("http://127.0.0.1:8737", token="secret", annotator="robot")
    >>> client.address
    'http://127.0.0.1:8737'
    """

    def __init__(
        self,
        address: str,
        token: str | Path,
        annotator: str = "client",
        patience: float = 600.0,
    ) -> None:
        self.address = address.rstrip("/")
        self._token = _word_in(token) if isinstance(token, Path) else token
        self._annotator, self._patience = annotator, patience
        # A proxy of the system would be asked for addresses that only this machine knows.
        self._opener = build_opener(ProxyHandler({}))

    def upload(self, path: str | Path, name: str | None = None) -> dict[str, Any]:
        """Hand a file over; returns its ``id``, what its columns hold and a preview."""
        path = Path(path)
        where = f"/api/datasets/{quote(name or path.name, safe='')}"
        return dict(json.loads(self.raw("PUT", where, path.read_bytes())))

    def open_hunt(self, dataset: str, name: str | None = None, **settings: Any) -> RemoteHunt:
        """Begin a hunt in a data set, given by its id, or go on with the one of that name."""
        body = {"dataset": dataset, **({"name": name} if name else {}), **settings}
        return RemoteHunt(self, self.request("POST", "/api/hunts", body)["id"])

    def hunt(self, id: str) -> RemoteHunt:
        """Return a hunt by its id."""
        return RemoteHunt(self, self.request("GET", f"/api/hunts/{quote(id, safe='')}")["id"])

    def hunts(self) -> list[dict[str, Any]]:
        """List the hunts begun last, oldest first."""
        return list(self.request("GET", "/api/hunts"))

    def request(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Send a request and read its answer, which is JSON."""
        data = None if body is None else json.dumps(body).encode()
        return json.loads(self.raw(method, path, data))

    def patiently(self, method: str, path: str, body: Mapping[str, Any]) -> Any:
        """Send a request again while the server says that it is not ready."""
        until = time.monotonic() + self._patience
        while True:
            try:
                return self.request(method, path, body)
            except ClientError as problem:
                if problem.status != 503:
                    raise
                if time.monotonic() > until:
                    why = f"The server was not ready within {self._patience:g} seconds: {problem}"
                    raise ClientError(f"{why} It goes on: ask again.", problem.status) from None
            time.sleep(_PAUSE)

    def result(self, path: str) -> dict[str, Any]:
        """Wait for a job, and return what came of it."""
        until = time.monotonic() + self._patience
        while True:
            job = self.request("GET", path)
            if job["state"] == "done":
                return dict(job["result"])
            if job["state"] in ("failed", "cancelled"):
                raise ClientError(job["error"] or f"The work was {job['state']}.")
            if time.monotonic() > until:
                raise ClientError(f"The work took longer than {self._patience:g} seconds.")
            time.sleep(_PAUSE)

    def raw(self, method: str, path: str, data: bytes | None = None) -> bytes:
        """Send a request and return its answer as it is."""
        kind = "application/octet-stream" if method == "PUT" else "application/json"
        headers = {
            "Authorization": f"Bearer {self._token}",
            "X-Annotator": quote(self._annotator),
            **({} if data is None else {"Content-Type": kind}),
        }
        if not self.address.startswith(("http://", "https://")):
            raise ClientError(f"An address begins with http:// or https://. Got {self.address!r}.")
        request = Request(self.address + path, data, headers, method=method)  # noqa: S310 - checked
        for attempt in range(_TRIES):
            try:
                with self._opener.open(request, timeout=self._patience) as answer:
                    return bytes(answer.read())
            except HTTPError as problem:
                raise ClientError(_sentence(problem), problem.code) from None
            except (URLError, HTTPException, OSError) as problem:
                if attempt == _TRIES - 1:
                    raise ClientError(
                        f"The server at {self.address} cannot be reached: {problem}."
                    ) from None
                time.sleep(_PAUSE)
        raise AssertionError("unreachable")


def _sentence(problem: HTTPError) -> str:
    """Return what the server says is wrong."""
    try:
        return str(json.loads(problem.read())["error"])
    except (ValueError, KeyError, TypeError, OSError):
        return f"The server answered {problem.code}."


def _only(kind: Any, given: Mapping[str, Any]) -> Any:
    """Make a result of the fields it has; a newer server may send more."""
    values = {name: given[name] for name in kind.__dataclass_fields__ if name in given}
    if "neighbours" in values:
        values["neighbours"] = tuple(values["neighbours"])
    return kind(**values)


def _word_in(file: Path) -> str:
    try:
        return file.read_text("utf-8").strip()
    except OSError as problem:
        raise RarefindError(
            f"The token file {file} cannot be read: rarefind serve makes one when it starts, as "
            "payments.files/token beside a store called payments.db."
        ) from problem
