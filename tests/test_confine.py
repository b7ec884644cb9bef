"""No name leads out: not by dots, not absolute, not through links, not by odd bytes."""

import pytest

from generator.confine import is_inside, resolve_inside
from generator.exceptions import OutsideError


@pytest.fixture
def inside(tmp_path):
    folder = tmp_path / "inside"
    (folder / "deep").mkdir(parents=True)
    (folder / "a.txt").write_text("a")
    (tmp_path / "outside.txt").write_text("secret")
    return folder


def test_names_inside_resolve(inside):
    assert resolve_inside("a.txt", base=inside, roots=[inside]) == (inside / "a.txt").resolve()
    assert resolve_inside("deep/../a.txt", base=inside, roots=[inside]).name == "a.txt"
    assert resolve_inside("not yet.txt", base=inside, roots=[inside]).name == "not yet.txt"
    assert resolve_inside(inside / "a.txt", base=inside, roots=[inside]).name == "a.txt"


@pytest.mark.parametrize(
    "name", ["../outside.txt", "deep/../../outside.txt", "/etc/passwd", "a\x00b", "x/" * 5000]
)
def test_names_that_lead_out_are_refused(inside, name):
    with pytest.raises(OutsideError):
        resolve_inside(name, base=inside, roots=[inside])


def test_links_that_lead_out_are_refused(inside):
    (inside / "link").symlink_to(inside.parent)
    (inside / "file").symlink_to(inside.parent / "outside.txt")
    with pytest.raises(OutsideError):
        resolve_inside("link/outside.txt", base=inside, roots=[inside])
    with pytest.raises(OutsideError):
        resolve_inside("file", base=inside, roots=[inside])


def test_a_folder_whose_name_starts_alike_is_outside(inside, tmp_path):
    (tmp_path / "inside-too").mkdir()
    assert not is_inside(tmp_path / "inside-too", [inside])
    assert is_inside(inside, [inside])


def test_a_link_in_a_ring_is_refused(inside):
    (inside / "ring").symlink_to(inside / "ring")
    with pytest.raises(OutsideError):
        resolve_inside("ring", base=inside, roots=[inside])
