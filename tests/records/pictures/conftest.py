from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image, ImageDraw

RARE = ("p07", "p19", "p31")


def draw(rare, seed, size=(48, 36)):
    """A red disc on grey noise, or a blue square."""
    rng = np.random.default_rng(seed)
    noise = rng.normal(128, 12, (size[1], size[0], 3)).clip(0, 255).astype(np.uint8)
    picture = Image.fromarray(noise)
    x, y = rng.integers(2, 16, 2).tolist()
    if rare:
        ImageDraw.Draw(picture).rectangle([x, y, x + 14, y + 14], fill=(30, 60, 220))
    else:
        ImageDraw.Draw(picture).ellipse([x, y, x + 14, y + 14], fill=(210, 60, 40))
    return picture


def encoded(picture, kind="PNG"):
    held = io.BytesIO()
    picture.save(held, kind)
    return held.getvalue()


@pytest.fixture(scope="session")
def album(tmp_path_factory):
    """A folder of forty pictures of several kinds, three of them rare; nobody writes into it."""
    folder = tmp_path_factory.mktemp("album")
    endings = ("png", "jpg", "gif", "webp", "bmp", "tif")
    for number in range(40):
        name = f"p{number:02}"
        draw(name in RARE, number).save(folder / f"{name}.{endings[number % 6]}")
    (folder / ".thumbnails").mkdir()
    draw(True, 99).save(folder / ".thumbnails" / "hidden.png")
    (folder / "notes.txt").write_text("taken in May")
    return folder
