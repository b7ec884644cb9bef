"""Images of sessions in the site: thumbnails of our own making, never the files themselves."""

import io
import json
import re
import struct
import zlib

import pytest
from PIL import Image

from generator.export.build import Builder
from generator.export.history.pictures import LARGE, SMALL, Picture, Unshown, picture_of
from generator.export.site import Choice
from generator.history.forgetting import forget_session
from generator.history.images import ImageStore
from generator.history.intake import register, take_in
from generator.paths import Home
from generator.settings_edits import set_setting
from generator.workspace import Workspace
from tests import pictures
from tests.export.conftest import files_of
from tests.pictures import PASTED, PHOTO, PLACE, SCREENSHOT, claude_block, claude_code, drawn


def png_that_says(width: int, height: int) -> bytes:
    """Return a PNG whose header names a size that its data does not have."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    head = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(b"\0" * 99))


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP"])
def test_every_kind_is_shown_small_and_larger(kind):
    made = picture_of(drawn(2400, 1200, kind=kind))
    assert (made.original, made.large, made.small) == ((2400, 1200), (LARGE, 800), (SMALL, 160))
    sizes = [Image.open(io.BytesIO(data)).size for data in made.files]
    assert sizes == [made.large, made.small]


def test_a_small_image_is_one_file_and_not_blown_up():
    made = picture_of(drawn(100, 80))
    assert made.original == made.large == made.small == (100, 80)
    assert len(made.files) == 1


def test_what_a_camera_noted_is_gone_and_the_photo_stands_upright():
    assert PLACE.encode() in PHOTO
    made = picture_of(PHOTO)
    assert made.original == (1000, 2000)
    for data in made.files:
        shown = Image.open(io.BytesIO(data))
        assert PLACE.encode() not in data
        assert not shown.getexif()
        assert shown.info.keys() <= {"loop", "background"}


@pytest.mark.parametrize("mode", ["1", "L", "LA", "P", "RGBA", "I;16", "CMYK"])
def test_every_mode_is_shown(mode):
    buffer = io.BytesIO()
    Image.new(mode, (40, 30)).save(buffer, "JPEG" if mode == "CMYK" else "PNG")
    assert picture_of(buffer.getvalue()).large == (40, 30)


def test_an_image_of_sixteen_bits_keeps_its_tones():
    buffer = io.BytesIO()
    Image.new("I;16", (40, 30), 32768).save(buffer, "PNG")
    shown = Image.open(io.BytesIO(picture_of(buffer.getvalue()).files[0])).convert("L")
    assert abs(shown.getpixel((5, 5)) - 128) < 4


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (PASTED[:300], "image_broken"),
        (b"\x89PNG\r\n\x1a\n", "image_broken"),
        (b"\xff\xd8\xff" + b"<script>alert(1)</script>", "image_broken"),
        (png_that_says(30_000, 30_000), "image_large"),
        (png_that_says(9_000, 9_000), "image_large"),
        (png_that_says(4_000, 4_000), "image_broken"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "image_broken"),
        (b"", "image_broken"),
    ],
)
def test_a_broken_or_a_lying_image_has_a_reason(data, reason):
    made = picture_of(data)
    assert isinstance(made, Unshown)
    assert made == reason


def test_bytes_changed_at_random_never_fail():
    import random

    chance = random.Random(7)
    for kind in ("PNG", "JPEG", "GIF", "WEBP", "AVIF", "BMP"):
        for _ in range(60):
            data = bytearray(drawn(48, 32, kind=kind))
            for _ in range(chance.randrange(1, 9)):
                data[chance.randrange(len(data))] = chance.randrange(256)
            assert isinstance(picture_of(bytes(data)), Picture | Unshown)


def test_equal_images_give_equal_bytes():
    assert picture_of(PHOTO) == picture_of(PHOTO)


@pytest.fixture(scope="module")
def home(tmp_path_factory):
    folder = tmp_path_factory.mktemp("images")
    home = Home(folder / "home")
    home.root.mkdir()
    pictures.write_all(folder / "exports")
    odd = [{"type": "text", "text": f"See ![here]({pictures.data_address(pictures.photo(60, 30))})"},
           claude_block(SCREENSHOT[:900]), claude_block(b"<svg/>", "image/svg+xml")]  # fmt: skip
    (folder / "exports" / "odd.jsonl").write_text(claude_code("odd", odd))
    register(Workspace(home=home), [folder / "exports"])
    take_in(Workspace(home=home))
    return home


def build(home, out, **options):
    return Builder(Workspace(home=home), out, sections=("history",), **options).build()


@pytest.fixture(scope="module")
def site(home, tmp_path_factory):
    out = tmp_path_factory.mktemp("images-site") / "site"
    report = build(home, out)
    assert report.images == 5  # four kept ones, and one that stands in a text
    return out


def page(site, name):
    return (site / "history" / "sessions" / name).read_text("utf-8")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("pictures", 3), ("codex-pictures", 3), ("gemini-pictures", 2), ("ses_pictures", 2),
        ("cli-pictures", 1), ("gpt-pictures", 2), ("ai-pictures", 1),
    ],
)  # fmt: skip
def test_the_images_of_every_agent_are_shown(site, name, shown):
    html = page(site, f"{name}.html")
    figures = re.findall(
        r'<a href="(\.\./images/[0-9a-f]{24}\.webp)"><img src="(\.\./images/[0-9a-f]{24}(?:-small)?'
        r'\.webp)" width="(\d+)" height="(\d+)" alt="([^"]+)" loading="lazy" decoding="async"></a>',
        html,
    )
    assert len(figures) == shown
    for large, small, width, height, alt in figures:
        with Image.open(site / "history" / "sessions" / small) as image:
            assert image.size == (int(width), int(height))
            assert max(image.size) <= SMALL
        with Image.open(site / "history" / "sessions" / large) as image:
            assert max(image.size) <= LARGE
        assert "B)" in alt  # the size
    assert "\x04" not in html


def test_the_twin_links_the_images_and_the_records_name_no_file(site):
    assert re.search(r"!\[pier\.png \(image/png, \d KB\)\]\(\.\./images/[0-9a-f]{24}\.webp\)",
                     page(site, "ses_pictures.md"))  # fmt: skip
    records = [json.loads(line) for line in page(site, "pictures.jsonl").splitlines()]
    attached = [item for record in records for item in record.get("attachments", ())]
    assert attached
    assert not any("file" in item for item in attached)


def test_nothing_of_a_site_says_where_a_photo_was_taken(site):
    for path in site.rglob("*"):
        if path.is_file():
            assert PLACE.encode() not in path.read_bytes()
            assert pictures.base64_of(PHOTO)[40:200].encode() not in path.read_bytes()


def test_what_cannot_be_shown_is_named(site):
    html = page(site, "odd.html")
    told = re.sub(r"<[^>]+>", "", html)
    assert "image (image/png, 900 B): cannot be read" in told
    assert "image/svg+xml" in html
    assert '<img src="data:image/webp;base64,' in html
    assert "<svg/>" not in html


def test_the_about_page_says_what_masking_cannot_do(site):
    text = (site / "about" / "index.md").read_text("utf-8")
    assert "5 images of sessions can be seen here as they are" in text
    assert "--no-images" in text


def test_a_build_is_incremental_and_equal_to_a_clean_one(home, site, tmp_path):
    again = build(home, site)
    assert not again.written
    build(home, tmp_path / "clean")
    assert files_of(tmp_path / "clean") == files_of(site)


def test_a_tampered_image_is_made_anew(home, tmp_path):
    out = tmp_path / "site"
    build(home, out)
    before = files_of(out)
    victim = next(path for path in (out / "history" / "images").iterdir())
    victim.write_bytes(b"other")
    build(home, out)
    assert files_of(out) == before


@pytest.mark.parametrize("by_setting", [True, False])
def test_images_can_be_left_out(home, tmp_path, by_setting):
    out = tmp_path / "site"
    if by_setting:
        set_setting(home, "site.images", "false")
    try:
        report = build(home, out, choice=Choice(images=by_setting))
    finally:
        set_setting(home, "site.images", "true")
    assert report.images == 0
    assert not (out / "history" / "images").exists()
    assert "<img" not in page(out, "pictures.html") + page(out, "odd.html")
    assert "left out of this export" in page(out, "pictures.html")
    assert "left out of this export" in page(out, "pictures.md")
    build(home, out)
    assert "<img" in page(out, "pictures.html")


def test_a_removed_image_leaves_the_site_with_the_next_build(tmp_path):
    home = Home(tmp_path / "home")
    home.root.mkdir()
    exports = tmp_path / "exports"
    exports.mkdir()
    (exports / "a.jsonl").write_text(claude_code("a", [claude_block(PASTED)]))
    (exports / "b.jsonl").write_text(claude_code("b", [claude_block(SCREENSHOT)]))
    register(Workspace(home=home), [exports])
    out = tmp_path / "site"
    assert build(home, out).images == 2
    store = ImageStore(home.history)
    for name in list(store.names()):
        if store.read(name) == PASTED:
            store.remove(name)
    assert build(home, out).images == 1
    assert "not kept any more" in page(out, "a.html")
    forget_session(Workspace(home=home), "b")
    build(home, out)
    assert not (out / "history" / "images").exists()


def test_the_command_says_how_many_images_are_shown(home, tmp_path, run):
    def build_with(*words):
        found = run("--home", str(home.root), "build", "--out", str(tmp_path / "site"), *words)
        assert found.code == 0
        return found.out

    told = build_with("--with", "history")
    assert "5 images are shown as they are: look at them before you publish" in told
    assert "images are shown" not in build_with("--with", "history", "--no-images")
    assert json.loads(build_with("--with", "history", "--json"))["images"] == 5
