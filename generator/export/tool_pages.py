"""The tool catalog: our own tools, which the reference describes, and a page for each platform."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from typing import Any

from generator.catalog.loader import OWN_PLATFORM, load_catalogs
from generator.export.bundles import to_json
from generator.export.outputs import Output, digest
from generator.export.site import Batch, Figure, Found, Listed, Section, Site
from generator.export.texts import Texts
from generator.model.catalog import Catalog, CatalogTool

OWN_NAME = "Fieldguide"


def _own(site: Site) -> dict[str, CatalogTool]:
    return {tool.name: tool for tool in site.tools}


def _catalogs(site: Site) -> dict[str, Catalog]:
    """Return the catalogs of other platforms by the name of their page."""

    def load() -> dict[str, Catalog]:
        named: dict[str, Catalog] = {}
        for catalog in load_catalogs(site.workspace.home).others:
            version = catalog.version.rpartition(".")[0] if catalog.version else ""
            name = catalog.platform if catalog.platform not in named else ""
            name = name or f"{catalog.platform}-{version or len(named)}"
            named[_file_name(name)] = catalog
        return named

    return site.once("catalogs", load)


def _file_name(name: str) -> str:
    kept = "".join(letter if letter.isalnum() or letter in "-._" else "-" for letter in name)
    return kept.lower().strip(".-") or digest(name)[:8]


def tool_page_of(site: Site, name: str) -> str | None:
    """Return the page that describes a tool, our own first; None when no catalog has it."""
    if name in _own(site):
        return own_page(site, name)
    for page, catalog in _catalogs(site).items():
        if any(tool.name == name for tool in catalog.tools):
            return f"tools/{page}.html#{name}"
    return None


def own_page(site: Site, name: str) -> str | None:
    """Return the page of the reference that describes a tool of our own."""
    pages = site.once("reference tools", lambda: {page.path for page in site.reference.pages})
    path = f"reference/tools/{name}"
    return f"{path}.html" if path in pages else None


def _outputs(site: Site) -> Iterator[Output]:
    own, others = _own(site), _catalogs(site)
    known = [(name, site.key_of(catalog)) for name, catalog in others.items()]
    everything = digest("tools", site.shell_key, site.key_of(site.tools), known)
    for path, make in (
        ("tools/index.html", _index_page),
        ("tools/index.md", _index_text),
        ("tools/index.json", _index_record),
    ):
        yield Output(path, digest(path, everything), _maker(make, site))
    for tool in own.values():
        key = digest("tool", site.base, site.key_of(tool))
        yield Output(f"tools/{tool.name}.json", key, _maker(_own_record, site, tool))
    for name, catalog in others.items():
        key = digest("platform", site.shell_key, name, site.key_of(catalog))
        stem = f"tools/{name}"
        yield Output(f"{stem}.html", key, _maker(_platform_page, site, name, catalog))
        yield Output(f"{stem}.md", key, _maker(_platform_text, site, name, catalog))
        yield Output(f"{stem}.json", key, _maker(_platform_record, site, catalog))


def _maker(make: Callable[..., bytes], *arguments: Any) -> Callable[[], bytes]:
    return lambda: make(*arguments)


def _groups(tools: Sequence[CatalogTool]) -> dict[str, list[CatalogTool]]:
    groups: dict[str, list[CatalogTool]] = {}
    for tool in tools:
        groups.setdefault(tool.group, []).append(tool)
    return groups


def _index_page(site: Site) -> bytes:
    return site.page(
        "tools.html",
        "tools/index.html",
        twin="tools/index.md",
        groups=_groups(site.tools),
        pages={tool.name: own_page(site, tool.name) for tool in site.tools},
        platforms=_catalogs(site),
        own_name=OWN_NAME,
        langs={name: _language(catalog) for name, catalog in _catalogs(site).items()},
    )


def _language(catalog: Catalog) -> str:
    """Return what language a catalog is written in: what ships is English, others say nothing."""
    return "en" if catalog.shipped else ""


def _platform_page(site: Site, name: str, catalog: Catalog) -> bytes:
    return site.page(
        "platform.html",
        f"tools/{name}.html",
        twin=f"tools/{name}.md",
        catalog=catalog,
        page=name,
        groups=_groups(catalog.tools),
        platforms=_catalogs(site),
        lang=_language(catalog),
    )


def _index_text(site: Site) -> bytes:
    words = site.texts["tools"]
    path = "tools/index.md"
    link = partial(site.link, path)
    lines = [f"# {words['title']}", "", words["lead"], "", f"## {OWN_NAME}", ""]
    lines += [words["own_lead"], ""]
    for group, tools in _groups(site.tools).items():
        lines += [f"### {group.capitalize()}", ""]
        lines += [
            f"- [{tool.name}]({link(_own_text(site, tool.name))}) "
            f"([JSON]({link(f'tools/{tool.name}.json')})): {tool.summary}"
            for tool in tools
        ]
        lines.append("")
    for name, catalog in _catalogs(site).items():
        count = site.count(len(catalog.tools), "tool")
        told = site.texts.say("tools", "described", summary=catalog.summary, count=count)
        title = f"{catalog.title} {catalog.version or ''}".rstrip()
        lines += [f"## [{title}]({link(f'tools/{name}.md')})", "", told, ""]
        lines += [f"- `{tool.name}`: {tool.summary}" for tool in catalog.tools]
        lines.append("")
    return site.twin(path, lines)


def _index_record(site: Site) -> bytes:
    return to_json(
        {
            OWN_PLATFORM: [{"name": tool.name, "summary": tool.summary} for tool in site.tools],
            "others": [
                {
                    "platform": catalog.platform,
                    "version": catalog.version,
                    "tools": len(catalog.tools),
                    "json": f"{name}.json",
                }
                for name, catalog in _catalogs(site).items()
            ],
        }
    )


def _own_text(site: Site, name: str) -> str:
    """Return the text that describes a tool of our own, its JSON when no page does."""
    page = own_page(site, name)
    return page.removesuffix(".html") + ".md" if page else f"tools/{name}.json"


def _platform_text(site: Site, name: str, catalog: Catalog) -> bytes:
    words = site.texts["tools"]
    lines = [f"# {catalog.title} {catalog.version}".rstrip(), "", catalog.summary]
    lines += ["", words["other_lead"]]
    for tool in catalog.tools:
        lines += ["", f"## {tool.name}", "", *_tool_lines(tool, site.texts)]
    if catalog.renames:
        lines += ["", f"## {words['renames']}", "", words["renames_lead"], ""]
        lines += [
            f"- {_old_name(item)}: {_new_name(item) or words['gone']}. {item.note}".rstrip()
            for item in catalog.renames
        ]
    return site.twin(f"tools/{name}.md", lines)


def _old_name(rename: Any) -> str:
    return f"`{rename.tool}({rename.old})`" if rename.tool else f"`{rename.old}`"


def _new_name(rename: Any) -> str:
    return " ".join(f"`{name}`" for name in (rename.new, rename.with_) if name)


def _tool_lines(tool: CatalogTool, texts: Texts) -> list[str]:
    words = texts["tools"]
    lines = [tool.summary, *(f"\n{note}" for note in tool.notes if note)]
    if tool.modes:
        lines.append("")
        lines += [
            f"- {texts.say('tools', 'mode', mode=f'`{mode}`')}" + (f": {what}" if what else "")
            for mode, what in tool.modes.items()
        ]
    if tool.mode_inferred:
        lines += ["", texts.say("tools", "mode_inferred", rule=tool.mode_inferred)]
    if tool.parameters:
        lines.append("")
    for item in tool.parameters:
        facts = [item.type or "", words["required"] if item.required else ""]
        facts += [f"`{value}`" for value in item.values]
        if item.default is not None:
            facts.append(texts.say("tools", "default", value=item.default))
        if item.max is not None:
            facts.append(texts.say("tools", "at_most", n=texts.number(item.max)))
        told = texts.listed(filter(None, facts))
        lines.append(f"- `{item.name}`" + (f" ({told})" if told else "") + f": {item.summary}")
    lines += [
        "- " + texts.say("tools", "limit", what=limit.what, n=f"{limit.value:g}", unit=limit.unit)
        for limit in tool.limits
    ]
    sure = {True: words["yes"], False: words["no"], None: ""}
    named = {
        "registered": "" if tool.registered == "always" else tool.registered,
        "replaces": texts.listed(f"`{name}`" for name in tool.replaces),
        "since": tool.since,
        "concurrent": sure[tool.concurrent],
    }
    lines += [
        f"- {texts.say('site', 'about_it', name=words[name], about=told)}"
        for name, told in named.items()
        if told
    ]
    return lines


def _own_record(_site: Site, tool: CatalogTool) -> bytes:
    return to_json(_record(tool))


def _platform_record(_site: Site, catalog: Catalog) -> bytes:
    return to_json(
        {
            "platform": catalog.platform,
            "version": catalog.version,
            "title": catalog.title,
            "summary": catalog.summary,
            "tools": [_record(tool) for tool in catalog.tools],
            "prefixes": [asdict(item) for item in catalog.prefixes],
            "renames": [asdict(item) for item in catalog.renames],
        }
    )


def _record(tool: CatalogTool) -> Mapping[str, Any]:
    """Return what is known of a tool; what is not known is left out."""
    plain = {
        **{name: getattr(tool, name) for name in ("name", "platform", "version", "group")},
        **{name: getattr(tool, name) for name in ("summary", "mode_inferred", "registered")},
        **{name: getattr(tool, name) for name in ("since", "full_schema", "concurrent")},
        "modes": dict(tool.modes),
        "parameters": [_known(asdict(item)) for item in tool.parameters],
        "limits": [asdict(item) for item in tool.limits],
        "notes": list(tool.notes),
        "replaces": list(tool.replaces),
        "system": tool.system,
        "mcp": tool.mcp,
        "schema": tool.schema,
    }
    return _known(plain)


def _known(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value not in (None, "", [], {}, ())}


def _batches(site: Site) -> Iterator[Batch]:
    for name, catalog in _catalogs(site).items():
        yield Batch(
            name=f"tools-{name}",
            key=digest("platform", site.key_of(catalog), site.texts.key),
            make=lambda name=name, catalog=catalog: [  # type: ignore[misc]
                Found(
                    path=f"tools/{name}.html#{tool.name}",
                    title=f"{tool.name} ({catalog.title})",
                    text="\n".join([*_tool_lines(tool, site.texts), *tool.terms]),
                )
                for tool in catalog.tools
            ],
            size=len(catalog.tools),
        )


def _figures(site: Site) -> list[Figure]:
    number = len(site.tools) + sum(len(catalog.tools) for catalog in _catalogs(site).values())
    return [Figure(number=number, noun="tool", path="tools/index.html")]


def _listed(site: Site) -> list[Listed]:
    rows = [
        Listed(path=f"tools/{tool.name}.json", title=tool.name, text=tool.summary)
        for tool in site.tools
    ]
    for name, catalog in _catalogs(site).items():
        count = site.count(len(catalog.tools), "tool")
        text = site.texts.say("tools", "described", summary=catalog.summary, count=count)
        rows.append(Listed(path=f"tools/{name}.md", title=catalog.title, text=text))
    return rows


TOOLS = Section(
    name="tools",
    path="tools/index.html",
    outputs=_outputs,
    batches=_batches,
    figures=_figures,
    listed=_listed,
)
