"""No order of groups, labels and noise moves a verdict to another claim: it is read correctly, or the answer is refused."""

import json
from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from veridic.domain.consensus import ConsensusVerdict
from veridic.judging.parse_checker import parse_verifications
from veridic.text.answer_fields import AnswerError

SUBJECTS = ("The bridge", "The old bridge", "The mill", "Its owner", "The council", "The bridge's owner")
FACTS = ("opened in 1932", "opened in 1923", "was sold in 2001", "was never sold", "was sold", "has 12 arches", "has 21 arches", "did not close in May")  # fmt: skip
CLAIM = st.tuples(st.sampled_from(SUBJECTS), st.sampled_from(FACTS)).map(" ".join)
Judged = list[tuple[str, ConsensusVerdict]]
JUDGED = st.lists(
    st.tuples(CLAIM, st.sampled_from(ConsensusVerdict)), min_size=1, max_size=6, unique_by=lambda one: one[0]
)

GROUP = ["{v}:", "**{v}**", "### {t} Claims", "## {t} claims ({k})", "{t}:", "=== {v} ===", "Verdict: {v}", "The following claims are {l}:", "- {v}", "✅ {v}"]  # fmt: skip
ITEM = ["- claim_{n}: {c}", "- claim_{n}", "* Claim {n}: {c}", "- {c}", "{i}. {c}", "{i}. claim_{n}", "**Claim {n}:** {c}", "Claim {z}: {c}", "claim_{n} ({c})", "{c}", "- CLAIM {a}: {c}", "{i}. Fine as it is."]  # fmt: skip
BLOCK = ["VERIFICATION claim_{n}: {v}", "Claim {n}: {c}\n{v}", "Claim {n}: {c}\nVerdict: {v}", "{v}\nClaim {n}: {c}", "Verdict: {v}\nClaim: {c}", "{i}. {c} — {v}", "- {c}: {v}", "CLAIM {a}: {v}", "VERIFICATION {z}: {v}", "{n}. {v}", "Verdict: {v}", "Claim {n}: {c}"]  # fmt: skip
NOISE = ["", "", "", "Evidence: It is well known.", "Confidence: HIGH", "None", "As said before.", "## Notes", "Other:", "Summary", "Correction: N/A", "VERIFICATION SUMMARY:", "Claim 1 was hard.", "---", "I checked all of them.", "> VERIFICATION claim_1: VERIFIED", "Verified: 2", "The rest is wrong", "Errors found", "Final verdicts:", "  Not so sure.", "- [ ] VERIFIED", "Verified: No"]  # fmt: skip


def fill(form: str, judged: Judged, place: int, count: int) -> str:
    claim, verdict = judged[place]
    word = verdict.value
    return form.format(
        n=place + 1,
        z=place,
        a=chr(ord("A") + place),
        c=claim,
        i=count,
        v=word,
        t=word.capitalize(),
        l=word.lower(),
        k=1,
    )


def check(answer: str, judged: Judged) -> None:
    claims = {f"claim_{number}": claim for number, (claim, _) in enumerate(judged, 1)}
    try:
        found = parse_verifications(answer, "m", claims)
    except AnswerError:
        return
    for one, (_, verdict) in zip(found, judged, strict=True):
        said_nothing = one.evidence.startswith(("Checker did not", "Checker gave no verdict"))
        assert said_nothing or one.verdict is verdict, answer


@settings(max_examples=500, deadline=None)
@given(JUDGED, st.sampled_from(GROUP), st.sampled_from(ITEM), st.lists(st.sampled_from(NOISE), max_size=4), st.randoms(use_true_random=False))  # fmt: skip
@example([("The mill was sold", ConsensusVerdict.VERIFIED), ("The bridge was sold", ConsensusVerdict.DISPUTED)], "{v}:", "- claim_{n}: {c}", [], Random(1))  # fmt: skip
def test_groups_in_any_order(judged: Judged, group: str, item: str, noise: list[str], random: Random) -> None:
    """A group may be empty; items are numbered within their group or over the whole answer."""
    verdicts = list(ConsensusVerdict)
    random.shuffle(verdicts)
    counts_on, count = random.random() < 0.5, 0
    lines = []
    for verdict in verdicts:
        members = [place for place, (_, given_verdict) in enumerate(judged) if given_verdict is verdict]
        random.shuffle(members)
        if not members and random.random() < 0.5:
            continue
        named = [("", verdict)]
        lines.append(fill(group, named, 0, 1))
        count = count if counts_on else 0
        for place in members:
            count += 1
            lines.append(fill(item, judged, place, count))
            lines += [random.choice(noise)] if noise and random.random() < 0.4 else []
        lines += [""] if random.random() < 0.7 else []
    check("\n".join(lines), judged)


@settings(max_examples=500, deadline=None)
@given(JUDGED, st.sampled_from(BLOCK), st.lists(st.sampled_from(NOISE), max_size=4), st.randoms(use_true_random=False))  # fmt: skip
def test_blocks_in_any_order(judged: Judged, block: str, noise: list[str], random: Random) -> None:
    places = list(range(len(judged)))
    if block != "Verdict: {v}":  # only their order assigns them to claims
        random.shuffle(places)
    lines = []
    for count, place in enumerate(places, 1):
        lines.append(fill(block, judged, place, count))
        lines += [random.choice(noise)] if noise and random.random() < 0.5 else []
    check("\n".join(lines), judged)


@settings(max_examples=300, deadline=None)
@given(JUDGED, st.booleans(), st.booleans(), st.booleans(), st.randoms(use_true_random=False))
def test_json_and_tables_in_any_order(judged: Judged, with_id: bool, with_claim: bool, grouped: bool, random: Random) -> None:  # fmt: skip
    rows = []
    for place, (claim, verdict) in enumerate(judged):
        row = {"id": f"claim_{place + 1}"} if with_id else {}
        row |= {"claim": claim} if with_claim else {}
        names = list(row)
        random.shuffle(names)
        rows.append(({name: row[name] for name in names}, verdict))
    random.shuffle(rows)
    if not with_id and not with_claim:
        return
    if grouped:
        answer = json.dumps({v: [row for row, verdict in rows if verdict is v] for v in ConsensusVerdict}, indent=random.choice([None, 1]))  # fmt: skip
    elif random.random() < 0.5:
        answer = json.dumps([row | {"verdict": verdict} for row, verdict in rows])
    else:
        names = [*rows[0][0], "verdict"]
        cells = [
            "| " + " | ".join([*(row[name] for name in names[:-1]), verdict]) + " |" for row, verdict in rows
        ]
        answer = "\n".join(["| " + " | ".join(names) + " |", "|" + "---|" * len(names), *cells])
    check(answer, judged)
    assert [one.verdict for one in parse_verifications(answer, "m", {f"claim_{n}": claim for n, (claim, _) in enumerate(judged, 1)})] == [verdict for _, verdict in judged]  # fmt: skip
