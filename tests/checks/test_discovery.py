"""Which files are checked, and which of them are guides."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.checks.discovery import documents_at, library_documents
from generator.exceptions import UsageError

GUIDE = '---\ntitle: A\nsummary: B\nsince: "1"\n---\n\n## C\n'


def kinds(folder: Path, files: dict[str, str], **options: object) -> dict[str, str]:
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    found = documents_at([folder], cwd=folder, **options)  # type: ignore[arg-type]
    return {document.name: document.kind for document in found}


def test_a_folder_of_guides(tmp_path: Path) -> None:
    files = {"one.md": GUIDE, "two.md": "## no front matter\n", "README.md": "# A\n", "a.txt": "x"}
    assert kinds(tmp_path, files) == {"README.md": "rules", "one.md": "guide", "two.md": "guide"}


def test_a_guide_alone_without_front_matter_is_one(tmp_path: Path) -> None:
    assert kinds(tmp_path, {"one.md": "## A\n"}) == {"one.md": "guide"}


def test_a_project(tmp_path: Path) -> None:
    files = {
        "AGENTS.md": "# A\n",
        "CLAUDE.md": "# A\n",
        "docs/intro.md": "# A\n",
        "guides/one.md": GUIDE,
        "guides/two.md": "## A\n",
        ".cursor/rules/style.mdc": "---\nalwaysApply: true\n---\n",
        ".claude/skills/pdf/SKILL.md": "---\nname: pdf\ndescription: x\n---\n",
        ".claude/skills/pdf/references/forms.md": "# Forms\n",
        ".git/x.md": "# no\n",
        "node_modules/p/README.md": "# no\n",
        "site/.fieldguide-export.json": "{}",
        "site/guides/one.md": "## one\n",
    }
    found = kinds(tmp_path, files)
    assert {name for name, kind in found.items() if kind == "guide"} == {
        "guides/one.md",
        "guides/two.md",
    }
    assert len(found) == 8


def test_skills_in_a_folder_of_their_own(tmp_path: Path) -> None:
    files = {"pdf/SKILL.md": "---\nname: pdf\n---\n", "pdf/forms.md": "# A\n"}
    assert set(kinds(tmp_path, files).values()) == {"rules"}


def test_settings_decide(tmp_path: Path) -> None:
    files = {"AGENTS.md": "# A\n", "docs/a.md": "# A\n", "docs/b.md": "# A\n", "old/c.md": "x\n"}
    found = kinds(tmp_path, files, guides=["docs/a.md"], rules=["docs/b.md"], exclude=["old/*"])
    assert found == {"AGENTS.md": "rules", "docs/a.md": "guide", "docs/b.md": "rules"}


def test_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "loop").symlink_to(tmp_path)
    assert kinds(tmp_path, {"a/one.md": GUIDE}) == {"a/one.md": "guide"}


def test_a_path_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="does not exist"):
        documents_at([tmp_path / "gone"], cwd=tmp_path)


def test_a_file_named_twice_is_checked_once(tmp_path: Path) -> None:
    kinds(tmp_path, {"one.md": GUIDE})
    assert len(documents_at([tmp_path, tmp_path / "one.md"], cwd=tmp_path)) == 1


def test_a_users_guide_hides_the_shipped_one(workspace) -> None:
    workspace.home.guides.mkdir(parents=True)
    (workspace.home.guides / "recall.md").write_text(GUIDE)
    found = {document.topic: document.origin for document in library_documents(workspace)}
    assert found["recall"] == "user"
    assert found["office"] == "shipped"
