"""The use cases of every front door in one object: open, ask, tell, see, rank, export."""

from __future__ import annotations

from rarefind.service.asking.renaming import Renaming
from rarefind.service.asking.steps import Steps
from rarefind.service.asking.use_cases import Labelling
from rarefind.service.exchange.use_cases import Exchanging
from rarefind.service.finding.use_cases import Finding
from rarefind.service.hunts.use_cases import Opening
from rarefind.service.mapping.use_cases import Mapping
from rarefind.service.people.use_cases import Inviting
from rarefind.service.ranking.harvesting import Harvesting
from rarefind.service.ranking.use_cases import Detecting
from rarefind.service.showing.use_cases import Seeing


class Service(
    Opening,
    Labelling,
    Steps,
    Renaming,
    Seeing,
    Finding,
    Mapping,
    Detecting,
    Harvesting,
    Exchanging,
    Inviting,
):
    r"""Everything a front door can do with hunts. Safe to call from many threads.

    Parameters
    ----------
    store
        Where hunts are kept.
    tables
        Files read a moment ago, if somebody else has looked at them already.
    workplace
        Where rankings and comparisons are computed: in the thread that asks, or, with a
        ``Workroom``, in a process of their own. It is closed with the service.
    idle_seconds
        After so many seconds without use, the records and the strategy of a hunt are let go; the
        next request brings them back. None to keep them.

    Examples
    --------
    >>> import tempfile, pathlib
    >>> from rarefind.service.hunts.settings import HuntSettings
    >>> from rarefind.store.opening import open_store
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     path = pathlib.Path(folder) / "sizes.csv"
    ...     _ = path.write_text("size\n" + "\n".join(map(str, [1, 2, 3, 4, 90])))
    ...     service = Service(open_store("memory:"))
    ...     hunt = service.open_hunt(path, settings=HuntSettings(strategy="farthest-first"))
    ...     service.prepare(hunt.id)
    ...     asked = service.ask(hunt.id, "anna")[0]
    ...     _ = service.tell(hunt.id, asked.row, "ordinary", "anna")
    ...     print(service.progress(hunt.id).labels)
    ...     service.close()
    1
    """
