"""The parts of the documentation that are taken from the program."""

import json
import os
import sqlite3
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from functools import partial
from itertools import takewhile
from pathlib import Path
from typing import TYPE_CHECKING, Any

from docs.desk_day import GROUPS as DESK_GROUPS
from docs.desk_day import desk_part

if TYPE_CHECKING:
    from veridic.verify.rules.rule import Example, Rule

ROOT = Path(__file__).parent.parent
_FENCES = {"py": "python", "md": "markdown"}
_LANGUAGES = {
    "go": "Go",
    "java": "Java",
    "javascript": "JavaScript, TypeScript",
    "python": "Python",
    "rust": "Rust",
}
_EVERY_HELP = "from docs.parts import write_helps; write_helps()"


def help_pages() -> dict[str, str]:
    """Every command with its help, as a terminal of 80 columns shows it without boxes."""
    environment = os.environ | {"TYPER_USE_RICH": "0", "COLUMNS": "80", "PYTHONUTF8": "1"}
    # Typer decides on its style when it is imported, so a process of its own.
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-c", _EVERY_HELP], cwd=ROOT, env=environment, capture_output=True, check=True
    )
    pages: dict[str, str] = json.loads(done.stdout)
    return pages


def write_helps() -> None:
    """What the process of `help_pages` does: the helps as JSON on standard output."""
    from typer.main import get_command
    from typer.testing import CliRunner

    from veridic.cli.main import app

    def walk(command: object, path: tuple[str, ...]) -> Iterator[tuple[str, str]]:
        yield " ".join(path), CliRunner().invoke(app, [*path[1:], "--help"], prog_name="veridic").output
        for name, sub in getattr(command, "commands", {}).items():
            yield from walk(sub, (*path, name))

    sys.stdout.write(json.dumps(dict(walk(get_command(app), ("veridic",)))))


def command_line() -> str:
    pages = help_pages().items()
    return "\n\n".join(f"## {name}\n\n```text\n{_trimmed(text)}\n```" for name, text in pages)


def verdict_scales() -> str:
    from veridic.domain.verdicts import Scale, Verdict, say

    rows = ([f"`{word}`" for word in (v, *(say(v, scale) for scale in Scale))] for v in Verdict)
    return _table(["canonical", *Scale], rows)


def verdict_meanings() -> str:
    from veridic.domain.verdicts import Verdict
    from veridic.reporting.wording import MARKS, MEANINGS

    return _table(["verdict", "mark", "meaning"], ([f"`{v}`", MARKS[v], MEANINGS[v]] for v in Verdict))


def tiers() -> str:
    from veridic.domain.evidence import TIER_SCORES
    from veridic.reporting.wording import TIERS

    rows = ([f"`{tier}`", f"{score:g}", TIERS[tier]] for tier, score in TIER_SCORES.items())
    return _table(["tier", "credibility", "shown as"], rows)


def loop_numbers() -> str:
    from veridic.config.settings import Settings
    from veridic.decision import weighing
    from veridic.evidence import credibility as quality
    from veridic.evidence import passages
    from veridic.judging import comparison, reader, windows

    default = {name: field.default for name, field in Settings.model_fields.items()}
    rows = [
        ["passages read for a claim, at most", f"{default['passages_per_claim']}", "`VERIDIC_PASSAGES_PER_CLAIM`"],
        ["seconds to look for evidence", f"{default['claim_timeout_seconds']:g}", "`VERIDIC_CLAIM_TIMEOUT_SECONDS`"],
        ["sentences in a passage, at most", f"{passages.PASSAGE_SENTENCES}", "fixed"],
        ["characters in a passage, at most (a single sentence may be longer)", f"{passages.PASSAGE_CHARACTERS}", "fixed"],
        ["similarity from which two passages are copies", f"{default['similarity_threshold']:g}", "`SIMILARITY_THRESHOLD`"],
        ["sources read for a claim, at most", f"{reader.SOURCES}", "fixed"],
        ["words of a source read together, at most", f"{windows.WORDS}", "fixed"],
        ["share by which figures may differ and be roughly the same", f"{comparison.NEAR:g}", "fixed"],
        ["factor by which one side must outweigh the other", f"{weighing.DOMINANCE:g}", "fixed"],
        ["confidence a clear verdict needs", f"{weighing.DEFAULT_THRESHOLD:g}", "`--threshold` of `veridic claim`"],
        ["key passages on each side", f"{weighing.KEY_EVIDENCE}", "fixed"],
        ["years in which recency halves", f"{quality.HALVING_YEARS:g}", "fixed"],
        ["recency of an undated source", f"{quality.UNKNOWN_RECENCY:g}", "fixed"],
    ]  # fmt: skip
    return _table(["number", "value", "set by"], rows)


def worths() -> str:
    from veridic.decision.aggregation import WORTH

    return _table(["verdict", "worth"], ([f"`{verdict}`", f"{worth:g}"] for verdict, worth in WORTH.items()))


def errors() -> str:
    from veridic.domain.errors import VeridicError

    def rows(kind: type[VeridicError], parent: str) -> Iterator[list[str]]:
        yield [f"`{kind.__name__}`", parent, str(kind.exit_code)]
        for sub in kind.__subclasses__():
            if sub.__module__ == VeridicError.__module__:
                yield from rows(sub, f"`{kind.__name__}`")

    return _table(["error", "is a", "exit code"], rows(VeridicError, "`Exception`"))


def events() -> str:
    from veridic.domain.events import EventName

    of_the_loop = takewhile(lambda name: name is not EventName.FACTCHECK_START, EventName)
    return "\n".join(f"- `{name}`" for name in of_the_loop)


def schema() -> str:
    statements = _query(
        "SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite_%'"
        " AND name <> 'alembic_version' AND name NOT GLOB '*_words_*' AND name NOT GLOB '*_noted'"
        " ORDER BY type DESC, rowid"
    )
    text = "\n".join(f"{sql.strip()};" for (sql,) in statements)
    return f"```sql\n{_trimmed(text.expandtabs(4))}\n```"


def claim_types() -> str:
    columns = ["type_name", "verification_approach", "requires_sources", "typical_verification_time"]
    rows = _query(f"SELECT {', '.join(columns)} FROM claim_types ORDER BY id")  # noqa: S608
    return _table([f"`{column}`" for column in columns], ([f"`{cell}`" for cell in row] for row in rows))


def verify_rules() -> str:
    from veridic.verify.rules.table import RULES

    return "\n\n".join(map(_rule, RULES))


def _rule(rule: "Rule") -> str:
    shown = [
        f"### {rule.name.capitalize()}",
        f"Agent: {rule.agent}. Reads: {rule.reads[0].lower()}{rule.reads[1:]}",
        "Holds:",
    ]
    if rule.fails is None:
        shown += [*_example(rule.holds, is_with_code=True), "It never objects."]
    else:
        is_same = rule.holds.code == rule.fails.code
        shown += [*_example(rule.holds, is_with_code=not is_same), "Fails:"]
        shown += _example(rule.fails, is_with_code=not is_same)
        shown += ["With this code:", *_files(rule.fails)] if is_same else []
    return "\n\n".join(shown)


def _example(example: "Example", *, is_with_code: bool) -> Iterator[str]:
    if " " in example.says.strip():  # else the code is the document
        yield f"````markdown\n{example.says.strip()}\n````"
    if is_with_code:
        yield from _files(example)


def _files(example: "Example") -> Iterator[str]:
    for path, text in example.code.items():
        if text.strip():
            ending = path.rpartition(".")[2]
            yield f"`{path}`\n\n````{_FENCES.get(ending, ending)}\n{text.strip()}\n````"


def verify_confidence() -> str:
    """What alarms of each rule rest on, and how often they were right."""
    from veridic.domain.code import CodeVerdict
    from veridic.verify.confidence import LISTED_FROM, SHOWN_FROM, confidence_in

    counted = json.loads((ROOT / "src/veridic/verify/confidence.json").read_text(encoding="utf-8"))
    labelled = (ROOT / "benchmarks/public_projects/alarms-dev.jsonl").read_text(encoding="utf-8").splitlines()
    made = Counter(row["rule"] for row in map(json.loads, labelled) if "mutation" in row)
    rows = []
    for name, (right, wrong) in sorted(counted["alarms"].items()):
        sure = confidence_in(name, CodeVerdict.REFUTED)
        shown = "yes" if sure >= SHOWN_FROM else "with `--all`" if sure >= LISTED_FROM else "no"
        rows.append([f"`{name}`", str(right), str(wrong), f"{sure:.0%}", shown, str(made[name])])
    head = ["rule: what the alarm rests on", "right", "wrong", "sure", "shown", "found at our own changes"]
    return _table(head, rows)


def verify_readers() -> str:
    """What each reader reads, but for those that only know that there is something to read."""
    from veridic.verify.facts.readers import all_readers

    kinds = {
        "option": "options",
        "command": "commands",
        "environment": "environment variables",
        "route": "routes",
    }
    rows = []
    for reader in all_readers():
        of_reader = {rule.kind for rule in reader.rules}
        reads = [shown for kind, shown in kinds.items() if kind in of_reader]
        if reads:
            rows.append([_LANGUAGES[min(reader.languages)], reader.name, ", ".join(reads)])
    return _table(["language", "reader", "reads"], sorted(rows, key=lambda row: row[0]))


def _query(statement: str) -> list[tuple[Any, ...]]:
    """What a new database answers."""
    from veridic.store.maintenance import upgrade

    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "veridic.db")
        upgrade(f"sqlite:///{file}")
        with closing(sqlite3.connect(file)) as connection:
            return connection.execute(statement).fetchall()


def _trimmed(text: str) -> str:
    return "\n".join(line.rstrip() for line in text.strip().splitlines())


def _table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in lines)


def unit(name: str) -> str:
    """A unit for systemd, as it is in the repository."""
    return f"```ini\n{(ROOT / 'deploy' / name).read_text(encoding='utf-8')}```"


PARTS: dict[str, Callable[[], str]] = {
    "command-line": command_line,
    "verdict-scales": verdict_scales,
    "verdict-meanings": verdict_meanings,
    "tiers": tiers,
    "loop-numbers": loop_numbers,
    "worths": worths,
    "errors": errors,
    "events": events,
    "schema": schema,
    "claim-types": claim_types,
    "verify-rules": verify_rules,
    "verify-confidence": verify_confidence,
    "verify-readers": verify_readers,
    "unit-server": partial(unit, "veridic.service"),
    "unit-worker": partial(unit, "veridic-worker@.service"),
    **{f"desk-{group}": partial(desk_part, group) for group in DESK_GROUPS},
}
