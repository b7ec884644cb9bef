"""Files as they really are: every trap costs at most the record it is in, and is told."""

import io
import json

import pytest

from generator.exceptions import RecordError
from generator.history.importers.records import (
    JsonLines,
    Notes,
    array_elements,
    parse_record,
    read_lines,
)


def read(raw: bytes):
    notes = Notes()
    lines = list(JsonLines(io.BytesIO(raw), notes))
    return [line.value for line in lines], notes, lines


def test_bom_crlf_and_blank_lines_are_passed_over():
    values, notes, _ = read(b'\xef\xbb\xbf{"a": 1}\r\n\r\n  \n{"a": 2}\r\n')
    assert values == [{"a": 1}, {"a": 2}]
    assert (notes.records, notes.skipped) == (2, [])


def test_a_cut_last_line_is_told_with_its_number():
    values, notes, _ = read(b'{"a": 1}\n\n{"a": 2')
    assert values == [{"a": 1}]
    assert notes.skipped == [(3, "cut last line (still being written, or a crash)")]


def test_a_whole_last_line_needs_no_line_end():
    assert read(b'{"a": 1}\n{"a": 2}')[0] == [{"a": 1}, {"a": 2}]


def test_nul_padding_is_told_and_what_follows_it_is_read():
    values, notes, _ = read(b'{"a": 1}\n' + b"\0" * 5000 + b'\n\0\0{"a": 2}\n' + b"\0" * 300)
    assert values == [{"a": 1}, {"a": 2}]
    assert [line for line, _ in notes.skipped] == [2, 4]


def test_lines_that_are_no_objects_are_told():
    values, notes, _ = read(b'[1]\n7\nnull\n"x"\ntrue\n{"a": 1}\n{bad}\n')
    assert values == [{"a": 1}]
    assert [line for line, _ in notes.skipped] == [1, 2, 3, 4, 5, 7]
    assert notes.skipped[0][1] == "not an object but a list"


def test_only_line_feeds_end_a_line():
    text = '{"a": "x\u2028y\u2029z\u0085w\x1c"}'.replace("\x1c", "\\u001c")
    values, _, _ = read(text.encode() + b'\n{"a": 1}\n')
    assert values[0]["a"] == "x\u2028y\u2029z\u0085w\x1c"
    assert len(values) == 2


def test_lone_surrogates_are_replaced_and_pairs_kept():
    values, notes, _ = read(rb'{"a": "\ud83d x", "\udc00": ["\ud83d\ude00"]}' + b"\n")
    assert values == [{"a": "\ufffd x", "\ufffd": ["\U0001f600"]}]
    assert "surrogates" in notes.warnings[0]
    json.dumps(values, ensure_ascii=False).encode()


@pytest.mark.parametrize(
    ("raw", "text"),
    [("部署失败".encode("gbk"), "部署失败"), ("café — né".encode("cp1252"), "café — né")],
)
def test_stray_bytes_are_read_in_their_encoding(raw, text):
    values, notes, _ = read(b'{"a": "' + raw + '", "b": "部署"}'.encode() + b"\n")
    assert values == [{"a": text, "b": "部署"}]
    assert "not UTF-8" in notes.warnings[0]


def test_a_line_of_fifty_megabytes_is_read():
    raw = b'{"a": "' + b"x" * (50 * 1024 * 1024) + b'"}\n{"b": 1}\n'
    values, notes, _ = read(raw)
    assert len(values[0]["a"]) == 50 * 1024 * 1024
    assert notes.records == 2


def test_deep_nesting_is_told():
    _, notes, _ = read(b'{"a": ' + b"[" * 200_000 + b"]" * 200_000 + b"}\n")
    assert notes.skipped == [(1, "nested too deep")]


def test_a_record_is_read_again_by_its_place():
    raw = b'\xef\xbb\xbf{"a": 1}\r\n{"a": 2}\n'
    lines = JsonLines(io.BytesIO(raw), Notes())
    places = [(line.start, line.length) for line in lines]
    assert [lines.at(*place) for place in places] == [{"a": 1}, {"a": 2}]
    with pytest.raises(RecordError):
        lines.at(3, 4)


def test_numbers_past_all_bounds_are_told():
    _, notes, _ = read(b'{"a": ' + b"9" * 5000 + b"}\n")
    assert notes.skipped[0][0] == 1


@pytest.mark.parametrize("size", [1, 7, 64, 1 << 20])
def test_elements_are_cut_right_whatever_the_chunks(monkeypatch, size):
    import generator.history.importers.records as records

    monkeypatch.setattr(records, "_CHUNK", size)
    elements = [{"a": 'br{ace "quote\\" [x]'}, {"b": [[{}], {"c": "\\"}]}, {}, {"d": "\u2028"}]
    raw = json.dumps(elements, indent=1).encode()
    notes = Notes()
    assert [value for _, value in array_elements(io.BytesIO(raw), notes)] == elements
    assert notes.skipped == []


def test_text_lines_lose_marks_of_other_systems():
    raw = b"\xef\xbb\xbfone\r\n\0\0two\n" + "三".encode("gbk")
    assert [text for _, text in read_lines(io.BytesIO(raw))] == ["one", "two", "三"]


def test_what_is_no_json_says_why():
    with pytest.raises(RecordError, match="not JSON: Expecting"):
        parse_record(b"{,}")
