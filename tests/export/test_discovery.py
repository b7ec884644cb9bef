"""What machines look for at a fixed place: sitemap.xml, robots.txt, canonical links, 404."""

import json
import xml.etree.ElementTree as ET

import pytest
from bs4 import BeautifulSoup

from generator.export import discovery

SPACE = {"s": "http://www.sitemaps.org/schemas/sitemap/0.9"}


@pytest.fixture
def at(build, home_folder, tmp_path):
    """Build a site that is published at an address."""

    def call(url):
        home_folder.mkdir(exist_ok=True)
        (home_folder / "config.json").write_text(json.dumps({"site": {"url": url}}))
        build()
        return tmp_path / "site"

    return call


def addresses(path):
    return [element.text for element in ET.parse(path).findall(".//s:loc", SPACE)]


def test_the_sitemap_names_every_page_once(at):
    site = at("https://example.org")
    pages = {page.relative_to(site).as_posix() for page in site.rglob("*.html")} - {"404.html"}
    found = addresses(site / "sitemap.xml")
    assert sorted(found) == sorted(f"https://example.org/{page}" for page in pages)
    assert (site / "robots.txt").read_text().endswith("Sitemap: https://example.org/sitemap.xml\n")


def test_a_large_site_has_a_map_of_maps(at, monkeypatch):
    monkeypatch.setattr(discovery, "SITEMAP_ADDRESSES", 5)
    site = at("https://example.org")
    parts = addresses(site / "sitemap.xml")
    assert parts[0] == "https://example.org/sitemap-1.xml"
    held = [addresses(site / part.rpartition("/")[2]) for part in parts]
    assert all(len(part) <= 5 for part in held)
    assert sum(map(len, held)) == len(list(site.rglob("*.html"))) - 1


def test_each_page_names_its_own_address(at):
    site = at("https://example.org/field/")
    for page in site.rglob("*.html"):
        soup = BeautifulSoup(page.read_bytes(), "html.parser")
        told = [tag["href"] for tag in soup.select("link[rel=canonical]")]
        own = f"https://example.org/field/{page.relative_to(site).as_posix()}"
        assert told == ([] if page.name == "404.html" else [own])


def test_below_the_top_of_a_host_there_is_no_robots_txt(at):
    site = at("https://example.org/field")
    assert not (site / "robots.txt").exists()
    assert (site / "sitemap.xml").exists()


def test_what_is_missing_is_told_at_any_depth(at, tmp_path):
    site = at("https://example.org/field/")
    soup = BeautifulSoup((site / "404.html").read_bytes(), "html.parser")
    for tag in soup.select("a[href], link[href], script[src]"):
        address = tag.get("href") or tag["src"]
        assert address.startswith(("/field/", "#")), address
        path = address.removeprefix("/field/").partition("#")[0]
        assert not path or (site / path).is_file(), address
    assert "](https://example.org/field/llms.txt)" in (site / "404.md").read_text()


def test_without_an_address_nothing_is_written_that_needs_one(build, tmp_path):
    build()
    site = tmp_path / "site"
    assert not [name for name in ("sitemap.xml", "robots.txt") if (site / name).exists()]
    assert "canonical" not in (site / "index.html").read_text()
    soup = BeautifulSoup((site / "404.html").read_bytes(), "html.parser")
    assert {tag["href"][0] for tag in soup.select("a[href]")} <= {"/", "#"}
