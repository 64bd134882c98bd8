import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from veridic.bench.cases import Expected, find_cases, read_answers, read_verdict
from veridic.domain.errors import InputError
from veridic.domain.verdicts import Scale, Verdict, read, words

ANSWERS = [{"sentence": "It rained.", "expected": "REFUTED"}]


def make_case(folder: Path, *, article: str = "article.md", answers: str = "expected.json") -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / article).write_text("It rained.", encoding="utf-8")
    (folder / answers).write_text(json.dumps(ANSWERS), encoding="utf-8")
    return folder


def test_case_has_article_answers_and_evidence(tmp_path: Path) -> None:
    folder = make_case(tmp_path / "weather")
    (folder / "sources").mkdir()
    (case,) = find_cases(folder)
    assert case.name == "weather"
    assert (case.article, case.evidence) == (folder / "article.md", folder / "sources")
    assert case.expected == (Expected("It rained.", Verdict.REFUTED),)


def test_cases_in_subfolders_and_side_by_side(tmp_path: Path) -> None:
    make_case(tmp_path / "b", article="article.txt")
    make_case(tmp_path / "b" / "corpus")
    make_case(tmp_path / "c" / "deep", article="article.html")
    make_case(tmp_path, article="a.md", answers="a.json")
    (tmp_path / "notes.md").write_text("No answers here.", encoding="utf-8")
    cases = find_cases(tmp_path)
    assert [case.name for case in cases] == ["a", "b", "c/deep"]
    assert [case.evidence for case in cases] == [None, tmp_path / "b" / "corpus", None]


@pytest.mark.parametrize(
    "content",
    [
        json.dumps(ANSWERS),
        json.dumps([{"sentence": "It rained.", "verdict": "FALSE", "fact": "dry"}]),
        json.dumps([{"sentence": "It rained.", "label": "Refutes"}]),
        json.dumps({"It rained.": "false"}),
    ],
)
def test_answers_in_several_forms(tmp_path: Path, content: str) -> None:
    path = tmp_path / "expected.json"
    path.write_text(content, encoding="utf-8")
    assert read_answers(path) == [Expected("It rained.", Verdict.REFUTED)]


def test_answers_as_json_lines(tmp_path: Path) -> None:
    path = tmp_path / "expected.jsonl"
    path.write_text(f"\ufeff{json.dumps(ANSWERS[0])}\n\n{json.dumps(ANSWERS[0])}", encoding="utf-8")
    assert len(read_answers(path)) == 2


@pytest.mark.parametrize("verdict", list(Verdict))
def test_canonical_verdicts_are_read(verdict: Verdict) -> None:
    assert read_verdict(verdict.lower()) is verdict


@pytest.mark.parametrize(("scale", "word"), [(scale, word) for scale in Scale for word in words(scale)])
def test_verdicts_of_every_scale_are_read(scale: Scale, word: str) -> None:
    assert read_verdict(word) is read(word, scale)


def test_not_enough_information_is_unverifiable() -> None:
    assert read_verdict("NOT ENOUGH INFO") is Verdict.UNVERIFIABLE


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        ("{", "not JSON"),
        ("[]", "is empty"),
        ("7", "should be a list"),
        ("[7]", 'no "sentence"'),
        ('[{"sentence": " ", "expected": "TRUE"}]', 'no "sentence"'),
        ('[{"sentence": "It rained."}]', "None is not a verdict"),
        ('[{"sentence": "It rained.", "expected": "WET"}]', "'WET' is not a verdict"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_invalid_answers_are_refused_with_file_name(tmp_path: Path, content: str, problem: str) -> None:
    make_case(tmp_path)
    (tmp_path / "expected.json").write_text(content, encoding="utf-8")
    with pytest.raises(InputError) as caught:
        find_cases(tmp_path)
    assert "expected.json" in str(caught.value)
    assert problem in str(caught.value)


def test_folder_without_cases_explains_the_format(tmp_path: Path) -> None:
    (tmp_path / "article.md").write_text("It rained.", encoding="utf-8")
    with pytest.raises(InputError, match=r"a case is an article\.md with an expected\.json"):
        find_cases(tmp_path)
    with pytest.raises(InputError, match="is a file"):
        find_cases(tmp_path / "article.md")
    with pytest.raises(InputError, match="no folder"):
        find_cases(tmp_path / "none")


@given(content=st.binary(max_size=100))
def test_any_bytes_are_read_or_refused(tmp_path_factory: pytest.TempPathFactory, content: bytes) -> None:
    path = tmp_path_factory.mktemp("answers") / "expected.json"
    path.write_bytes(content)
    with pytest.raises(InputError):
        read_answers(path)
