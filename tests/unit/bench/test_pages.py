import gzip
import json
from pathlib import Path

import pytest
from tests.builders import make_claim, make_decision, make_document, make_evidence, make_report

from veridic.bench.measures import Label
from veridic.bench.pages import CorpusPage, PageClaim, Pages, bench_pages, read_pages
from veridic.domain.errors import InputError
from veridic.domain.report import Failure, Report
from veridic.domain.verdicts import Verdict

GOLD = "The ferry was launched in 1931."
PAGE = {"page": "Ferry", "text": f"It is blue. {GOLD}"}
CLAIM = {"claim": "It sails.", "label": "SUPPORTED", "on_page": "Ferry", "gold": [GOLD]}


def write(path: Path, *rows: object) -> Path:
    path.write_text("".join(f"{json.dumps(row)}\n" for row in rows), encoding="utf-8")
    return path


def report_on(text: str, *verdicts: Verdict, quote: str = GOLD) -> Report:
    document = make_document(text)
    claim = make_claim(text, document=document)
    shown = [make_evidence(quote)]
    return make_report([make_decision(claim, one, evidence=shown) for one in verdicts], document=document)


def test_pages_and_claims_are_read_from_all_files(tmp_path: Path) -> None:
    first = write(tmp_path / "a.jsonl", PAGE, CLAIM)
    second = tmp_path / "b.jsonl.gz"
    second.write_bytes(gzip.compress(json.dumps(CLAIM | {"label": "REFUTES", "gold": []}).encode()))
    found = read_pages([first, second])
    assert found.pages == (CorpusPage("Ferry", PAGE["text"]),)
    assert found.claims == (
        PageClaim("It sails.", Label.SUPPORTED, (GOLD,)),
        PageClaim("It sails.", Label.REFUTED),
    )


def test_limit_applies_to_claims_not_pages(tmp_path: Path) -> None:
    found = read_pages([write(tmp_path / "a.jsonl", PAGE, CLAIM, PAGE, CLAIM | {"claim": "It sank."})])
    assert found.first(None) == found
    assert [claim.text for claim in found.first(1).claims] == ["It sails."]
    assert len(found.first(1).pages) == 2


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ({}, 'either a "page" or a "claim"'),
        (PAGE | CLAIM, 'either a "page" or a "claim"'),
        ({"page": "Ferry"}, '"text" is missing or empty'),
        ({"page": "Ferry", "text": " "}, '"text" is missing or empty'),
        (CLAIM | {"claim": " "}, '"claim" is missing or empty'),
        ({"claim": "It sails."}, '"label" is missing'),
        (CLAIM | {"label": "MAYBE"}, '"label" should be SUPPORTED, REFUTED or NEI'),
        (CLAIM | {"gold": [7]}, '"gold[0]" can\'t be 7'),
    ],
)
def test_bad_row_is_named_by_line(tmp_path: Path, row: object, problem: str) -> None:
    path = write(tmp_path / "a.jsonl", PAGE, row)
    with pytest.raises(InputError) as caught:
        read_pages([path])
    said = str(caught.value)
    assert said.startswith(f"{path}, line 2: ")
    assert problem in said
    assert said.endswith(".")


@pytest.mark.parametrize(("row", "missing"), [(PAGE, "claim"), (CLAIM, "page")])
def test_pages_and_claims_are_both_needed(tmp_path: Path, row: object, missing: str) -> None:
    with pytest.raises(InputError, match=f'No row has a "{missing}"'):
        read_pages([write(tmp_path / "a.jsonl", row)])


@pytest.mark.parametrize(
    ("label", "verdicts", "counts"),
    [
        (Label.SUPPORTED, [Verdict.SUPPORTED], (1, 0, 0)),
        (Label.SUPPORTED, [Verdict.MOSTLY_SUPPORTED, Verdict.UNVERIFIABLE], (1, 0, 0)),
        (Label.SUPPORTED, [Verdict.SUPPORTED, Verdict.REFUTED], (0, 1, 0)),
        (Label.SUPPORTED, [Verdict.CONTESTED], (0, 0, 1)),
        (Label.SUPPORTED, [], (0, 0, 1)),
        (Label.REFUTED, [Verdict.UNVERIFIABLE, Verdict.REFUTED], (1, 0, 0)),
        (Label.REFUTED, [Verdict.SUPPORTED], (0, 1, 0)),
        (Label.NEI, [Verdict.UNVERIFIABLE], (1, 0, 0)),
        (Label.NEI, [Verdict.SUPPORTED], (0, 1, 0)),
    ],
)
def test_claim_is_right_wrong_or_open(
    label: Label, verdicts: list[Verdict], counts: tuple[int, int, int]
) -> None:
    found = Pages((), (PageClaim("It sails.", label),))
    result = bench_pages(found, lambda text: report_on(text, *verdicts))
    assert (result.right, result.wrong, result.open) == counts


def test_claims_are_counted_and_misjudged_listed() -> None:
    claims = [PageClaim(f"It sails {n}.", Label.SUPPORTED, (GOLD,)) for n in range(3)]
    reports = {
        claims[0].text: report_on(claims[0].text, Verdict.SUPPORTED),
        claims[1].text: report_on(claims[1].text, Verdict.REFUTED, quote="A ferry is a ship."),
        claims[2].text: report_on(claims[2].text).model_copy(
            update={"errors": (Failure(stage="search", message="It took too long."),)}
        ),
    }
    steps: list[tuple[int, int, str]] = []
    found = Pages((CorpusPage("Ferry", GOLD),), tuple(claims))
    result = bench_pages(found, lambda text: reports[text], lambda *step: steps.append(step))
    assert (result.pages, result.claims, result.right, result.wrong, result.open) == (1, 3, 1, 1, 1)
    assert result.settling_passage_in_first_five == 0.5
    assert [(one.got, one.quote) for one in result.misjudged] == [
        (Verdict.REFUTED, "A ferry is a ship."),
        (None, None),
    ]
    assert result.errors == ("It sails 2.: It took too long.",)
    assert steps == [(0, 3, "It sails 0."), (1, 3, "It sails 1."), (2, 3, "It sails 2.")]
