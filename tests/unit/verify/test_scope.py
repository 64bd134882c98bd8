"""Claims about a whole system: how many files they concern."""

from pathlib import Path

import pytest
from tests.unit.verify.projects import a, claim_of, context_of, verify

from veridic.domain.code import AssertionKind, CodeVerdict, DocClaim, EntityKind
from veridic.verify.scope import BEYOND_SCOPE, expansion

CORE = "class Store:\n    pass\n\ndef save(item):\n    write(item)\n\ndef write(item):\n    pass\n\ndef pure(x):\n    return x\n"


def files(users: int) -> dict[str, str]:
    return {"core.py": CORE} | {f"user{n}.py": "from core import Store\n\nStore()\n" for n in range(users)}


def claim(text: str, kind: EntityKind, name: str) -> DocClaim:
    return claim_of(AssertionKind.BEHAVES, a(kind, name), text=text)


@pytest.mark.parametrize(
    "text",
    [
        "`Store` is thread-safe.", "`Store` is thread safe.", "Changes to `Store` are backwards compatible.",
        "This is a backward-compatible change of `Store`.", "A breaking change of `Store`.",
        "All callers of `Store` close it.", "`Store` is part of the API contract.",
    ],
)  # fmt: skip
def test_system_wide_claim_concerns_all_referring_files(tmp_path: Path, text: str) -> None:
    found = expansion(claim(text, EntityKind.CLASS, "Store"), context_of(tmp_path, files(3)))
    assert found is not None
    assert set(found.files) == {"core.py", "user0.py", "user1.py", "user2.py"}
    assert not found.is_beyond_scope


def test_no_side_effects_concerns_what_the_function_calls(tmp_path: Path) -> None:
    context = context_of(
        tmp_path,
        {"a.py": "from b import write\n\ndef save(x):\n    write(x)\n", "b.py": "def write(x): pass\n"},
    )
    found = expansion(claim("`save` has no side effects.", EntityKind.FUNCTION, "save"), context)
    assert found is not None
    assert set(found.files) == {"a.py", "b.py"}
    assert [fact.name for fact in found.called] == ["write"]


@pytest.mark.parametrize(
    ("text", "kind", "name"),
    [
        ("`Store` keeps items.", EntityKind.CLASS, "Store"),
        ("`pure` has no side effects.", EntityKind.FUNCTION, "pure"),
        ("`pure` is thread-safe.", EntityKind.FUNCTION, "pure"),
    ],
)
def test_other_claims_concern_nothing_else(tmp_path: Path, text: str, kind: EntityKind, name: str) -> None:
    assert expansion(claim(text, kind, name), context_of(tmp_path, files(1))) is None


@pytest.mark.parametrize(("users", "is_beyond"), [(19, False), (20, True)])
def test_more_than_twenty_files_are_beyond_scope(tmp_path: Path, users: int, is_beyond: bool) -> None:
    context = context_of(tmp_path, files(users))
    found = expansion(claim("`Store` is thread-safe.", EntityKind.CLASS, "Store"), context)
    assert found is not None
    assert found.is_beyond_scope is is_beyond


def test_claim_beyond_scope_stays_open_with_a_note(tmp_path: Path) -> None:
    said = "# Shop\n\nEvery call of `Store` is thread-safe.\n"
    report = verify(tmp_path / "project", {"README.md": said, **files(20)})
    (found,) = [one for one in report.findings if "thread-safe" in one.claim.text]
    assert found.verdict is CodeVerdict.INCONCLUSIVE
    assert found.reason.startswith("Claim requires system-wide verification beyond current scope")
    assert BEYOND_SCOPE in found.reason
    assert found.evidence
