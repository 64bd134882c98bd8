"""Rules on programs: options with their defaults and choices, commands, environment variables, routes."""

from collections.abc import Sequence
from difflib import get_close_matches

from veridic.domain.code import AssertionKind, ClaimDomain, EntityKind
from veridic.verify.documents.read import read_units
from veridic.verify.facts.literals import same_value
from veridic.verify.facts.model import Fact, FactKind, Table
from veridic.verify.rules.context import KnownCount
from veridic.verify.rules.rule import Example, Look, Outcome, Rule, at, listed, short_line

_EMPTY_VALUES = ("", "0", "none", "null", "nil", "false", "[]", "{}", "undefined", "-1")
_MENTIONED = "mentioned"
_SIMILARITY = 0.9
_CODE = """import argparse

parser = argparse.ArgumentParser(prog="tool")
parser.add_argument("--port", type=int, default=8080, help="where to listen")
parser.add_argument("--level", choices=["low", "high"], default="low")
args = parser.parse_args()
"""
_PROJECT = {
    "pyproject.toml": '[project]\nname = "tool"\nversion = "1"\n[project.scripts]\ntool = "pour.command:main"\n',
    "src/pour/command.py": _CODE,
}
_ENVIRONMENT = {**_PROJECT, "env.py": 'import os\nTOKEN = os.environ.get("TOOL_TOKEN", "none")\n'}


def check_option(look: Look) -> Outcome | None:
    """Check whether a program of the project has an option."""
    table = look.context.table(FactKind.OPTION)
    flag = look.subject.name
    if facts := table.named(flag) or _combined_options(flag, table):
        return look.holds(f"`{flag}` is an option ({at(facts[0])}).", *facts)
    how = _how_it_is_ours(look, table)
    if how is None:
        return None
    if how == _MENTIONED and not _is_misspelled(flag, table):
        return look.stays_open(
            f"None of the project's options is like `{flag}`, which may be another program's.",
            "Whose option it is, or whether the project once had it.",
        )
    if table.is_complete:
        return _not_listed(look, table, f"There is no option `{flag}`", basis=f"{how}, complete")
    return _spelled_nowhere(look, f"option `{flag}`", table, how=how)


def check_default(look: Look) -> Outcome | None:
    """Check the default of an option or environment variable."""
    kind = FactKind.OPTION if look.subject.kind is EntityKind.FLAG else FactKind.ENVIRONMENT
    facts = look.context.table(kind).named(look.subject.name)
    if not facts or len(look.expected) != 1 or not _may_be_ours(look):
        return None
    return compare_values(look, facts, "defaults to")


def compare_values(look: Look, facts: Sequence[Fact], verb: str, basis: str = "") -> Outcome | None:
    """Compare the value in a document with the literals in the code. An alarm requires that the code has exactly one literal; `basis` is
    put before the basis of the alarm."""
    said = look.expected[0]
    known = [fact for fact in facts if fact.value is not None and fact.is_literal]
    # A value that can't be compared is something else: `{timeout: true}` in a list of setting names.
    comparable = [fact for fact in known if same_value(said, fact.value or "") is not None]
    if comparable and len(known) == len(facts):
        known = facts = comparable
    same = [fact for fact in known if same_value(said, fact.value or "")]
    if same:
        return look.holds(
            f"`{look.subject.name}` {verb} {short_line(same[0].value or '')} ({at(same[0])}).", *same
        )
    first = known[0] if known else facts[0]
    if not known or len(known) < len(facts) or len({fact.value for fact in known}) > 1:
        return look.stays_open(
            f"What `{look.subject.name}` {verb} is not one literal in the code ({at(first)}).",
            "A test that shows the value, or one literal in the code.",
            *facts,
        )
    if same_value(said, first.value or "") is not False:
        return look.stays_open(
            f"{short_line(first.value or '')} in the code ({at(first)}) can't be compared with {short_line(said)}.",
            "A test that shows the value.",
            first,
        )
    # Many programs use an empty value for "not given" and set the default later.
    is_nothing = (first.value or "").lower() in _EMPTY_VALUES
    return look.fails(
        f"`{look.subject.name}` {verb} {short_line(first.value or '') or 'nothing'} ({at(first)}), not {short_line(said)}.",
        *known,
        value=first.value,
        basis=" ".join(word for word in (basis, "nothing" if is_nothing else "literal") if word),
    )


def check_choices(look: Look) -> Outcome | None:
    """Check the values that an option accepts."""
    facts = [fact for fact in look.context.table(FactKind.OPTION).named(look.subject.name) if fact.members]
    if not facts or not look.expected or not _may_be_ours(look):
        return None
    known = {name.lower() for fact in facts for name in fact.members}
    unknown = [value for value in look.expected if value.lower() not in known]
    if not unknown:
        return look.holds(f"`{look.subject.name}` takes {listed(facts[0].members)} ({at(facts[0])}).", *facts)
    if not all(fact.members_are_complete for fact in facts):
        return None
    return look.fails(
        f"`{look.subject.name}` takes {listed(facts[0].members)} ({at(facts[0])}), not {listed(unknown)}.",
        *facts,
        basis="choices",
    )


def check_command(look: Look) -> Outcome | None:
    """Check whether a program of the project has a command."""
    table = look.context.table(FactKind.COMMAND)
    program, _, name = look.subject.name.partition(" ")
    if not name or program not in look.context.programs or not table.facts:
        return None
    if facts := table.named(name):
        return look.holds(f"`{name}` is a command ({at(facts[0])}).", *facts)
    if _is_made_by_example(look, name.rpartition(" ")[2]):
        return look.stays_open(
            f"An example in {look.claim.document} has `{name}` in quotes: it may make the command.",
            "Running it.",
        )
    # Code that declares options in an unreadable way may also declare commands.
    if table.is_complete and not look.context.table(FactKind.OPTION).gaps:
        is_spelled = look.context.names.spells(name.rpartition(" ")[2])
        basis = "complete, spelled" if is_spelled else "complete"
        return _not_listed(look, table, f"`{program}` has no command `{name}`", basis=basis)
    return _spelled_nowhere(look, f"command `{name}`", table)


def _is_made_by_example(look: Look, name: str) -> bool:
    """Whether a code line of the document has the name in quotes, as code does that adds a command."""
    text = look.context.text(look.claim.document)
    lines = (
        (unit.text for unit in read_units(look.claim.document, text) if unit.is_code) if name in text else ()
    )
    return any(f"{quote}{name}{quote}" in line for line in lines for quote in "\"'")


def check_environment(look: Look) -> Outcome | None:
    """Check whether the code reads an environment variable. The list is never complete: a library, or a script outside the repository,
    may read one that the project's code doesn't have. Of eleven alarms on public projects none was right, so this never raises an alarm."""
    table = look.context.table(FactKind.ENVIRONMENT)
    name = look.subject.name
    if facts := table.named(name):
        return look.holds(f"`{name}` is read ({at(facts[0])}).", *facts)
    prefix = "_" * name.startswith("_") + name.strip("_").partition("_")[0]
    own = [fact for fact in table.facts if fact.name.startswith(f"{prefix}_")]
    is_named_after_us = prefix.strip("_").lower() in {
        program.lower().replace("-", "") for program in look.context.programs
    }
    if not own and not is_named_after_us:
        return None
    return look.stays_open(
        f"Where the project reads `{name}` was not found.",
        "What reads the variable: the project's own code, a library or a script.",
        *own[:1],
    )


def check_route(look: Look) -> Outcome | None:
    """Check whether the project serves a route."""
    table = look.context.table(FactKind.ROUTE)
    wanted = _route(look.subject.name)
    facts = [fact for fact in table.facts if _same_route(_route(fact.name), wanted)]
    if facts:
        return look.holds(f"`{look.subject.name}` is served ({at(facts[0])}).", *facts)
    if not table.is_complete or not look.context.known_in_document(look.claim, table).is_nearly_all:
        return None
    return _not_listed(look, table, f"There is no route `{look.subject.name}`", basis="complete")


def _route(name: str) -> tuple[str, tuple[str, ...]]:
    """The method and path segments of a route, with parameters replaced by `*`."""
    method, _, path = name.rpartition(" ")
    parts = path.partition("?")[0].strip("/").split("/")
    return method.upper(), tuple("*" if part[:1] in "{:<[" else part for part in parts)


def _same_route(one: tuple[str, tuple[str, ...]], other: tuple[str, tuple[str, ...]]) -> bool:
    """Whether `one` matches the end of `other`: a router may be mounted under any prefix."""
    fits = other[1][-len(one[1]) :] == one[1]
    return fits and (not one[0] or not other[0] or one[0] == other[0])


def _combined_options(flag: str, table: Table) -> tuple[Fact, ...]:
    """The options in `-dco` or `-t10m`: several short options in one, or one with its value."""
    return () if flag.startswith("--") or len(flag) < 3 else table.named(flag[:2])


def _how_it_is_ours(look: Look, table: Table) -> str | None:
    """How a flag is known to belong to the project: a program of the project comes before it, or it is in a list or sentence of a
    document whose other flags are the project's. None if it may belong to another program."""
    if look.subject.owner:
        return "typed" if _may_be_ours(look) else None
    around = look.context.neighbours(look.claim)
    near = KnownCount(sum(1 for name in around if table.named(name)), len(around))
    if not near.is_nearly_all and not look.context.known_in_document(look.claim, table).is_nearly_all:
        return None
    if look.is_listed:
        return "listed"
    return _MENTIONED if look.is_in_document and look.subject.name.startswith("--") else None


def _is_misspelled(flag: str, table: Table) -> bool:
    """Whether the project has an option that differs in a letter or two, so the flag is a misspelling of it."""
    return bool(get_close_matches(flag, [fact.name for fact in table.facts], n=1, cutoff=_SIMILARITY))


def _may_be_ours(look: Look) -> bool:
    """Whether the flag has no owner (the command before it), or one that starts with a program of the project."""
    return not look.subject.owner or look.subject.owner.partition(" ")[0] in look.context.programs


def _not_listed(look: Look, table: Table, sentence: str, *, basis: str) -> Outcome:
    names = [fact.name for fact in table.facts]
    return look.missing(f"{sentence}.", table.facts[0].path, listed(sorted(set(names)), 12), basis=basis)


def _spelled_nowhere(look: Look, what: str, table: Table, how: str = "typed") -> Outcome:
    """The outcome for a name without a declaration: an alarm if no code has it in any spelling, else open because of the gaps."""
    name = look.subject.name.rpartition(" ")[2]
    if look.context.names.spells(name.strip("-")):
        gap = table.gaps[0] if table.gaps else None
        because = f" {gap.reason} ({gap.path}:{gap.line})" if gap else ""
        return look.stays_open(
            f"No declaration of the {what} was found, and not all of them can be read.{because}",
            "Reading how the program takes its arguments, or running it with --help.",
        )
    path = table.facts[0].path if table.facts else "."
    return look.missing(
        f"No code of the project spells the {what}.",
        path,
        "not found in the code",
        basis=f"{how}, spelled nowhere",
    )


RULES = (
    Rule(
        name="option",
        agent=ClaimDomain.CONFIGURATION,
        reads="The options that the project's programs declare.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=frozenset({EntityKind.FLAG}),
        check=check_option,
        holds=Example("```sh\ntool --port 80\n```", _PROJECT),
        fails=Example("```sh\ntool --host 80\n```", _PROJECT),
    ),
    Rule(
        name="option default",
        agent=ClaimDomain.CONFIGURATION,
        reads="The literal that the declaration of an option or the reading of a variable gives as its default.",
        asserts=frozenset({AssertionKind.DEFAULT}),
        subjects=frozenset({EntityKind.FLAG, EntityKind.ENVIRONMENT, EntityKind.CONSTANT}),
        check=check_default,
        holds=Example("| Option | Default |\n|---|---|\n| `--port` | `8080` |", _PROJECT),
        fails=Example("| Option | Default |\n|---|---|\n| `--port` | `9090` |", _PROJECT),
    ),
    Rule(
        name="option choices",
        agent=ClaimDomain.CONFIGURATION,
        reads="The values that the declaration of an option lists.",
        asserts=frozenset({AssertionKind.MEMBERS}),
        subjects=frozenset({EntityKind.FLAG}),
        check=check_choices,
        holds=Example("| Option | Choices |\n|---|---|\n| `--level` | `low`, `high` |", _PROJECT),
        fails=Example("| Option | Choices |\n|---|---|\n| `--level` | `low`, `middle` |", _PROJECT),
    ),
    Rule(
        name="command",
        agent=ClaimDomain.CONFIGURATION,
        reads="The commands that the project's programs declare.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=frozenset({EntityKind.COMMAND}),
        check=check_command,
        holds=Example(
            "`build` makes it.\n\n```sh\ntool build\n```",
            {**_PROJECT, "cli.py": _CODE + 'sub = parser.add_subparsers()\nsub.add_parser("build")\n'},
        ),
        fails=Example(
            "`deploy` sends it.\n\n```sh\ntool deploy\n```",
            {**_PROJECT, "cli.py": _CODE + 'sub = parser.add_subparsers()\nsub.add_parser("build")\n'},
        ),
    ),
    Rule(
        name="environment variable",
        agent=ClaimDomain.CONFIGURATION,
        reads="The environment variables that the code reads; one that is not found is left open, as a library may read it.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=frozenset({EntityKind.ENVIRONMENT}),
        check=check_environment,
        holds=Example("Set the environment variable `TOOL_TOKEN` first.", _ENVIRONMENT),
        fails=None,
    ),
    Rule(
        name="route",
        agent=ClaimDomain.CONFIGURATION,
        reads="The routes that the project's servers declare.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=frozenset({EntityKind.ENDPOINT}),
        check=check_route,
        holds=Example(
            "`GET /users` lists them.",
            {
                "app.py": 'from fastapi import FastAPI\napp = FastAPI()\n@app.get("/users")\ndef users(): ...\n'
            },
        ),
        fails=Example(
            "- `GET /a`\n- `GET /b`\n- `GET /c`\n- `GET /d`\n- `GET /gone`\n",
            {
                "app.py": "from fastapi import FastAPI\napp = FastAPI()\n"
                + "".join(f'@app.get("/{n}")\ndef {n}(): ...\n' for n in "abcd")
            },
        ),
    ),
)
