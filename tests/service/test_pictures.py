"""A hunt in pictures, through every door: shown, named, exported, ranked, added to."""

from __future__ import annotations

import io
import zipfile

import pytest
from PIL import Image

from rarefind.service.facade import Service
from rarefind.service.hunts.settings import HuntSettings
from rarefind.store.opening import open_store
from tests.cli.command import rarefind
from tests.records.pictures.conftest import draw, encoded

RARE = (7, 19)


@pytest.fixture(scope="module")
def photos(tmp_path_factory):
    folder = tmp_path_factory.mktemp("desk") / "photos"
    for number in range(30):
        kind = "odd" if number in RARE else "usual"
        (folder / kind).mkdir(parents=True, exist_ok=True)
        draw(kind == "odd", number).save(folder / kind / f"{number:02}.png")
    return folder


@pytest.fixture(scope="module")
def hunt(photos):
    with Service(open_store("memory:")) as service:
        settings = HuntSettings(label_column="folder", read_as={"embed": "looks"})
        yield service, service.open_hunt(photos, settings=settings).id


def test_a_record_is_its_picture_and_its_name(hunt):
    service, id = hunt
    record = service.record(id, 1)
    [picture] = record.payloads
    assert (record.summary, picture["text"], picture["shape"]) == (
        "odd/19.png", "odd/19.png", [36, 48, 3]
    )  # fmt: skip
    assert picture["address"].startswith("data:image/png;base64,")
    assert [field.name for field in record.fields] == ["file"]  # 251 numbers tell nobody anything
    assert service.neighbours(id, 1, 1)[0].summary == "odd/07.png"


def test_the_rare_pictures_are_found_and_taken_home(hunt, tmp_path):
    service, id = hunt
    service.prepare(id)
    truth = service.truth(id)
    for _ in range(8):
        row = service.ask(id, "anna")[0].row
        service.tell(id, row, truth[row], "anna")
    assert "odd" in service.labels(id).values()
    service.export(id, tmp_path / "labels.csv")
    lines = (tmp_path / "labels.csv").read_text().splitlines()
    assert any(("odd/" in line and line.endswith(",odd")) or ",odd," in line for line in lines)


def test_a_picture_that_does_not_open_says_so(tmp_path):
    for number in range(5):
        draw(False, number).save(tmp_path / f"{number}.png")
    (tmp_path / "3.png").write_bytes(b"no picture")
    with Service(open_store("memory:")) as service:
        id = service.open_hunt(tmp_path, name="a").id
        [payload] = service.record(id, 3).payloads
        assert payload["kind"] == "broken"
        assert payload["text"].startswith("The picture 3.png cannot be opened")


def test_embeddings_that_changed_are_noticed(photos, tmp_path):
    numbers = tmp_path / "e.csv"
    numbers.write_text("x,y\n" + "\n".join(f"{row},{row % 7}.5" for row in range(30)))
    said = ["--label-column", "folder", "--embeddings", str(numbers), "--store", "s.db"]
    done = rarefind("discover", str(photos), *said, "--budget", 3, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "from e.csv" in " ".join(done.stdout.replace("[0, 0.5], [1, 1.5], [2, 2.5]", "").split())
    assert rarefind("discover", str(photos), *said, "--budget", 4, cwd=tmp_path).returncode == 0
    numbers.write_text(numbers.read_text().replace("29,", "30,"))
    again = rarefind("discover", str(photos), *said, "--budget", 5, cwd=tmp_path)
    assert again.returncode != 0
    assert "has changed since" in " ".join(again.stderr.split())


def test_on_the_terminal_a_picture_is_its_name(photos, tmp_path):
    done = rarefind("discover", str(photos), "--store", "s.db", cwd=tmp_path, stdin="q\n")
    assert done.returncode == 0, done.stderr
    assert "Records are compared by 1 picture." in done.stdout
    assert "odd/" in done.stdout or "usual/" in done.stdout


def test_an_archive_of_pictures_can_be_added_to_a_hunt(photos, tmp_path):
    with Service(open_store("memory:")) as service:
        id = service.open_hunt(photos, settings=HuntSettings(leave_out=("folder",))).id
        with zipfile.ZipFile(tmp_path / "more.zip", "w") as archive:
            archive.writestr("new/1.png", encoded(draw(True, 50)))
            archive.writestr("old/2.png", encoded(draw(False, 51)))
        service.append(id, tmp_path / "more.zip", "anna")
        assert service.record(id, 30).payloads[0]["text"] == "new/1.png"
        assert service.neighbours(id, 30, 1)


def test_pictures_are_made_ready_for_pages_and_no_larger(tmp_path):
    import base64

    Image.new("RGB", (3000, 2000), "green").save(tmp_path / "large.jpg")
    Image.new("RGB", (30, 20), "red").save(tmp_path / "small.jpg")
    with Service(open_store("memory:")) as service:
        id = service.open_hunt(tmp_path, name="a").id
        address = service.record(id, 0).payloads[0]["address"]
    sent = base64.b64decode(address.partition(",")[2])
    assert Image.open(io.BytesIO(sent)).size == (640, 427)
    assert len(sent) < 100_000
