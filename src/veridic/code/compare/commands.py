"""Commands, their flags, and the environment variables of a project."""

import re
from collections import Counter
from collections.abc import Sequence
from posixpath import basename, dirname

from veridic.code.compare.looking import CODE_KINDS, FAIRLY_SURE, Look, at, closest, found, is_test, last_part
from veridic.code.compare.python_names import has_name
from veridic.code.variables import is_anyones
from veridic.domain.code import AgentVerdict, Entity, Fact, FactKind

_EVERYONES_FLAGS = frozenset(
    {
        "--help",
        "-h",
        "--version",
        "-V",
        "--install-completion",
        "--show-completion",
        "--print-completion",
        "--",
    }
)
_SEVERAL = 2
_IN_A_FOLDER = re.compile(
    r"\b(?:in|from|inside) (?:the |your )?`?[\w./-]+`? (?:sub)?(?:module|folder|directory|repo\w*)\b"
)
_MAKE_COMMANDS = frozenset({"command", "callback", "subcommand", "task", "cli", "app", "main", "default"})
"""Of typer and its like: the parameters of the function are the options."""
_DECLARE_OPTIONS = frozenset({"option", "argument"})
"""Of click: its options stand in decorators, and not in the parameters of the function."""
_LISTS_OPTIONS = re.compile(
    r"(?:^|/)[^/]*(?:readme|cli|command|option|usage|reference|man|config|index|help|start)[^/]*$|\.py$",
    re.IGNORECASE,
)
_LEADS = re.compile(r"\W{0,3}-")
"""The line or item begins with the option: it says what the option does."""
_LOADS_PLUGINS = re.compile(
    r"\b(?:iter_entry_points|entry_points|with_plugins|load_setuptools_entrypoints)\("
)

_TAKES_WHOLE_NAMES_ONLY = re.compile(
    r"\ballow_abbrev\s*=\s*False|^\s*(?:import|from) (?:click|typer)\b", re.MULTILINE
)
_PASSES_ON = re.compile(
    r"\bparse_known_(?:intermixed_)?args\(|\bignore_unknown_options\b|\ballow_extra_args\b|\bREMAINDER\b"
)
"""What it does not know, it gives to another program."""


def compare_flag(look: Look, subject: Entity) -> AgentVerdict | None:
    """Whether the project has the option; one that it has not is refuted only for a command of its own."""
    flag = subject.name.partition("=")[0]
    facts = _not_of_tests(look.index.named(flag, FactKind.OPTION))
    if facts:
        return found(look, *facts)
    options = look.of_the_project(look.index.of_kind(FactKind.OPTION))
    own = [fact for fact in options if fact.name.startswith("-")]
    if not own or not subject.owner or flag in _EVERYONES_FLAGS or not _is_own_command(look, subject.owner):
        return None
    close = closest(flag, {alias for fact in own for alias in (fact.name, *fact.aliases)})
    if _is_spelled_elsewhere(look, flag) or (close is None and _is_set_elsewhere(look, flag)):
        return None
    if close is None and not _is_surely_own(look, subject.owner):
        return None
    if close == flag.replace("--no-", "--", 1):
        return None  # Many libraries make the one from the other.
    if look.claim.text.startswith(f"{subject.owner.split()[0]} ") and _is_abbreviation(look, flag, own):
        return None
    shown_first = [fact for fact in own if close and close in (fact.name, *fact.aliases)] or own
    hint = f"; {close} is the closest" if close else ""
    return look.refuted(
        f"`{subject.owner}` has no option {flag}{hint} ({at(shown_first[0])}).",
        *shown_first[:3],
        value=close,
        confidence=FAIRLY_SURE,
    )


def _is_surely_own(look: Look, command: str) -> bool:
    """Whether a flag that looks like none of the command's must be one: where options are listed, and nobody else adds any."""
    leads = _LEADS.match(look.claim.text) is not None
    is_listed = (
        leads or _LISTS_OPTIONS.search(look.claim.document) is not None or f"{command} " in look.claim.text
    )
    # What is listed is not passed on: the program that it is passed to lists it.
    return (
        is_listed
        and not look.occurs_in_code(_LOADS_PLUGINS)
        and (leads or not look.occurs_in_code(_PASSES_ON))
    )


def _is_abbreviation(look: Look, flag: str, options: Sequence[Fact]) -> bool:
    """Whether argparse takes the flag for the one option that begins like that: a command that works, if no name."""
    meant = {fact.name for fact in options if fact.path.endswith(".py") and fact.name.startswith(flag)}
    return len(meant) == 1 and not look.occurs_in_code(_TAKES_WHOLE_NAMES_ONLY)


def _not_of_tests(facts: Sequence[Fact]) -> list[Fact]:
    """A test that sets a variable, or passes an option, does not read it."""
    return [fact for fact in facts if not is_test(fact.path)]


def _is_own_command(look: Look, command: str) -> bool:
    words = command.split()
    return bool(words) and any(
        look.of_the_project(look.index.named(word, FactKind.SCRIPT, FactKind.COMMAND))
        for word in (command, words[0], words[-1])
    )


def _is_spelled_elsewhere(look: Look, flag: str) -> bool:
    """Whether the project has the flag in a form that was not read as an option: a text, or a parameter."""
    name = flag.lstrip("-").replace("-", "_")
    commands = (
        f
        for f in look.index.of_kind(FactKind.FUNCTION)
        if any(p.name == name for p in f.parameters)
        and any(last_part(decorator) in _MAKE_COMMANDS for decorator in f.decorators)
        and not any(last_part(decorator) in _DECLARE_OPTIONS for decorator in f.decorators)
    )
    if look.of_the_project(tuple(commands)) or look.occurs_in_code(_written_alone(flag)):
        return True
    options = look.of_the_project(look.index.of_kind(FactKind.OPTION))
    if options and all(fact.path.endswith(".py") for fact in options):
        return False  # Python names options with their dashes; what pages and scripts beside it say is something else.
    return _is_named_without_dashes(look, flag.lstrip("-").replace("_", "-"))


def _written_alone(flag: str) -> re.Pattern[str]:
    """A text that may declare the flag, or be compared with it; and not a message that speaks of it."""
    before = r"(?:[(\[{,=:|+]|\b(?:case|if|elif|when|in|and|or|not)\b|^)\s*"
    behind = r"(?:[\"'`]|[ =][<\[{A-Z]|[,|/=]|\s*$)"
    return re.compile(rf"{before}[\"'`](?:-\w+\s*[,/|]\s*)?{re.escape(flag)}{behind}", re.MULTILINE)


def _is_set_elsewhere(look: Look, flag: str) -> bool:
    """Whether a setting has the name of the flag, which may be made into an option."""
    return bool(look.index.named(flag.lstrip("-").replace("-", "_"), FactKind.SETTING))


def _is_named_without_dashes(look: Look, name: str) -> bool:
    """Whether a text in code is the name, or its end behind a beginning that is one, too: `--s3-versions`."""
    texts = look.index.option_like_texts
    parts = name.split("-")
    splits = [("-".join(parts[:at]), "-".join(parts[at:])) for at in range(1, len(parts))]
    return name in texts or any(first in texts and rest in texts for first, rest in splits)


def compare_command(look: Look, subject: Entity) -> AgentVerdict | None:
    """Whether the command, target or script is there, among those that its runner has."""
    name = subject.name.split()[-1] if subject.name.split() else ""
    kinds = (FactKind.COMMAND, FactKind.SCRIPT)
    runner = (subject.owner or "").split()[:1]
    if _IN_A_FOLDER.search(look.claim.text):
        return None
    facts = [fact for fact in look.named(name, *kinds) if _is_run_by(fact, runner)]
    if facts:
        return found(look, *facts)
    siblings = [
        f for kind in kinds for f in look.of_the_project(look.index.of_kind(kind)) if _is_run_by(f, runner)
    ]
    if runner == ["make"] and not any(_is_beside(look, fact) for fact in siblings):
        return None
    is_runner = runner in (["make"], ["npm"], ["yarn"], ["pnpm"], ["just"])
    if not runner or not siblings or (not is_runner and not _is_own_command(look, runner[0])):
        return None
    if not is_runner:
        siblings = [fact for fact in siblings if fact.kind is FactKind.COMMAND and fact.name != runner[0]]
        if not siblings or look.index.named(name, *CODE_KINDS) or _is_spelled_elsewhere(look, name):
            return None
        if _is_set_elsewhere(look, name):
            return None
    close = closest(name, {fact.name for fact in siblings})
    if close is None and not is_runner and look.occurs_in_code(_LOADS_PLUGINS):
        return None
    listed = ", ".join(dict.fromkeys(fact.name for fact in siblings[:12]))
    return look.refuted(
        f"`{runner[0]}` has no `{name}`; there is {listed} ({at(siblings[0])}).",
        *siblings[:3],
        value=close,
        confidence=FAIRLY_SURE,
    )


def _is_beside(look: Look, fact: Fact) -> bool:
    """In the folder of the document, or in one around it."""
    folder = dirname(fact.path)
    return not folder or look.claim.document.startswith(f"{folder}/")


def _is_run_by(fact: Fact, runner: list[str]) -> bool:
    """Targets of make and scripts of npm belong to these only."""
    file = basename(fact.path)
    if runner == ["make"]:
        return fact.kind is FactKind.SCRIPT and file.lower() in ("makefile", "gnumakefile")
    if runner in (["npm"], ["yarn"], ["pnpm"]):
        return fact.kind is FactKind.SCRIPT and file == "package.json"
    return fact.kind is FactKind.COMMAND or file.lower() not in ("makefile", "gnumakefile")


def _puts_together(name: str) -> re.Pattern[str]:
    """The beginning of a variable's name where names are put together at run time."""
    parts = name.split("_")
    beginnings = "|".join(re.escape("_".join(parts[:length])) for length in range(1, len(parts)))
    return re.compile(
        rf"[\"'`](?:{beginnings})_(?:[\"'`]|[{{%$])|prefix\w*\s*=\s*[\"'](?:{beginnings})_?[\"']"
    )


def _may_be_read(look: Look, name: str) -> bool:
    """Whether code has the name in some way that was not read as a variable: the last look before it is called missing.

    A docstring, a comment or a message that speaks of it is as much of a document as the one that is looked at.
    """
    written = re.compile(rf"\b{re.escape(name)}\b")
    return look.occurs_in_code(_puts_together(name)) or look.has_in_code(
        lambda path, text: (
            written.search(text) is not None and (not path.endswith((".py", ".pyi")) or has_name(text, name))
        )
    )


def _is_of_the_project(look: Look, name: str) -> bool:
    """Whether the project's command or package goes by the name."""
    return _is_own_command(look, name) or any(
        f"{source}{name}/__init__.py" in look.index.files for source in ("", "src/")
    )


def _is_called_a_variable(look: Look, name: str) -> bool:
    """Whether the document says in so many words what the name is, without `$`, as it would write anyone's."""
    return (
        re.search(r"\benv", look.claim.text, re.IGNORECASE) is not None and f"${name}" not in look.claim.text
    )


def compare_environment(look: Look, subject: Entity) -> AgentVerdict | None:
    """Whether the variable is read; one that is not is refuted only where the project reads others of its prefix."""
    name = subject.name
    facts = _not_of_tests(look.index.named(name, FactKind.ENVIRONMENT, FactKind.SETTING))
    if facts:
        return found(look, *facts)
    own = look.of_the_project(look.index.of_kind(FactKind.ENVIRONMENT))
    prefixes = Counter(
        fact.name.partition("_")[0] for fact in {f.name: f for f in own}.values() if "_" in fact.name
    )
    prefix, _, rest = name.partition("_")
    settings = look.named(rest.lower(), FactKind.SETTING)
    if settings:
        return found(look, *settings)
    near = [fact for fact in own if fact.name.startswith(f"{prefix}_")]
    close = closest(name, {fact.name for fact in near})
    is_own = prefixes[prefix] >= _SEVERAL or (
        close is not None and (_is_of_the_project(look, prefix.lower()) or _is_called_a_variable(look, name))
    )
    if not rest or not is_own or _may_be_read(look, name):
        return None
    if is_anyones(name) and not _is_of_the_project(look, prefix.lower()):
        return None
    first = next((fact for fact in near if fact.name == close), near[0])
    hint = f"; {close} is" if close else ""
    return look.refuted(
        f"Nothing reads {name}{hint} ({at(first)}).", first, value=close, confidence=FAIRLY_SURE
    )
