"""Proposals become claims only at words that are in the document, about what the document names."""

from collections.abc import Iterable
from typing import Any

import pytest

from veridic.domain.code import AssertionKind, ClaimCategory, DocClaim, EntityKind
from veridic.verify.documents.claims import find_claims
from veridic.verify.documents.read import read_units
from veridic.verify.proposals.answer import Proposal
from veridic.verify.proposals.claims import DocumentClaims, PlacedProposals
from veridic.verify.proposals.prompt import parts_of

README = """\
# Kettle

<!-- `--hidden` defaults to 7 -->

Use `--target` to say how hot. Left alone, it stops at 95 degrees.
Ask for `--time-out` **before** you wait for 300 seconds.

## Settings

The program reads KETTLE_HOST and `max_level`.
It needs Python 3.9.1 at least.

| option | default |
| --- | --- |
| `--port` | `80` |

```sh
kettle boil --target 90
```

Left alone, it stops at 95 degrees.
"""


def proposal(quote: str, subject: str, **changes: Any) -> Proposal:
    made: dict[str, Any] = {
        "line": 5,
        "quote": quote,
        "subject": subject,
        "kind": EntityKind.FLAG,
        "attribute": AssertionKind.DEFAULT,
    }
    return Proposal(**made | changes)


def placed(
    *proposals: Proposal, text: str = README, lines: Iterable[int] | None = None, is_joined: bool = True
) -> PlacedProposals:
    units = read_units("README.md", text)
    (part,) = parts_of(text.split("\n"), units)
    chosen = None if lines is None else set(lines)
    stated = find_claims(units) if is_joined else []
    claims = DocumentClaims(text, units, stated, proposed_by="lab/reader", lines=chosen)
    claims.take(part, proposals)
    return claims.placed


def taken(*proposals: Proposal, text: str = README) -> DocClaim:
    """The only claim, if nothing else was found in the document."""
    (claim,) = placed(*proposals, text=text, is_joined=False).claims
    return claim


def assertion_of(claim: DocClaim) -> tuple[AssertionKind, EntityKind | None, str | None, tuple[str, ...]]:
    kind, subject = claim.assertion.kind, claim.assertion.subject
    if subject is None:
        return kind, None, None, claim.assertion.expected
    return kind, subject.kind, subject.name, claim.assertion.expected


def test_claim_is_placed_at_its_words() -> None:
    claim = taken(proposal("Left alone, it stops at 95 degrees.", "--target", values=("95",)))
    assert assertion_of(claim) == (AssertionKind.DEFAULT, EntityKind.FLAG, "--target", ("95",))
    assert (claim.line, claim.text, claim.proposed_by) == (
        5,
        "Left alone, it stops at 95 degrees.",
        "lab/reader",
    )
    place = claim.assertion.expected_place
    assert place is not None
    assert README.split("\n")[place.line - 1][place.start : place.end] == "95"


@pytest.mark.parametrize("line", [1, 5, 12, 19, 22, 4_000_000, 0])
def test_nearest_place_to_the_given_line_counts(line: int) -> None:
    claim = taken(proposal("Left alone, it stops at 95", "--target", values=("95",), line=line))
    assert claim.line == (5 if line <= 12 else 21)


def test_quotation_may_lack_marks_and_line_ends() -> None:
    quote = "95 degrees.\n  Ask for --time-out before you wait"
    claim = taken(proposal(quote, "--time-out", values=("300",)))
    assert (claim.line, claim.assertion.expected) == (6, ("300",))


@pytest.mark.parametrize(
    "wrong",
    [
        proposal("Left alone, it stops at 100 degrees.", "--target", values=("100",)),
        proposal("Left alone, it stops at 95 degrees.", "--target", values=("100",)),
        proposal("Left alone, it stops at 95 degrees.", "--target", values=("9",)),
        proposal("It needs Python 3.9.1 at least.", "Python", values=("3.9",)),
        proposal("…", "--target"),
        proposal("", "--target"),
        proposal("`--hidden` defaults to 7", "--hidden", values=("7",)),
    ],
)
def test_words_not_in_the_document_are_counted_and_dropped(wrong: Proposal) -> None:
    found = placed(wrong)
    assert (found.claims, found.misplaced) == ([], 1)


def test_unnamed_subject_is_counted_and_dropped() -> None:
    found = placed(proposal("Left alone, it stops at 95 degrees.", "--temperature", values=("95",)))
    assert (found.claims, found.invented, found.misplaced) == ([], 1, 0)


def test_part_of_a_name_does_not_match() -> None:
    assert placed(proposal("Ask for `--time-out`", "--time", values=("300",))).invented == 1


def test_subject_named_elsewhere_is_not_for_rules() -> None:
    claim = taken(proposal("Left alone, it stops at 95 degrees.", "--port", values=("95",)))
    assert claim.assertion.kind is AssertionKind.BEHAVES


def test_subject_not_written_as_code_is_not_for_rules() -> None:
    claim = taken(proposal("Ask for `--time-out`", "Kettle", attribute=AssertionKind.EXISTS))
    assert claim.assertion.kind is AssertionKind.BEHAVES


@pytest.mark.parametrize(
    "changes",
    [
        {"attribute": AssertionKind.BEHAVES, "values": ("hot",)},
        {"attribute": AssertionKind.LINKS, "values": ()},
        {"is_limited": True, "values": ("95",)},
        {"values": ()},
        {"values": ("95", "degrees")},
    ],
)
def test_proposal_without_a_rule_becomes_a_behaviour_claim(changes: dict[str, Any]) -> None:
    claim = taken(proposal("Left alone, it stops at 95 degrees.", "--target", **changes))
    assert assertion_of(claim) == (AssertionKind.BEHAVES, EntityKind.FLAG, "--target", ())


def test_proposal_about_another_project_is_external() -> None:
    words = "Left alone, it stops at 95 degrees."
    claim = taken(proposal(words, "--target", values=("95",), is_of_another=True))
    assert claim.category is ClaimCategory.EXTERNAL


@pytest.mark.parametrize(
    ("subject", "said", "kind"),
    [
        ("--target", EntityKind.ENVIRONMENT, EntityKind.FLAG),
        ("KETTLE_HOST", EntityKind.ENVIRONMENT, EntityKind.ENVIRONMENT),
        ("max_level", EntityKind.SETTING, EntityKind.SETTING),
        ("max_level", EntityKind.CONSTANT, EntityKind.SYMBOL),
        ("Python", EntityKind.PACKAGE, EntityKind.PACKAGE),
    ],
)
def test_form_of_a_name_overrides_the_model(subject: str, said: EntityKind, kind: EntityKind) -> None:
    text = "# Kettle\n\nThe value of KETTLE_HOST, `max_level`, Python and `--target` is 12 there.\n"
    words = "is 12 there"
    claim = taken(
        proposal(words, subject, kind=said, attribute=AssertionKind.EQUALS, values=("12",), line=3), text=text
    )
    assert assertion_of(claim)[1] is kind


def test_owner_of_an_option_never_comes_from_model() -> None:
    words = "Left alone, it stops at 95 degrees."
    claim = taken(proposal(words, "--target", values=("95",), belongs_to="Kettle"))
    assert claim.assertion.subject is not None
    assert claim.assertion.subject.owner is None


def test_parameter_belongs_to_a_function_in_the_text() -> None:
    text = "# Kit\n\n## `fetch(path, tries)`\n\nHow often, `tries` tells; left out, that is 3.\n"
    words = "left out, that is 3"
    for owner, found in (("fetch", "fetch"), ("fetch()", "fetch"), ("send", None)):
        made = proposal(words, "tries", kind=EntityKind.PARAMETER, values=("3",), line=5, belongs_to=owner)
        subject = taken(made, text=text).assertion.subject
        assert subject is not None
        assert (subject.kind, subject.name, subject.owner) == (EntityKind.PARAMETER, "tries", found)


@pytest.mark.parametrize(
    "again",
    [
        proposal("| `--port` | `80` |", "--port", values=("80",), line=14),
        proposal("| `--port` | `80` |", "--port", values=("80",), attribute=AssertionKind.EQUALS, line=14),
        proposal("| `--port` | `80` |", "--port", attribute=AssertionKind.EXISTS, line=14),
        proposal("it stops at 95 degrees", "--target", attribute=AssertionKind.BEHAVES),
    ],
)
def test_known_claim_is_not_added_again(again: Proposal) -> None:
    found = placed(again)
    assert (found.claims, found.known) == ([], 1)


def test_duplicate_proposal_is_one_claim() -> None:
    words = "Left alone, it stops at 95 degrees."
    found = placed(*[proposal(words, "--target", values=("95",), line=line) for line in (5, 6, 7)])
    assert (len(found.claims), found.known) == (1, 2)


def test_only_requested_lines_are_taken() -> None:
    words = "Left alone, it stops at 95 degrees."
    asked = [proposal(words, "--target", values=("95",), line=line) for line in (5, 21)]
    assert [claim.line for claim in placed(*asked, lines=[5]).claims] == [5]
    assert placed(*asked, lines=[]).claims == []


def test_claims_found_without_a_model_are_known() -> None:
    units = read_units("README.md", README)
    stated = find_claims(units)
    lines = README.split("\n")
    again = [
        proposal(
            "\n".join(lines[claim.line - 1 : claim.end_line]),
            claim.assertion.subject.name,
            kind=claim.assertion.subject.kind,
            attribute=claim.assertion.kind,
            values=claim.assertion.expected,
            line=claim.line,
        )
        for claim in stated
        if claim.assertion.subject
    ]
    found = placed(*again)
    assert len(again) > 8
    assert (found.claims, found.known, found.misplaced, found.invented) == ([], len(again), 0, 0)


def test_part_of_a_document_never_ends_within_a_sentence() -> None:
    words = "\n".join("some words of a long sentence" for _ in range(4))
    text = "# Kettle\n\n" + "\n\n".join(f"Here are {words} number {number}." for number in range(500))
    units = read_units("README.md", text)
    parts = parts_of(text.split("\n"), units)
    assert len(parts) > 4
    assert [line for part in parts for line in part.lines] == text.split("\n")
    assert all(
        any(part.first <= unit.line and unit.end_line <= part.last for part in parts) for unit in units
    )
