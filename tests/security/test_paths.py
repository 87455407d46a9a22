"""No text in an address becomes a path on this machine."""

from __future__ import annotations

import re
from itertools import product
from urllib.parse import quote

from rarefind.web.uploads import safe_name
from tests.web.inside import Inside

SECRET = "the-secret-that-nobody-may-read"


def traversals(target: str) -> list[str]:
    """At least 200 ways that have been used to leave a folder."""
    ups = ["../", "..\\", "%2e%2e/", "%2e%2e%2f", "..%2f", "..%5c", "%252e%252e%252f", "..;/",
           "....//", "..%c0%af", "%uff0e%uff0e/", ".%00./", "..%00/", "/../", "./../"]  # fmt: skip
    starts = ["", "/", "//", "///", "file://", "~", "C:\\", "\\\\localhost\\c$\\"]
    relative = [up * depth + target.lstrip("/") for up, depth in product(ups, (1, 2, 3, 5, 9))]
    absolute = [
        start + target + end
        for start, end in product(
            starts, ["", "%00", "%00.csv", "?", "#", "::$DATA", "/.", ";a=b", ".csv", "%20"]
        )
    ]
    special = [
        "/proc/self/root" + target, "//proc/self/root" + target, "/proc/self/environ",
        "/proc/self/cwd/token", "/dev/stdin", "/dev/zero", "..", ".", "%2e", "%2e%2e", "token",
        "../token", "about.json", "../about.json", "%2e%2e%2ftoken", "con", "nul.csv", "aux",
        "\x00", "%00", "\u202e", "\ufeff", "%ff%fe", "a" * 5000, "*", "?*", "{}", "${HOME}",
        "$(id)", "`id`", "|id", "'; DROP TABLE events; --", "../" * 500 + "etc/passwd", "..%01/",
        "%0d%0a",
    ]  # fmt: skip
    return list(dict.fromkeys([*relative, *absolute, *special, *map(quote, relative[:20])]))


def ids(inside: Inside) -> list[tuple[str, str]]:
    return [route for route in inside.routes() if "{" in route[1]]


def test_two_hundred_traversal_strings_on_every_id_read_nothing(inside):
    folder = inside.settings.home.parent
    secret = folder / "secret.csv"
    secret.write_text(f"name\n{SECRET}\n")
    (inside.settings.home / "token").write_text(SECRET)
    strings = traversals(str(secret))
    assert len(strings) >= 200
    before = sorted(folder.rglob("*"))
    asked = []
    for method, path in ids(inside):
        places = re.findall(r"\{[^}]*\}", path)
        for place in places:
            # All strings on reading routes, every fifth on the others.
            for text in strings if method == "GET" else strings[::5]:
                address = path.replace(place, text)
                for other in places:
                    address = address.replace(other, "1")
                asked.append((method, address))
    assert len(asked) >= 200 * 10
    for request, answer in zip(asked, inside.raw_many(asked), strict=True):
        assert SECRET.encode() not in answer.content, request
        assert 400 <= answer.status_code < 500, (request, answer.status_code, answer.text[:200])
    assert sorted(folder.rglob("*")) == before


def test_static_files_come_from_a_list_and_not_from_the_disk(inside):
    asked = [("GET", f"/static/{text}") for text in traversals("/etc/passwd")]
    for request, answer in zip(asked, inside.raw_many(asked), strict=True):
        assert answer.status_code in (400, 404), request
        assert b"root:" not in answer.content


def test_uploads_lie_under_names_of_our_making():
    for text in traversals("/tmp/escaped.csv"):
        try:
            name = safe_name(text)
        except ValueError:
            continue
        assert re.fullmatch(r"[A-Za-z0-9_-]{1,70}(\.[a-z]+){1,2}", name), name
    assert safe_name("../../x/März.CSV.gz") == "M_rz.csv.gz"
    assert safe_name("con.csv") == "file-con.csv"
    assert safe_name(".csv") == "records.csv"
