"""What a hunt is set to, as it is kept in the store."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from typing import Any, ClassVar

from rarefind.core.errors import ParameterError
from rarefind.core.names import unknown_name
from rarefind.core.params import NOTHING, Constraint, Integer, Is, Number, check_params
from rarefind.discovery.class_keys import KEYS
from rarefind.records.read_as import ReadAs
from rarefind.service.asking.class_keys import COLOURS


@dataclass(frozen=True)
class HuntSettings:
    """How a hunt searches and how its file is read.

    Attributes
    ----------
    strategy
        The name of a strategy.
    kernel
        A kernel's specification, or None for the one that suits the columns.
    priors
        ``{class: share}``, a list of shares, or None.
    background
        Names of the ordinary classes; none for the class answered most often.
    seed
        The same seed and the same answers give the same questions.
    kinds
        Kinds of columns that differ from what is detected.
    label_column
        A column that is kept apart from the features: it may answer, or be compared with.
    leave_out
        Columns that are shown and not compared by.
    read_as
        How the file is read where that was said: see :class:`rarefind.records.read_as.ReadAs`.
    overlap
        How many people are asked about each record.
    lease_seconds
        How long a question is kept for the one who was asked.
    title
        A line for people about the hunt.
    deleted
        Whether it is out of sight; what was said is kept.
    named
        Classes known when the hunt began, which have the first keys; None in hunts of old.
    keys
        Keys that people chose for classes; all others are given out in turn.
    colours
        Numbers of colours that people chose for classes.

    Examples
    --------
    >>> settings = HuntSettings(strategy="malice", priors={"fraud": 0.01})
    >>> HuntSettings.from_mapping(settings.as_mapping()) == settings
    True
    """

    strategy: str = "auto"
    kernel: str | None = None
    priors: Mapping[Hashable, float] | Sequence[float] | None = None
    background: tuple[str, ...] = ()
    seed: int = 0
    kinds: Mapping[str, str] = field(default_factory=dict)
    label_column: str | None = None
    leave_out: tuple[str, ...] = ()
    read_as: Mapping[str, Any] = field(default_factory=dict)
    overlap: int = 1
    lease_seconds: float = 300.0
    title: str = ""
    deleted: bool = False
    named: tuple[str, ...] | None = None
    keys: Mapping[str, str] = field(default_factory=dict)
    colours: Mapping[str, int] = field(default_factory=dict)

    _params: ClassVar[Mapping[str, Sequence[Constraint]]] = {
        "strategy": [Is("the name of a strategy", lambda value: isinstance(value, str))],
        "kernel": [
            Is("a specification of a kernel", lambda value: isinstance(value, str)),
            NOTHING,
        ],
        "seed": [Integer(0)],
        "overlap": [Integer(1, 100)],
        "lease_seconds": [Number(1, 86_400)],
        "title": [Is("words", lambda value: isinstance(value, str))],
    }

    def check(self) -> HuntSettings:
        """Refuse, in a sentence, what no hunt can be set to."""
        check_params(self, self._params)
        self.how.check()
        for name in self.background:
            if not isinstance(name, str) or not name.strip():
                raise ParameterError(
                    f"The 'background' of a hunt must be names of classes. Got {name!r} instead."
                )
        for name, key in self.keys.items():
            if key not in KEYS or len(key) != 1:
                raise ParameterError(
                    f"The key of the class {name!r} must be one of {KEYS}. Got {key!r} instead."
                )
        for name, colour in self.colours.items():
            if not 1 <= colour <= COLOURS:
                raise ParameterError(
                    f"The colour of the class {name!r} must be a number from 1 to {COLOURS}. "
                    f"Got {colour!r} instead."
                )
        return self

    @property
    def how(self) -> ReadAs:
        """How the file is read."""
        return ReadAs.from_mapping(self.read_as)

    def begun(self) -> HuntSettings:
        """Return the settings of a hunt that begins now: the classes known have their keys."""
        known = [str(name) for name in self.priors] if isinstance(self.priors, Mapping) else []
        return replace(self, named=tuple(dict.fromkeys([*self.background, *known])))

    def named_at_first(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """Return the classes known when the hunt began, and those of them that are ordinary."""
        named = self.background if self.named is None else self.named
        rare = {str(name) for name in self.priors} if isinstance(self.priors, Mapping) else set()
        return named, tuple(name for name in named if name not in rare)

    def as_mapping(self) -> dict[str, Any]:
        """Return plain values, ready for JSON."""
        plain = asdict(self)
        return {name: list(x) if isinstance(x, tuple) else x for name, x in plain.items()}

    @classmethod
    def from_mapping(cls, plain: Mapping[str, Any]) -> HuntSettings:
        """Read what ``as_mapping`` gave; what is missing has its usual value."""
        known = {each.name for each in fields(cls)}
        for name in plain:
            if name not in known:
                raise unknown_name("setting", name, sorted(known))
        values = dict(plain)
        for name in {"background", "leave_out", "named"} & set(plain):
            given = values[name]
            if given is not None or name != "named":
                values[name] = (given,) if isinstance(given, str) else tuple(given or ())
        return cls(**values)

    def reading(self) -> dict[str, Any]:
        """How the file is read: what must be the same for rows and vectors to be the same."""
        return {
            "kinds": dict(self.kinds),
            "label_column": self.label_column,
            "leave_out": list(self.leave_out),
            **({"read_as": dict(self.read_as)} if self.read_as else {}),
        }

    def over(self, kept: HuntSettings) -> HuntSettings:
        """Return what is given here, and what was kept for all else."""
        return replace(kept, **self._given())

    def contradiction(self, kept: HuntSettings) -> str | None:
        """Name the first setting given here that differs from those kept; None if none does."""
        given = {name: value for name, value in self._given().items() if name != "background"}
        # Which class is ordinary may be said later.
        return next((name for name, value in given.items() if value != getattr(kept, name)), None)

    def _given(self) -> dict[str, Any]:
        """Return what is not as it usually is."""
        usual, own = vars(HuntSettings()), vars(self)
        return {name: value for name, value in own.items() if value != usual[name]}


def in_words(value: Any) -> str:
    """Tell what a setting is set to; nothing, if that is nothing.

    >>> in_words({"zip": "category", "x": 0.25}), in_words(("a", "b")), in_words(True)
    ('zip=category, x=0.25', 'a, b', 'yes')
    """
    if isinstance(value, Mapping):
        value = [f"{key}={in_words(each)}" for key, each in value.items()]
    if isinstance(value, list | tuple):
        return ", ".join(map(in_words, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    return "" if value is None else str(value)
