"""What of a page can be looked up."""

from generator.export.finding.tokens import LONGEST, count_tokens


def test_words_parts_and_pairs_are_counted():
    counts = count_tokens("parseXmlFile parse_it 错误重试 Parse ﬁx x" + "y" * 90)
    assert counts["parse"] == 3
    assert counts["parsexmlfile"] == counts["xml"] == counts["file"] == counts["it"] == 1
    assert [counts[pair] for pair in ("错误", "误重", "重试", "试")] == [1, 1, 1, 1]
    assert counts["错"] == 0
    assert counts["fix"] == 1
    assert counts["x" + "y" * (LONGEST - 1)] == 1


def test_a_run_ends_where_another_script_begins():
    assert set(count_tokens("使用Redis缓存")) == {"使用", "用", "redis", "缓存", "存"}
