"""What files fetched by name must hold: columns, classes and their sizes, and means of columns.

Figures can be compared only if everybody has the same records, so what is fetched must agree with
the files that the published figures were measured on.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

_LOOKED_AT = 12
"""How many columns, evenly spread over all, have their means compared."""

_NEAR = 1e-3
"""How near means must be, as a share of the mean and of the spread."""


@dataclass(frozen=True)
class Expected:
    """What a file must hold.

    Attributes
    ----------
    columns
        The names of the features.
    classes
        How many records each class has.
    means
        The means of some of the features: of numbers, or of the lengths of words. None where the
        file is built by rules of our own, and not compared.
    """

    columns: tuple[str, ...]
    classes: Mapping[str, int]
    means: tuple[float, ...] | None

    @property
    def rows(self) -> int:
        """How many records there are."""
        return sum(self.classes.values())

    def fault(self, features: Sequence[NDArray[Any]], labels: Sequence[str]) -> str | None:
        """Say what is not as expected; None if all is."""
        if len(features) != len(self.columns):
            return f"{len(self.columns)} features were expected, {len(features)} came"
        if len(labels) != self.rows:
            return f"{self.rows} rows were expected, {len(labels)} came"
        counted = Counter(labels)
        for name in sorted({*self.classes, *counted}):
            if counted[name] != self.classes.get(name, 0):
                return (
                    f"{self.classes.get(name, 0)} records of class {name!r} were expected, "
                    f"{counted[name]} came"
                )
        if self.means is None:
            return None
        for place, mean in zip(_looked_at(len(features)), self.means, strict=True):
            numbers = _as_numbers(features[place])
            found = float(numbers.mean())
            near = _NEAR * (abs(mean) + float(numbers.std())) + 1e-6
            if not abs(found - mean) <= near:
                return (
                    f"a mean of {mean:g} was expected in column {self.columns[place]!r}, "
                    f"{found:g} came"
                )
        return None


def _looked_at(columns: int) -> list[int]:
    return sorted({int(place) for place in np.linspace(0, columns - 1, _LOOKED_AT)})


def _as_numbers(column: NDArray[Any]) -> NDArray[np.float64]:
    if column.dtype.kind == "O":
        return np.array([len(str(cell)) for cell in column], dtype=np.float64)
    return column.astype(np.float64)


def _numbered(letter: str, number: int) -> str:
    return " ".join(f"{letter}{place}" for place in range(number))


def _expected(columns: str, classes: str, means: tuple[float, ...] | None) -> Expected:
    words = classes.split()
    sizes = map(int, words[1::2])
    return Expected(tuple(columns.split()), dict(zip(words[::2], sizes, strict=True)), means)


_SHUTTLE = "time a2 a3 a4 a5 a6 a7 a8 a9"
"""Columns, as UCI names them."""

_KDD = """
duration protocol_type service flag src_bytes dst_bytes land wrong_fragment urgent hot
num_failed_logins logged_in num_compromised root_shell su_attempted num_root num_file_creations
num_shells num_access_files num_outbound_cmds is_host_login is_guest_login count srv_count
serror_rate srv_serror_rate rerror_rate srv_rerror_rate same_srv_rate diff_srv_rate
srv_diff_host_rate dst_host_count dst_host_srv_count dst_host_same_srv_rate
dst_host_diff_srv_rate dst_host_same_src_port_rate dst_host_srv_diff_host_rate
dst_host_serror_rate dst_host_srv_serror_rate dst_host_rerror_rate dst_host_srv_rerror_rate
"""
"""Columns, as the task of 1999 names them."""

EXPECTED: dict[str, Expected] = {
    "shuttle_train.parquet": _expected(
        _SHUTTLE,
        "1 34108 4 6748 5 2458 3 132 2 37 7 11 6 6",
        (48.25, -0.2051, 85.34, 0.2627, 34.53, 1.298, 37.07, 50.9, 13.96),
    ),
    "shuttle_test.parquet": _expected(
        _SHUTTLE,
        "1 11478 4 2155 5 809 3 39 2 13 6 4 7 2",
        (48.2, 0.5376, 85.37, 0.2505, 34.61, 2.538, 37.15, 50.84, 13.84),
    ),
    "ecoli.parquet": _expected(
        "mcg gvh lip chg aac alm1 alm2",
        "cp 143 im 77 pp 52 imU 35 om 20 omL 5 imS 2 imL 2",
        (0.5001, 0.5, 0.4955, 0.5015, 0.5, 0.5002, 0.4997),
    ),
    "glass.parquet": _expected(
        "RI Na Mg Al Si K Ca Ba Fe",
        "2 76 1 70 7 29 3 17 5 13 6 9",
        (1.518, 13.41, 2.685, 1.445, 72.65, 0.4971, 8.957, 0.175, 0.05701),
    ),
    "page_blocks.parquet": _expected(
        "height length area eccen p_black p_and mean_tr blackpix blackand wb_trans",
        "1 4913 2 329 5 115 4 88 3 28",
        (10.47, 89.57, 1198.0, 13.75, 0.3686, 0.7851, 6.219, 365.9, 741.1, 106.7),
    ),
    "abalone.parquet": _expected(
        "sex length diameter height whole_weight shucked_weight viscera_weight shell_weight",
        "9 689 10 634 8 568 11 487 7 391 12 267 6 259 13 203 14 126 5 115 15 103 16 67 17 "
        "58 4 57 18 42 19 32 20 26 3 15 21 14 23 9 22 6 27 2 24 2 1 1 26 1 29 1 2 1 25 1",
        (1.0, 0.524, 0.4079, 0.1395, 0.8287, 0.3594, 0.1806, 0.2388),
    ),
    "winequality.parquet": _expected(
        "fixed_acidity volatile_acidity citric_acid residual_sugar chlorides "
        "free_sulfur_dioxide total_sulfur_dioxide density pH sulphates alcohol color",
        "6 2836 5 2138 7 1079 4 216 8 193 3 30 9 5",
        (7.215, 0.3397, 0.3186, 5.443, 0.05603, 30.53, 115.7, 0.9947, 3.219, 0.5313, 10.49, 4.508),
    ),
    "nursery.parquet": _expected(
        "Parents Has_nurs Form Children Housing Finance Social Health",
        "not_recom 4320 priority 4266 spec_prior 4044 very_recom 328 recommend 2",
        (8.667, 8.4, 8.25, 1.75, 9.0, 8.0, 10.33, 9.333),
    ),
    "mammography.parquet": _expected(
        "x1 x2 x3 x4 x5 x6",
        "-1 10923 1 260",
        (0.0, 0.0, 0.0, 0.0, 0.0, 0.0),
    ),
    "pendigits.parquet": _expected(
        _numbered("x", 16),
        "2 1144 4 1144 1 1143 0 1143 7 1142 6 1056 8 1055 5 1055 9 1055 3 1055",
        (38.81, 85.12, 40.61, 49.77, 65.57, 51.22, 56.87, 33.7, 60.52, 55.02, 34.94, 28.85),
    ),
    "optdigits.parquet": _expected(
        _numbered("p", 64),
        "3 572 1 571 4 568 7 566 9 562 6 558 5 558 2 557 0 554 8 554",
        (0.0, 5.594, 11.8, 2.598, 1.964, 9.754, 7.662, 0.02153, 8.535, 9.775, 0.2819, 0.2541),
    ),
    "kdd99_10.parquet": _expected(
        _KDD,
        "smurf 280790 neptune 107201 normal 97278 back 2203 satan 1589 ipsweep 1247 "
        "portsweep 1040 warezclient 1020 teardrop 979 pod 264 nmap 231 guess_passwd 53 "
        "buffer_overflow 30 land 21 warezmaster 20 imap 12 rootkit 10 loadmodule 9 "
        "ftp_write 8 multihop 7 phf 4 perl 3 spy 2",
        (
            47.98,
            2.061,
            0.006433,
            0.0001518,
            3.644e-05,
            0.001008,
            0.001387,
            0.1766,
            0.02098,
            188.7,
            0.006684,
            0.05741,
        ),
    ),
    "hiva.parquet": _expected(
        _numbered("f", 1617),
        "-1 3710 1 135",
        (
            0.008322,
            0.1355,
            0.04109,
            0.02861,
            0.0104,
            0.02731,
            0.06762,
            0.05722,
            0.02107,
            0.005722,
            0.2908,
            0.03147,
        ),
    ),
    "mnist.parquet": _expected(
        _numbered("p", 784),
        "1 3416 7 3121 3 3086 9 3023 0 2974 2 2961 6 2929 4 2927 8 2896 5 2667",
        (0.0, 3.545, 0.005433, 127.3, 4.23, 85.69, 51.2, 24.68, 81.42, 0.6925, 16.39, 0.0),
    ),
    "splice.parquet": _expected(
        "sequence",
        "N 1655 IE 768 EI 767",
        (60.0,),
    ),
    "webkb.parquet": _expected(
        "text university split",
        "other 3764 student 1641 faculty 1124 course 930 project 504 department 182 staff 137",
        None,
    ),
}
"""What each file held when the published figures were made."""
