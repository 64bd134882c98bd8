"""JSON as models write it: complete values are read, incomplete ones are not, and nothing raises."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.unit.growth import LINEAR, growth

from veridic.text.loose_json import objects_with, read_json

ASKED_FOR = {"verdict": "TRUE", "n": "85", "list": ["a", "b"], "in": {"x": True, "y": None}}


@pytest.mark.parametrize(
    "written",
    [
        '{"verdict": "TRUE", "n": 85, "list": ["a", "b"], "in": {"x": true, "y": null}}',
        '```json\n{"verdict": "TRUE", "n": 85, "list": ["a", "b"], "in": {"x": true, "y": null}}\n```',
        'Here it is:\n{"verdict": "TRUE", "n": 85, "list": ["a", "b"], "in": {"x": true, "y": null}}\nBye.',
        "{'verdict': 'TRUE', 'n': 85, 'list': ['a', 'b'], 'in': {'x': True, 'y': None}}",
        "{verdict: TRUE, n: 85, list: [a, b], in: {x: true, y: null}}",
        '{"verdict": "TRUE", "n": 85, "list": ["a", "b",], "in": {"x": true, "y": null,},}',
        '{\n"verdict": "TRUE"\n"n": 85\n"list": ["a"\n"b"]\n"in": {"x": true\n"y": null}\n}',
        '{"verdict": "TRUE", // sure\n "n": 85, # really\n "list": ["a", /* and */ "b"], "in": {"x": true, "y": null}}',
        "{“verdict”: “TRUE”, “n”: 85, “list”: [“a”, “b”], “in”: {“x”: true, “y”: null}}",
        '{"verdict": "TRUE", "n": 85, "list": ["a", "b"], "in": {"x": true, "y": null}',
    ],
)
def test_common_deviations_are_read(written: str) -> None:
    (read,) = read_json(written)
    assert read == ASKED_FOR


def test_a_missing_bracket_ends_with_its_parent() -> None:
    assert read_json('{"a": {"b": [1, 2}, "c": 3}') == [{"a": {"b": ["1", "2"]}, "c": "3"}]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"s": "He said "no" to it."}', {"s": 'He said "no" to it.'}),
        ('{"s": "He said "no", then left.", "t": 1}', {"s": 'He said "no", then left.', "t": "1"}),
        ("{'s': 'it's the minister's', 't': 'b'}", {"s": "it's the minister's", "t": "b"}),
        ('{"s": "two\nlines"}', {"s": "two\nlines"}),
        (r'{"s": "a\n\"b\" \\ \u00e9 \ud83d\ude00 \/"}', {"s": 'a\n"b" \\ é 😀 /'}),
        ('{"s": "half \\ud800 a pair"}', {"s": "half � a pair"}),
        ('{"s": "x", "s": "y"}', {"s": "x"}),
    ],
)
def test_texts(written: str, read: object) -> None:
    assert read_json(written) == [read]


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ('{"verdict": "TRUE", "confidence": 8', {"verdict": "TRUE"}),
        ('{"verdict": "TRUE", "summary": "It is', {"verdict": "TRUE"}),
        ('{"verdict": "TRUE", "list": ["a", "b', {"verdict": "TRUE", "list": ["a"]}),
        ('{"verdict": "TRUE", "in": {"x": 1, "y"', {"verdict": "TRUE", "in": {"x": "1"}}),
        ('{"verdict": "TR', {}),
        ('{"verdict": tr', {}),
        ('{"verdict":', {}),
        ("{", {}),
    ],
)
def test_an_incomplete_value_is_dropped(written: str, read: object) -> None:
    assert read_json(written) == [read]


def test_all_values_of_a_text_in_order() -> None:
    assert read_json('As [1] says: {"a": 1} and {"b": {"c": 2}}.') == [["1"], {"a": "1"}, {"b": {"c": "2"}}]
    assert read_json("nothing") == []


def test_an_object_is_found_at_any_depth() -> None:
    values = read_json(
        '[{"result": {"data": [{"Final Verdict": "TRUE", "in": {"finalVerdict": "x"}}]}}, {"b": 1}]'
    )
    assert objects_with(values, "finalverdict") == [{"Final Verdict": "TRUE", "in": {"finalVerdict": "x"}}]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=300)
@given(
    st.dictionaries(st.text(), JSON, max_size=5) | st.lists(JSON, max_size=5),
    st.booleans(),
    st.sampled_from([None, 2]),
)
def test_valid_json_is_read_unchanged(value: object, ascii_only: bool, indent: int | None) -> None:
    written = json.dumps(value, ensure_ascii=ascii_only, indent=indent)
    expected = json.loads(written, parse_int=str)
    assert read_json(written) == [expected]


PIECES = st.sampled_from(["{", "}", "[", "]", ",", ":", '"', "'", "“", "”", "`", "\\", "//", "/*", "*/", "#", "\n", " ", "a", "1", "true", "\\u12", "\ud800"])  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.one_of(PIECES, st.text(max_size=4)), max_size=60).map("".join))
def test_nothing_raises(text: str) -> None:
    assert all(isinstance(value, dict | list) for value in read_json(text))


@pytest.mark.parametrize(
    "piece",
    ["{", "[", "}", '"', "'", '{"a":', '{"a": "', '"a" ', '", ', '" \n', "\\", '\\"', "/*", "//", "# ", " ", "a", ",", ":", "[1,", '{"a": 1} ', "{'", "`{"],
)  # fmt: skip
def test_parsing_takes_linear_time(piece: str) -> None:
    assert growth(lambda text: objects_with(read_json("[{" + text), "a"), piece, characters=5_000) < LINEAR
