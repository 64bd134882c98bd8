import gzip
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.bench.claims import SentenceRow
from veridic.bench.measures import Label
from veridic.bench.rows import PairRow, read_label, read_rows
from veridic.domain.errors import EmptyInputError, InputError, NotFoundError, UnsupportedInputError

ROW = {
    "claim": "It rained.",
    "evidence": ["It was dry."],
    "label": "REFUTED",
    "set": "weather",
    "binary": False,
}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def test_rows_keep_order_of_files(tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", ROW, ROW | {"claim": "It snowed."})
    second = tmp_path / "b.jsonl.gz"
    second.write_bytes(gzip.compress(json.dumps(ROW | {"claim": "مطر 🌧️"}).encode()))
    rows = read_rows([first, second], PairRow)
    assert [row.claim for row in rows] == ["It rained.", "It snowed.", "مطر 🌧️"]
    assert rows[0] == PairRow(
        set="weather", claim="It rained.", evidence=("It was dry.",), label=Label.REFUTED
    )


def test_gzipped_file_may_have_any_name_and_bom(tmp_path: Path) -> None:
    path = tmp_path / "rows.jsonl"
    path.write_bytes(gzip.compress(b"\xef\xbb\xbf" + json.dumps(ROW).encode() + b"\r\n\r\n"))
    assert len(read_rows([path], PairRow)) == 1


@pytest.mark.parametrize("name", ["floods.jsonl", "floods.jsonl.gz", "floods"])
@pytest.mark.parametrize("unnamed", [{}, {"set": None}])
def test_row_without_set_gets_file_name(tmp_path: Path, name: str, unnamed: dict[str, None]) -> None:
    row = {key: value for key, value in ROW.items() if key != "set"} | unnamed
    assert read_rows([write(tmp_path / name, row)], PairRow)[0].set_name == "floods"


def test_single_evidence_text_and_unknown_fields_are_accepted(tmp_path: Path) -> None:
    path = write(tmp_path / "a.jsonl", ROW | {"evidence": "It was dry.", "source": 7})
    assert read_rows([path], PairRow)[0].evidence == ("It was dry.",)


@pytest.mark.parametrize(
    ("word", "label"),
    [
        ("supported", Label.SUPPORTED),
        ("Supports", Label.SUPPORTED),
        ("REFUTES", Label.REFUTED),
        ("nei", Label.NEI),
        ("not_enough_info", Label.NEI),
        (" NOT  ENOUGH INFO ", Label.NEI),
    ],
)
def test_label_spellings_of_public_sets(word: str, label: Label) -> None:
    assert read_label(word) is label


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("{", "no JSON object"),
        ("[" * 100_000, "no JSON object"),
        ("[1, 2]", "[1, 2] and not a JSON object"),
        (
            json.dumps(ROW | {"label": "MAYBE"}),
            "\"label\" should be SUPPORTED, REFUTED or NEI and not 'MAYBE'",
        ),
        (json.dumps(ROW | {"label": 1}), '"label" should be'),
        (json.dumps(ROW | {"claim": "  "}), '"claim" is empty'),
        (json.dumps(ROW | {"claim": 7}), '"claim" can\'t be 7'),
        (json.dumps(ROW | {"evidence": [1]}), '"evidence[0]" can\'t be 1'),
        (json.dumps(ROW | {"set": ""}), '"set" can\'t be'),
        (json.dumps({"claim": "It rained.", "label": "NEI"}), '"evidence" is missing'),
    ],
)
def test_bad_row_is_named_by_file_and_line(tmp_path: Path, line: str, problem: str) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(f"{json.dumps(ROW)}\n\n{line}\n", encoding="utf-8")
    with pytest.raises(InputError) as caught:
        read_rows([path], PairRow)
    said = str(caught.value)
    assert said.startswith(f"{path}, line 3: ")
    assert problem in said
    assert said.endswith(".")
    assert "\n" not in said
    assert len(said) < len(str(path)) + 250


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({"text": "It rained."}, 'one of "check_worthy", "factual_claim" and "hedged" is missing'),
        ({"text": "", "hedged": 1}, '"text" is empty'),
        ({"text": "It rained.", "check_worthy": 3}, '"check_worthy" can\'t be 3'),
    ],
)
def test_bad_sentence_row_is_named(tmp_path: Path, row: dict[str, object], problem: str) -> None:
    with pytest.raises(InputError) as caught:
        read_rows([write(tmp_path / "a.jsonl", row)], SentenceRow)
    assert problem in str(caught.value)


@pytest.mark.parametrize(
    ("content", "error"),
    [
        (b"", EmptyInputError),
        (b"\n \n", EmptyInputError),
        (b'{"claim": "\xff"}', UnsupportedInputError),
        (b"\x00\x01\x02\xfe", UnsupportedInputError),
        (gzip.compress(json.dumps([ROW] * 50).encode())[:-20], InputError),
        (b"\x1f\x8bnot really zipped", InputError),
    ],
)
def test_file_without_rows_is_refused(tmp_path: Path, content: bytes, error: type[InputError]) -> None:
    path = tmp_path / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(error, match=r"a\.jsonl"):
        read_rows([path], PairRow)


def test_missing_file_is_refused(tmp_path: Path) -> None:
    with pytest.raises(NotFoundError, match="There is no file"):
        read_rows([tmp_path / "none.jsonl"], PairRow)
    with pytest.raises(InputError, match="can't be read"):
        read_rows([tmp_path], PairRow)


@given(content=st.binary(max_size=200))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("rows") / "a.jsonl"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_rows([path], PairRow)
