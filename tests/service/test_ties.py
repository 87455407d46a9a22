from __future__ import annotations

from collections import Counter


def test_ties_and_labels_since_a_ranking_are_counted(payments):
    hunt = payments()
    service = hunt.service
    for row in range(12):
        service.tell(hunt.id, row, hunt.truth[row], "anna", asked=False)
    rare = hunt.truth.index("fraud")
    service.tell(hunt.id, rare, "fraud", "anna", asked=False)
    made = service.rank(hunt.id, "fraud", "lago")
    assert made.labels_since == 0
    rows = service.ranked(hunt.id, made.id, 0, 1000)
    often = Counter(each.score for each in rows)
    assert [each.tied for each in rows] == [often[each.score] - 1 for each in rows]
    for each in rows[:3]:
        kept = service.tell(hunt.id, each.row, "fraud", "anna")
    service.skip(hunt.id, rows[5].row, "anna")
    assert service.ranking(hunt.id, made.id).labels_since == 3
    service.undo(hunt.id, "anna", target=kept.event.id)
    assert service.ranking(hunt.id, made.id).labels_since == 2
