"""Months by name."""

from __future__ import annotations

MONTHS = {
    name: number
    for number, names in enumerate(
        ("jan ene gen sty oca янв", "feb fev fév lut şub фев", "mar mär mrz mrt maa мар",
         "apr abr avr kwi nis апр", "may mai maj mei mag май мая", "jun juin giu cze haz июн",
         "jul juil lug lip tem июл", "aug ago aoû aou sie ağu авг", "sep set wrz eyl сен",
         "oct okt out ott paź eki окт", "nov lis kas ноя", "dec dez dic déc gru ara дек"), 1)
    for name in names.split()
}  # fmt: skip
"""Months by their first letters, in English and other languages: three tell them apart, but for
two in French."""
