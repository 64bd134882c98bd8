"""Small projects that tests write down as texts, and what of them is refuted."""

from collections.abc import Mapping
from pathlib import Path

from veridic.code.claims.find import find_claims
from veridic.code.compare.compare import compare
from veridic.code.index import build_index
from veridic.code.repository import Repository
from veridic.domain.code import CodeVerdict, Depth


def refuted_in(folder: Path, project: Mapping[str, str], cases: Mapping[str, str]) -> dict[str, list[str]]:
    """Why what each of the cases says is refuted, with all of them in one project; empty where nothing is."""
    for path, text in {**project, **cases}.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_text(text, encoding="utf-8")
    index = build_index(Repository(folder))
    found: dict[str, list[str]] = {}
    for path in cases:  # by themselves: too many missing names at once are believed to be there
        verdicts = [compare(claim, index, Depth.DEEP) for claim in find_claims(index, documents=[path])]
        found[path] = [one.reason for one in verdicts if one and one.verdict is CodeVerdict.REFUTED]
    return found
