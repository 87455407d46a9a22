"""What the log of a hunt looks up at once is what its list of all standing words says."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rarefind.core.errors import StateError
from rarefind.service.facade import Service
from rarefind.store.opening import open_store

_STEPS = st.lists(
    st.tuples(
        st.sampled_from(["tell", "skip", "undo", "rename"]),
        st.integers(0, 4),
        st.sampled_from(["anna", "bert"]),
        st.sampled_from("xyz"),
    ),
    max_size=25,
)


@pytest.fixture(scope="module")
def sizes(tmp_path_factory):
    path = tmp_path_factory.mktemp("log") / "sizes.csv"
    path.write_text("size\n" + "\n".join(map(str, range(30))))
    return path


@given(_STEPS)
def test_words_are_looked_up_as_the_list_of_all_has_them(sizes, steps):
    with Service(open_store("memory:")) as service:
        hunt = service.open_hunt(sizes).id
        log = service.opened(hunt).log
        log.set_overlap(2)
        assert log.half_answered("cleo", 9, ()) == []
        for place, (kind, row, who, label) in enumerate(steps):
            if kind == "tell":
                service.tell(hunt, row, label, who)
            elif kind == "skip":
                service.skip(hunt, row, who)
            elif kind == "undo" and any(each.annotator == who for each in words(service, hunt)):
                service.undo(hunt, who)
            elif kind == "rename" and label in {each.label for each in words(service, hunt)}:
                service.rename(hunt, label, f"{label}{place}", who)
        standing = words(service, hunt)
        once = Counter(word.row for word in standing)
        assert dict(log.half_answered("cleo", 9, ())) == {r: n for r, n in once.items() if n < 2}
        for row in range(5):
            assert sorted(log.about(row), key=lambda word: word.seq) == [
                word for word in standing if word.row == row
            ]
            for who in ("anna", "bert"):
                mine = [word for word in standing if (word.row, word.annotator) == (row, who)]
                assert service.said_of(hunt, row, who) == (mine[-1] if mine else None)
        labels = log.labels()
        assert service.hunt(hunt).labels == len(labels)
        assert log.labels_of(range(6)) == [labels.get(row) for row in range(6)]
        for seq in range(len(steps) + 1):
            late = [word for word in standing if word.seq > seq and word.label is not None]
            assert log.told_since(seq) == len(late)
        for who in ("anna", "bert"):
            mine = [(word.seq, word.event_id) for word in standing if word.annotator == who]
            mine += [
                (each.event.seq, each.event.id)
                for each in log.history()
                if (each.event.kind, each.event.annotator) == ("rename", who) and not each.undone
            ]
            if mine:
                assert log.last_of(who) == max(mine)[1]
            else:
                with pytest.raises(StateError, match="nothing in this hunt"):
                    log.last_of(who)


def words(service, hunt):
    log = service.opened(hunt).log
    log.catch_up(force=True)
    return log.statements()
