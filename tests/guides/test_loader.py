"""Loading guides: strict front matter with lines, overrides, and no guide stops another."""

import os

import pytest

from generator.exceptions import GuideError, UnknownNameError
from generator.guides.loader import load_folders, load_guide


def test_a_guide_has_its_front_matter_and_the_line_its_body_starts(tmp_path, write_guide):
    path = write_guide(tmp_path, "one", "## A\n", more="aliases: [uno]\ntools: [write_error]\n")
    guide = load_guide(path, origin="shipped")
    assert (guide.topic, guide.title, guide.since) == ("one", "One", "0.1.0")
    assert guide.aliases == ("uno",)
    assert guide.tools == ("write_error",)
    assert guide.body.strip() == "## A"
    assert path.read_text().splitlines()[guide.body_line - 1 :] == ["", "## A"]


def test_versions_stay_text(tmp_path, write_guide):
    path = write_guide(tmp_path, "one")
    path.write_text(path.read_text().replace("0.1.0", "1.10"))
    assert load_guide(path, origin="user").since == "1.10"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("## no front matter\n", "line 1: there is no front matter"),
        ("---\ntitle: a\n", "line 1: the front matter is not closed"),
        ("---\ntitle: a: b\n---\n## A\n", "line 2: mapping values are not allowed"),
        ("---\n- a\n---\n## A\n", "line 2: the front matter is no list of 'key: value' lines"),
        ("---\ntitle: a\ntitle: b\n---\n## A\n", "line 3: 'title' stands twice"),
        (
            "---\ntitel: a\nsummary: b\nsince: 1\n---\n## A\n",
            "line 2: 'titel' is not a key (did you mean 'title'?); line 1: 'title' must be given",
        ),
        (
            "---\ntitle: a\nsummary: b\nsince: 1\naliases: x\n---\n## A\n",
            "line 5: 'aliases' takes a list of names",
        ),
        ("---\ntitle: a\nsummary: b\nsince: 1\n---\n", "line 6: there is no text below"),
        (
            "---\ntitle: a\nsummary: |\n  b\n  c\nsince: 1\n---\nx\n",
            "line 3: 'summary' takes one line",
        ),
        ("", "line 1: there is no front matter"),
    ],
)
def test_broken_front_matter_names_file_line_and_remedy(tmp_path, text, says):
    path = tmp_path / "one.md"
    path.write_text(text)
    with pytest.raises(GuideError) as caught:
        load_guide(path, origin="user")
    assert str(caught.value).startswith(f"{path}, {says}")
    assert caught.value.hint


def test_a_file_that_is_not_utf8_names_the_line(tmp_path):
    path = tmp_path / "one.md"
    path.write_bytes(b"---\ntitle: a\n\xff\n---\n")
    with pytest.raises(GuideError, match="line 3: the file is not UTF-8"):
        load_guide(path, origin="user")


def test_windows_line_ends_and_a_byte_order_mark_are_fine(tmp_path, write_guide):
    path = write_guide(tmp_path, "one", "## A\n\ntext\n")
    plain = load_guide(path, origin="user")
    path.write_bytes(b"\xef\xbb\xbf" + path.read_bytes().replace(b"\n", b"\r\n"))
    assert load_guide(path, origin="user") == plain


@pytest.mark.parametrize("name", ["Web-Search", "web__search", "9lives", "a b"])
def test_a_file_name_that_is_no_topic_is_refused(tmp_path, write_guide, name):
    path = write_guide(tmp_path, name)
    with pytest.raises(GuideError, match="no topic name"):
        load_guide(path, origin="user")


def test_a_broken_guide_does_not_stop_the_others(tmp_path, write_guide):
    write_guide(tmp_path, "good")
    (tmp_path / "bad.md").write_text("---\nnope\n")
    library = load_folders(tmp_path)
    assert list(library.guides) == ["good"]
    with pytest.raises(GuideError, match=r"bad\.md, line 1"):
        library.find("bad")


def test_a_users_guide_overrides_the_shipped_one(tmp_path, write_guide):
    write_guide(tmp_path / "shipped", "one", "## Theirs\n")
    write_guide(tmp_path / "user", "one", "## Mine\n")
    write_guide(tmp_path / "user", "two", "## New\n")
    library = load_folders(tmp_path / "shipped", tmp_path / "user")
    one, two = library.find("one"), library.find("two")
    assert "Mine" in one.body
    assert (one.origin, one.overrides) == ("user", True)
    assert (two.origin, two.overrides) == ("user", False)


def test_a_broken_override_is_told_instead_of_answering_with_the_shipped_rules(
    tmp_path, write_guide
):
    write_guide(tmp_path / "shipped", "one")
    write_guide(tmp_path / "user", "one").write_text("---\n")
    with pytest.raises(GuideError, match="not closed"):
        load_folders(tmp_path / "shipped", tmp_path / "user").find("one")


def test_an_alias_has_one_owner_and_a_topic_comes_first(tmp_path, write_guide):
    write_guide(tmp_path, "one", more="aliases: [two, uno]\n")
    write_guide(tmp_path, "three", more="aliases: [uno]\n")
    write_guide(tmp_path, "two")
    library = load_folders(tmp_path)
    assert library.find("two").topic == "two"
    assert library.find("uno").topic == "one"
    assert [remark.split(": ", 1)[1] for remark in library.remarks] == [
        "the alias 'two' already belongs to two; remove it from one of the two.",
        "the alias 'uno' already belongs to one; remove it from one of the two.",
    ]


def test_an_unknown_topic_lists_all_and_names_the_nearest(tmp_path, write_guide):
    write_guide(tmp_path, "web_search")
    write_guide(tmp_path, "recall")
    with pytest.raises(UnknownNameError) as caught:
        load_folders(tmp_path).find("web_serch")
    assert "Did you mean 'web_search'?" in str(caught.value)
    assert "recall, web_search" in str(caught.value)


def test_a_pipe_is_no_guide(tmp_path, write_guide):
    write_guide(tmp_path, "one")
    os.mkfifo(tmp_path / "pipe.md")
    library = load_folders(tmp_path)
    assert list(library.guides) == ["one"]
    assert "is not a file" in str(library.problems["pipe"])


def test_a_users_guide_does_not_take_the_alias_of_a_shipped_one(tmp_path, write_guide):
    write_guide(tmp_path / "shipped", "web", more="aliases: [rag]\n")
    own = write_guide(tmp_path / "own", "a", more="aliases: [rag]\n")
    library = load_folders(tmp_path / "shipped", tmp_path / "own")
    assert library.find("rag").topic == "web"
    assert library.remarks[0].startswith(f"{own}: the alias 'rag' already belongs to web")
