"""A language model as category agents: it sees the code, and its citations are checked against the files."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

import pytest
from tests.unit.prompts.test_fence import INJECTIONS
from tests.unit.verify.projects import context_of

from veridic.domain.code import (
    AgentVerdict,
    Assertion,
    AssertionKind,
    ClaimCategory,
    CodeVerdict,
    Depth,
    DocClaim,
    EditorialFlag,
    Entity,
    EntityKind,
    EvidenceTier,
    Origin,
)
from veridic.domain.errors import (
    BudgetError,
    CutOffAnswerError,
    ModelAccessError,
    ModelError,
    ModelRefusalError,
    ModelUnreachableError,
)
from veridic.domain.evidence import Stance
from veridic.providers.llm.base import Prompt
from veridic.providers.llm.fake import ScriptedModels
from veridic.providers.llm.meter import Meter
from veridic.verify.gates import ONLY_A_MODEL, RUNTIME_WITHOUT_TESTS, TIER_CANNOT_CARRY, finding
from veridic.verify.models.agents import ModelAgents
from veridic.verify.models.prompts import VERIFY_CODE
from veridic.verify.rules.context import Context

README = "# Ferry\n\n`fetch` never raises on a bad port.\nIt is there to fetch.\n"
CODE = '''\
"""Ferries."""
from ferry.ports import check


def fetch(port):
    """Never raises on a bad port.

    It asks the harbour."""
    # a bad port is answered with None
    if not check(port):
        raise ValueError(port)
    return port


def sail(port):
    return fetch(port)
'''
PORTS = "def check(port):\n    return port > 0\n"


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return context_of(tmp_path, {"README.md": README, "ferry/core.py": CODE, "ferry/ports.py": PORTS})


def claim(name: str = "fetch", **changes: Any) -> DocClaim:
    subject = Entity(kind=EntityKind.FUNCTION, name=name)
    made = DocClaim(
        id=f"README.md:3:{name}",
        text=f"`{name}` never raises on a bad port.",
        document="README.md",
        line=3,
        end_line=3,
        origin=Origin.MARKDOWN,
        category=ClaimCategory.CODEBASE,
        domain="correctness",
        entities=(subject,),
        assertion=Assertion(kind=AssertionKind.BEHAVES, subject=subject),
    )
    return made.model_copy(update=changes)


def cited(line: int = 11, quote: str = "raise ValueError(port)", **more: Any) -> dict[str, Any]:
    return {"path": "ferry/core.py", "line": line, "quote": quote} | more


def said(*evidence: dict[str, Any], label: str = "claim_1", **changes: Any) -> dict[str, Any]:
    answer = {"id": label, "verdict": "Refuted", "confidence": 90, "reason": "It raises ValueError."}
    return answer | {"evidence": list(evidence)} | changes


def answered(*entries: dict[str, Any]) -> str:
    return json.dumps({"claims": entries or [said(cited())]})


def scripted(*answers: str | ModelError) -> ScriptedModels:
    models = ScriptedModels()
    for answer in reversed(answers):
        models.answer(answer, prompt="verify_code", times=1)
    return models


def agents(models: ScriptedModels, context: Context, most: int = 40) -> ModelAgents:
    return ModelAgents(models, "lab/reader", context, timeout_seconds=30, most_claims=most)


def verify(
    context: Context, *answers: str | ModelError, about: DocClaim | None = None, depth: Depth = Depth.SHALLOW
) -> AgentVerdict:
    asked = about or claim()
    return asyncio.run(agents(scripted(*answers), context).verify([asked], depth))[asked.id]


def prompt_for(context: Context, about: DocClaim, depth: Depth = Depth.SHALLOW) -> Prompt:
    models = scripted(answered())
    asyncio.run(agents(models, context).verify([about], depth))
    return models.asked[0].prompt


def answer_all(_model: str, prompt: Prompt) -> str:
    """Refute every claim."""
    labels = re.findall(r"^(claim_\d+): ", prompt.user, re.MULTILINE)
    return answered(*(said(cited(), label=label) for label in labels))


def gated(about: DocClaim, verdict: AgentVerdict) -> tuple[CodeVerdict, tuple[str, ...]]:
    found = finding(about, [verdict], ran_tests=False, looked_outside=False)
    return found.verdict, found.gates


def test_verdict_has_the_cited_line_as_evidence(context: Context) -> None:
    verdict = verify(context, answered())
    assert (verdict.agent, verdict.verdict, verdict.confidence, verdict.reason) == (
        "correctness (lab/reader)",
        CodeVerdict.REFUTED,
        0.9,
        "It raises ValueError.",
    )
    (evidence,) = verdict.evidence
    assert (evidence.tier, evidence.stance) == (EvidenceTier.CODE, Stance.CONTRADICTING)
    assert (evidence.path, evidence.line, evidence.quote) == (
        "ferry/core.py",
        11,
        "        raise ValueError(port)",
    )
    assert evidence.digest == context.digest("ferry/core.py")
    assert gated(claim(), verdict) == (CodeVerdict.REFUTED, ())


def test_prompt_shows_code_with_line_numbers(context: Context) -> None:
    prompt = prompt_for(context, claim())
    assert prompt.system == VERIFY_CODE
    assert "File ferry/core.py, lines 5-12:\n5 | def fetch(port):\n" in prompt.user
    assert "Stands in: README.md:3 (markdown)" in prompt.user
    assert "Code: ferry/core.py:5-12" in prompt.user
    assert "def check" not in prompt.user


def test_medium_depth_shows_uses_of_the_subject(tmp_path: Path) -> None:
    files = {
        "ferry/core.py": CODE,
        "ferry/ports.py": PORTS,
        "ferry/crew.py": "from ferry.core import fetch\n",
    }
    context = context_of(tmp_path, files)
    assert "ferry/crew.py" not in prompt_for(context, claim()).user
    user = prompt_for(context, claim(), Depth.MEDIUM).user
    assert "File ferry/crew.py, lines 1-" in user
    assert "1 | from ferry.core import fetch" in user
    assert "ferry/ports.py" not in user


def test_method_is_looked_up_in_its_own_class(tmp_path: Path) -> None:
    files = {
        "boat.py": "class Boat:\n    def fetch(self):\n        return 1\n",
        "dog.py": "class Dog:\n    def fetch(self):\n        return 2\n",
    }
    user = prompt_for(context_of(tmp_path, files), claim("Boat.fetch")).user
    assert "3 |         return 1" in user
    assert "dog.py" not in user


@pytest.mark.parametrize("line", [8, 10, 12, 14])
def test_citation_may_be_a_few_lines_off(context: Context, line: int) -> None:
    (evidence,) = verify(context, answered(said(cited(line)))).evidence
    assert (evidence.tier, evidence.line) == (EvidenceTier.CODE, 11)


@pytest.mark.parametrize(
    "wrong",
    [
        cited(7),
        cited(15),
        cited(quote="raise KeyError(port)"),
        cited(quote=""),
        cited(quote=")"),
        cited(path="ferry/other.py"),
        cited(path="../../../etc/passwd", line=1, quote="root"),
        cited(path="/etc/passwd", line=1, quote="root"),
        cited(line=10**6),
        {"path": "ferry/core.py", "quote": "raise ValueError(port)"},
        {"path": "README.md", "line": 3, "quote": "never raises on a bad port"},
    ],
    ids=[
        "too far up", "too far down", "other words", "nothing", "a bracket", "no such file", "outside", "absolute",
        "behind the end", "no line", "the claim itself",
    ],
)  # fmt: skip
def test_quotation_not_in_the_file_is_dropped(context: Context, wrong: dict[str, Any]) -> None:
    verdict = verify(context, answered(said(wrong)))
    assert [evidence.tier for evidence in verdict.evidence] == [EvidenceTier.MODEL]
    assert gated(claim(), verdict) == (CodeVerdict.INCONCLUSIVE, (ONLY_A_MODEL,))


def test_only_found_quotations_remain(context: Context) -> None:
    verdict = verify(context, answered(said(cited(quote="raise KeyError"), cited())))
    assert [evidence.line for evidence in verdict.evidence] == [11]


@pytest.mark.parametrize(
    ("line", "quote"),
    [
        (6, "Never raises on a bad port."),
        (8, "It asks the harbour."),
        (9, "# a bad port is answered with None"),
    ],
    ids=["docstring", "further down", "comment"],
)
def test_comments_and_docstrings_are_no_evidence_about_code(context: Context, line: int, quote: str) -> None:
    verdict = verify(context, answered(said(cited(line, quote), verdict="Verified")))
    assert [evidence.tier for evidence in verdict.evidence] == [EvidenceTier.DOCUMENTATION]
    assert gated(claim(), verdict) == (CodeVerdict.INCONCLUSIVE, (TIER_CANNOT_CARRY,))


@pytest.mark.parametrize(
    "quote",
    ["if not check(port):\n        raise ValueError(port)", "if not check(port): raise ValueError(port)",
     "10 |     if not check(port):\n11 |         raise ValueError(port)"],
    ids=["as it stands", "on one line", "with its numbers"],
)  # fmt: skip
def test_quotation_of_several_lines(context: Context, quote: str) -> None:
    (evidence,) = verify(context, answered(said(cited(10, quote)))).evidence
    assert (evidence.tier, evidence.line) == (EvidenceTier.CODE, 10)
    assert evidence.quote == "    if not check(port):\n        raise ValueError(port)"


def test_incomplete_separates_what_is_right_from_what_is_missing(context: Context) -> None:
    both = said(
        cited(12, "return port", stance="supporting"), cited(stance="contextual"), verdict="Incomplete"
    )
    verdict = verify(context, answered(both))
    assert [evidence.stance for evidence in verdict.evidence] == [Stance.SUPPORTING, Stance.CONTEXTUAL]
    assert gated(claim(), verdict)[0] is CodeVerdict.INCOMPLETE


def test_runtime_claim_stays_open(context: Context) -> None:
    about = claim(domain="concurrency")
    verdict = verify(context, answered(said(cited(), verdict="Verified")), about=about)
    assert gated(about, verdict) == (CodeVerdict.INCONCLUSIVE, (RUNTIME_WITHOUT_TESTS,))


def test_open_claim_says_what_would_settle_it(context: Context) -> None:
    open_one = said(verdict="Inconclusive", would_settle="Reading\x1b[2J `check`.")
    verdict = verify(context, answered(open_one), depth=Depth.MEDIUM)
    assert (verdict.would_settle, verdict.evidence, verdict.depth) == (
        "Reading[2J `check`.",
        (),
        Depth.MEDIUM,
    )


def test_editorial_flags_are_recorded_with_the_verdict(context: Context) -> None:
    asked = agents(
        scripted(answered(said(cited(), flags=[{"flag": "Extraneous", "why": "See line 1."}]))), context
    )
    asyncio.run(asked.verify([claim()], Depth.SHALLOW))
    assert asked.notes == {claim().id: {EditorialFlag.EXTRANEOUS: "See line 1."}}


@pytest.mark.parametrize(
    "about",
    [
        claim("requests.get"),
        claim(category=ClaimCategory.EXTERNAL),
        claim(origin=Origin.CHANGELOG),
        claim(assertion=Assertion(kind=AssertionKind.LINKS)),
        claim(assertion=Assertion(kind=AssertionKind.BEHAVES)),
    ],
    ids=["not of the project", "external", "of the past", "a link", "no subject"],
)
def test_claim_that_code_cannot_settle_is_not_asked(context: Context, about: DocClaim) -> None:
    models = ScriptedModels()
    assert asyncio.run(agents(models, context).verify([about], Depth.MEDIUM)) == {}
    assert models.asked == []


def test_ambiguous_name_is_not_asked_about(tmp_path: Path) -> None:
    context = context_of(
        tmp_path, {f"ferry/m{n}.py": "def fetch(port):\n    return port\n" for n in range(5)}
    )
    assert asyncio.run(agents(ScriptedModels(), context).verify([claim()], Depth.SHALLOW)) == {}


def test_deleted_file_is_not_asked_about(context: Context, tmp_path: Path) -> None:
    (tmp_path / "ferry/core.py").unlink()
    assert asyncio.run(agents(ScriptedModels(), context).verify([claim()], Depth.MEDIUM)) == {}


@pytest.mark.parametrize("users", [1, 12])
def test_system_wide_claim_shows_all_files_it_concerns(tmp_path: Path, users: int) -> None:
    files = {f"ferry/u{n}.py": f"def use{n}():\n    return fetch({n})\n" for n in range(users)}
    about = claim(text="`fetch` is backwards compatible.")
    user = prompt_for(context_of(tmp_path, {"ferry/core.py": CODE, **files}), about).user
    assert all(f"return fetch({n})" in user for n in range(users))


def test_claim_about_effects_shows_called_functions(context: Context) -> None:
    user = prompt_for(context, claim(text="`fetch` has no side effects.")).user
    assert "1 | def check(port):" in user


def test_system_wide_claim_beyond_scope_is_not_asked_about(tmp_path: Path) -> None:
    users = {f"ferry/u{n}.py": f"def use{n}():\n    return fetch({n})\n" for n in range(25)}
    context = context_of(tmp_path, {"ferry/core.py": CODE, **users})
    about = claim(text="`fetch` is backwards compatible.")
    assert asyncio.run(agents(ScriptedModels(), context).verify([about], Depth.SHALLOW)) == {}


def test_long_definition_is_cut_with_a_note(tmp_path: Path) -> None:
    body = "".join(f"    port = port + {n}\n" for n in range(5_000))
    prompt = prompt_for(context_of(tmp_path, {"core.py": f"def fetch(port):\n{body}"}), claim())
    assert len(prompt.user) < 12_000
    assert re.search(r"Code: core\.py:1-\d+ \(goes on to 5001, not shown\)", prompt.user)


def test_cut_definition_verifies_nothing(tmp_path: Path) -> None:
    body = "".join(f"    port = port + {n}\n" for n in range(5_000))
    context = context_of(tmp_path, {"core.py": f"def fetch(port):\n{body}"})
    line = {"path": "core.py", "line": 3, "quote": "port = port + 1"}
    verdict = verify(context, answered(said(line, verdict="Verified")))
    assert verdict.verdict is CodeVerdict.INCONCLUSIVE
    assert re.fullmatch(
        r"Reading core\.py:\d+-5001, which was too long to show\.", verdict.would_settle or ""
    )
    assert verify(context, answered(said(line))).verdict is CodeVerdict.REFUTED


def test_one_call_per_domain_and_eight_claims(context: Context) -> None:
    many = [claim(id=f"c{n}", domain="security" if n % 3 else "correctness") for n in range(30)]
    models = ScriptedModels()
    models.answer(answer_all)
    verdicts = asyncio.run(agents(models, context).verify(many, Depth.SHALLOW))
    assert verdicts.keys() == {one.id for one in many}
    sizes = [len(re.findall(r"^claim_\d+: ", one.prompt.user, re.MULTILINE)) for one in models.asked]
    assert sorted(sizes) == [2, 4, 8, 8, 8]
    assert all(one.prompt.user.count("5 | def fetch(port):") == 1 for one in models.asked)


def test_all_agents_are_asked_at_once(context: Context) -> None:
    async def wait_for_all() -> int:
        models, last_was_asked = ScriptedModels(), asyncio.Event()

        def answer_and_release(model: str, prompt: Prompt) -> str:
            last_was_asked.set()
            return answer_all(model, prompt)

        models.answer(answer_and_release)
        models.answer(answer_all, times=2, until=last_was_asked)
        claims = [claim(id=domain, domain=domain) for domain in ("security", "correctness", "weather")]
        async with asyncio.timeout(20):
            return len(await agents(models, context).verify(claims, Depth.SHALLOW))

    assert asyncio.run(wait_for_all()) == 3


def test_claim_limit_allows_asking_the_same_claims_again(context: Context) -> None:
    models = ScriptedModels()
    models.answer(answer_all)
    asked = agents(models, context, most=2)
    many = [claim(id=f"c{n}") for n in range(4)]
    assert asyncio.run(asked.verify(many, Depth.SHALLOW)).keys() == {"c0", "c1"}
    assert asked.left_out == {"c2", "c3"}
    assert asyncio.run(asked.verify(many, Depth.MEDIUM)).keys() == {"c0", "c1"}


def test_user_documents_go_before_developer_documents(context: Context) -> None:
    models = ScriptedModels()
    models.answer(answer_all)
    claims = [
        claim(id=origin, origin=origin) for origin in (Origin.COMMENT, Origin.DOCSTRING, Origin.MARKDOWN)
    ]
    assert list(asyncio.run(agents(models, context, most=2).verify(claims, Depth.SHALLOW))) == [
        "markdown",
        "docstring",
    ]


def test_unreadable_answer_is_asked_for_again(context: Context) -> None:
    models = scripted("I think it is refuted.", answered())
    verdicts = asyncio.run(agents(models, context).verify([claim()], Depth.SHALLOW))
    assert verdicts[claim().id].verdict is CodeVerdict.REFUTED
    first, again = (asked.prompt.user for asked in models.asked)
    assert again.startswith(first)
    assert "it has no JSON object with verdicts" in again


def test_claim_without_answer_twice_stays_open(context: Context) -> None:
    two = [claim(), claim(id="second")]
    models = scripted(answered(said(cited())), answered(said(cited())))
    verdicts = asyncio.run(agents(models, context).verify(two, Depth.SHALLOW))
    assert "no single verdict on claim_2" in models.asked[1].prompt.user
    assert verdicts[claim().id].verdict is CodeVerdict.REFUTED
    assert (verdicts["second"].verdict, verdicts["second"].confidence) == (CodeVerdict.INCONCLUSIVE, 0.0)


@pytest.mark.parametrize(
    ("answers", "error"),
    [
        (["No.", "No."], ModelError),
        (["I can't help with that."], ModelRefusalError),
        ([ModelAccessError("The key is not valid.")], ModelAccessError),
    ],
    ids=["of no use twice", "refusal", "no access"],
)
def test_agent_without_an_answer_fails_the_run(
    context: Context, answers: list[str | ModelError], error: type[ModelError]
) -> None:
    models = scripted(*answers)
    with pytest.raises(error):
        asyncio.run(agents(models, context).verify([claim()], Depth.SHALLOW))


CUT_OFF = CutOffAnswerError("The answer of lab/reader was cut off.")


def test_cut_off_answer_leaves_its_claim_open(context: Context) -> None:
    verdict = verify(context, CUT_OFF)
    assert (verdict.verdict, verdict.confidence, verdict.evidence) == (CodeVerdict.INCONCLUSIVE, 0.0, ())
    assert "cut off" in verdict.reason


def test_too_long_answer_is_asked_for_in_halves(context: Context) -> None:
    def limited_length(model: str, prompt: Prompt) -> str:
        if len(re.findall(r"^claim_\d+: ", prompt.user, re.MULTILINE)) > 2 or "`sail`" in prompt.user:
            raise CUT_OFF
        return answer_all(model, prompt)

    models = ScriptedModels()
    models.answer(limited_length)
    claims = [*(claim(id=f"c{number}") for number in range(4)), claim("sail")]
    verdicts = asyncio.run(agents(models, context).verify(claims, Depth.SHALLOW))
    assert [verdicts[one.id].verdict for one in claims] == [CodeVerdict.REFUTED] * 4 + [
        CodeVerdict.INCONCLUSIVE
    ]


def test_failing_agent_discards_all_verdicts(context: Context) -> None:
    def only_security(model: str, prompt: Prompt) -> str:
        return answer_all(model, prompt) if "Domain: security" in prompt.user else "No."

    models = ScriptedModels()
    models.answer(only_security)
    claims = [claim(id=domain, domain=domain) for domain in ("security", "correctness")]
    with pytest.raises(ModelError, match="twice"):
        asyncio.run(agents(models, context).verify(claims, Depth.SHALLOW))


def test_unreachable_model_fails_the_run(context: Context) -> None:
    models = ScriptedModels()
    models.answer(ModelUnreachableError("Nobody is there."))
    with pytest.raises(ModelUnreachableError, match="Nobody"):
        asyncio.run(agents(models, context).verify([claim()], Depth.SHALLOW))


def test_spent_budget_ends_the_run(context: Context) -> None:
    models = ScriptedModels(Meter(max_tokens=10))
    models.answer(answer_all)
    with pytest.raises(BudgetError):
        asyncio.run(agents(models, context).verify([claim()], Depth.SHALLOW))


@pytest.mark.parametrize("text", INJECTIONS.values(), ids=INJECTIONS.keys())
def test_prompt_injection_changes_nothing(tmp_path: Path, text: str) -> None:
    in_code = " ".join(text[:2_000].replace("\0", "").split())
    source = CODE.replace("It asks the harbour.", in_code)
    context = context_of(
        tmp_path, {"README.md": f"# x\n\n{text}\n", "ferry/core.py": source, "ferry/ports.py": PORTS}
    )
    prompt = prompt_for(context, claim(text=text))
    assert prompt.system == VERIFY_CODE
    assert re.findall(r"^claim_\d+", prompt.user, re.MULTILINE) == ["claim_1"]
    assert len(re.findall(r"^<<<", prompt.user, re.MULTILINE)) == 4
