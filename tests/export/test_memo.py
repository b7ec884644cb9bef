"""What an export remembers, and what it does where nothing can be written."""

import pytest

from generator.export.memo import Memo


@pytest.fixture
def blocked(tmp_path):
    """A folder that cannot be made, for the superuser as well."""
    (tmp_path / "file").write_text("")
    return tmp_path / "file" / "folder"


def test_values_that_cannot_be_written_are_kept_in_memory(blocked):
    memo = Memo(blocked)
    memo.put("page", "a", [1])
    memo.put_packed("image", "b", b"data")
    assert memo.get("page", "a") == [1]
    assert memo.take("image", "b") == b"data"
    assert memo.take("image", "b") is None
    memo.sweep()
    assert memo.get("page", "a") == [1]
