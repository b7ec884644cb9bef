"""Pages: links resolve, agents are pointed at the text, nothing is inline, nothing is remote."""

import re
from urllib.parse import unquote

import pytest
from bs4 import BeautifulSoup

from generator.export.links import relative


@pytest.fixture
def site(build, tmp_path):
    build()
    return tmp_path / "site"


def pages(site):
    return {path: BeautifulSoup(path.read_bytes(), "html.parser") for path in site.rglob("*.html")}


def test_every_link_and_anchor_resolves(site):
    soups = pages(site)
    for path, soup in soups.items():
        for tag, name in (("a", "href"), ("link", "href"), ("script", "src"), ("img", "src")):
            for element in soup.find_all(tag):
                address = element.get(name)
                if address is None or re.match(r"[a-z]+:", address):
                    continue
                file, _, anchor = address.partition("#")
                # The page for what is missing is shown at any depth: its links start at the top.
                base = site if file.startswith("/") else path.parent
                target = (base / unquote(file).lstrip("/")).resolve() if file else path
                assert target.is_file(), f"{path.name} links to {address}"
                if anchor and target.suffix == ".html":
                    assert soups[target].find(id=unquote(anchor)), f"{path.name}: {address}"


def test_browsers_learn_the_encoding_where_they_look_for_it(site):
    for path in site.rglob("*.html"):
        assert b'<meta charset="utf-8">' in path.read_bytes()[:1024], path


def test_every_page_points_agents_at_the_text_near_its_top(site):
    for path, soup in pages(site).items():
        text = path.read_text()
        top = text[text.index("<body") :][:1500]
        assert "llms.txt" in top, path
        assert "llms-full.txt" in top, path
        assert soup.find("link", rel="alternate", type="text/plain"), path


def test_nothing_is_inline_and_nothing_is_remote(site):
    for path, soup in pages(site).items():
        for script in soup.find_all("script"):
            assert script.get("src"), path
            assert not script.text.strip(), path
        assert not soup.find_all("style"), path
        for element in soup.find_all(True):
            assert "style" not in element.attrs, (path, element)
            assert not [name for name in element.attrs if name.startswith("on")], path
        for tag, name in (("link", "href"), ("script", "src"), ("img", "src")):
            for element in soup.find_all(tag):
                assert not re.match(r"https?:|//", element.get(name, "")), (path, element)


def test_ids_are_unique(site):
    for path, soup in pages(site).items():
        ids = [element["id"] for element in soup.find_all(id=True)]
        assert len(ids) == len(set(ids)), path


def test_a_topic_page_has_its_parts(site):
    soup = BeautifulSoup((site / "guides" / "recall.html").read_bytes(), "html.parser")
    assert len(soup.find_all("h1")) == 1
    assert soup.select_one(".contents a[href^='#']")
    assert soup.select_one(".turn a[rel=prev]")
    assert soup.select_one(".turn a[rel=next]")
    assert soup.select_one("a[href='recall.md']")
    assert soup.select_one(".topics a[aria-current=page] .figure").text


def test_titles_and_summaries_are_escaped(build, own_guides, tmp_path):
    path = own_guides("one", "## <img src=x onerror=alert(1)>\n\n[x](javascript:alert(1))\n")
    path.write_text(path.read_text().replace("title: One", "title: '<script>alert(1)</script>'"))
    build()
    for name in ("index.html", "guides/one.html", "guides/index.html", "bundles/index.html"):
        text = (tmp_path / "site" / name).read_text()
        assert "<script>alert" not in text
        assert "<img src=x" not in text
        assert 'href="javascript:' not in text


def test_navigation_stays_small_with_many_topics(build, own_guides, tmp_path):
    for number in range(300):
        own_guides(f"topic_{number:03}")
    build()
    page = (tmp_path / "site" / "guides" / "topic_150.html").read_text()
    assert page.count("<li>") < 40
    assert "287 more" in page
    assert (tmp_path / "site" / "guides" / "index.html").read_text().count('class="entry"') == 300


@pytest.mark.parametrize(
    ("page", "target", "address"),
    [
        ("index.html", "guides/a.html", "guides/a.html"),
        ("guides/a.html", "guides/b.html#部署", "b.html#%E9%83%A8%E7%BD%B2"),
        ("guides/a.html", "index.html", "../index.html"),
        ("a/b/c.html", "a/d/e.html", "../d/e.html"),
        ("index.html", "", ""),
        ("guides/a.html", "", "../"),
    ],
)
def test_relative(page, target, address):
    assert relative(page, target) == address
