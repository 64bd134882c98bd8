"""Blocks that show a terminal: commands of the project, and what its help says."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from veridic.code.claims.blocks import Snippet
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.names import is_placeholder
from veridic.code.claims.passage import SourceLine
from veridic.domain.code import Assertion, AssertionKind, Entity, EntityKind, FactKind, Place, Quantifier

_SHELLS = frozenset({"sh", "bash", "zsh", "shell", "fish", "powershell", "ps1", "cmd", "bat"})
_SESSIONS = frozenset(
    {
        "console",
        "shell-session",
        "shellsession",
        "terminal",
        "session",
        "text",
        "txt",
        "",
        "none",
        "output",
        "usage",
        "help",
    }
)
_PROMPT = re.compile(r"\s*(?:\([\w.-]{1,30}\) )?[$%❯➜] ")
_WORD = re.compile(r"(?:\"[^\"]*\"|'[^']*'|[^\s\"'|;&<>()])+|[|;&<>()]+")
_ASSIGNMENT = re.compile(r"([A-Z][A-Z0-9_]*_[A-Z0-9_]*)=")
_FLAG = re.compile(r"(?P<flag>--[A-Za-z][\w-]*|-[A-Za-z])(?:=.*)?\Z")
_WRAPPERS = frozenset({"sudo", "time", "env", "npx", "uvx", "exec", "command", "export", "set"})
_PYTHONS = frozenset({"python", "python3", "py"})
_RUN_WRAPPERS = frozenset({"uv", "poetry", "pipenv", "pdm", "hatch", "rye"})
_BREAKS = re.compile(r"[|;&<>()]+\Z")
_SUBCOMMAND = re.compile(r"[a-z][a-z0-9-]*\Z")
_TARGET = re.compile(r"[A-Za-z][\w.-]*\Z")
_CHOSEN = re.compile(r"[a-z][a-z0-9_-]*\Z")
"""A plain word in small letters: capitals stand for what the reader puts in."""
_SCRIPT_RUNNERS = frozenset({"npm", "yarn", "pnpm"})
_NPM_SHORTHANDS = frozenset({"test", "start"})
FLAGS_OF_FRAMEWORKS = frozenset(
    {"-h", "--help", "--version", "-V", "--install-completion", "--show-completion", "--print-completion"}
)
"""What reads the command line gives them to every program."""
_GOES_AWAY = re.compile(r"(?:\A|[$%;&|]) *(?:cd [/~]|(?:npm|yarn|pnpm) (?:init|create)\b|npx create-)")
_READ_FILES = frozenset(
    "python python3 py pytest py.test bash sh source pip pip3 tox node deno ruby cat".split()
)
_FILE = re.compile(r"(?:[\w@+.-]+/)+[\w@+.-]*\.(?:py|txt|sh|js|ts|toml|cfg|ini|in)\Z")
_MOST_WORDS = 60
_LEAST_OWN = 3
_LONGEST_LINE = 1_000
_SHOWN_VALUE = r"(?:[ =]\[?[<{\[]?[A-Za-z](?:[\w|,.:-]*[\w|.:-])?[>}\]]?\]?)?"
_OPTION_LINE = re.compile(
    rf"(?P<lead>[\s│|*]{{0,12}})(?P<flags>-{{1,2}}[A-Za-z][\w-]*{_SHOWN_VALUE}"
    rf"(?:, ?-{{1,2}}[A-Za-z][\w-]*{_SHOWN_VALUE})*)(?P<text>\s.*|\Z)"
)
_USAGE = re.compile(r"\s*usage:\s+(?P<command>\S+(?: [a-z][\w-]*)*)", re.IGNORECASE)
_USAGE_GOES_ON = re.compile(r"\s+\[")
_IN_USAGE = re.compile(r"[\[(|] ?(?P<flag>--[A-Za-z][\w-]*)(?=[\s\])=|])")
_HELP_DEFAULT = re.compile(
    r"[(\[](?:[^()\[\]]{0,80}[;,] ?)?defaults?(?: to| is|:|=)?[:=]?\s*(?P<value>[^()\[\];\n]{1,80}?)[)\];]",
    re.IGNORECASE,
)
_CHOICES = re.compile(r"\{(?P<choices>[\w.-]+(?:,[\w.-]+)+)\}")


@dataclass(frozen=True, slots=True)
class _Word:
    text: str
    start: int
    line: SourceLine


def terminal_drafts(snippet: Snippet, context: Context) -> Iterator[Draft]:
    """Commands in a block for a shell, and the options that a help text in it lists."""
    if snippet.language not in _SHELLS | _SESSIONS:
        return
    has_prompts = any(_PROMPT.match(line.text) for line in snippet.lines)
    if has_prompts or snippet.language in _SHELLS:
        yield from _of_commands(_commands(snippet.lines, has_prompts=has_prompts), context)
    elif snippet.language in _SESSIONS:
        typed = [line for line in snippet.lines if _is_typed(line.text, context)]
        yield from _of_commands(_commands(typed, has_prompts=False), context)
    if snippet.language in _SESSIONS:
        yield from _help(snippet.lines, context)


def _is_typed(line: str, context: Context) -> bool:
    """Whether a line that no prompt shows to be typed is the project's own command with flags, or sets its variable."""
    first, *rest = line[:_LONGEST_LINE].split() or [""]
    if first in context.names.commands:
        return any(_FLAG.match(word) for word in rest)
    return not rest and _ASSIGNMENT.match(first) is not None


def is_terminal(snippet: Snippet) -> bool:
    """Whether the block shows what is typed."""
    is_session = snippet.language in _SESSIONS and any(_PROMPT.match(line.text) for line in snippet.lines)
    return snippet.language in _SHELLS or is_session


def runs_own_program(snippet: Snippet, context: Context) -> bool:
    own = context.names.commands | context.names.packages
    return any(not own.isdisjoint(line.text[:_LONGEST_LINE].split()) for line in snippet.lines)


def typed_flags(snippet: Snippet, context: Context) -> Iterator[str]:
    """The long flags that stand behind the project's own command."""
    for line in snippet.lines:
        words = line.text[:_LONGEST_LINE].split()
        at = next((number for number, word in enumerate(words) if word in context.names.commands), len(words))
        for word in words[at:]:
            if (match := _FLAG.match(word)) and match["flag"].startswith("--"):
                yield match["flag"]


def goes_elsewhere(snippet: Snippet) -> bool:
    """Whether the terminal changes to a folder outside of the repository, or has a project of its own made."""
    return any(_GOES_AWAY.search(line.text[:_LONGEST_LINE]) for line in snippet.lines)


def _commands(lines: Sequence[SourceLine], *, has_prompts: bool) -> Iterator[list[_Word]]:
    """The words of each command; one that goes on behind a backslash is one."""
    words: list[_Word] = []
    for line in lines:
        if len(line.text) > _LONGEST_LINE:
            continue
        prompt = _PROMPT.match(line.text)
        if not words and ((has_prompts and not prompt) or line.text.lstrip().startswith("#")):
            continue
        start = prompt.end() if prompt else 0
        goes_on = line.text.rstrip().endswith("\\")
        for match in _WORD.finditer(line.text, start):
            if match[0] == "\\" or (match[0].startswith("#") and match.start() > start):
                break
            words.append(_Word(match[0], match.start(), line))
        if not goes_on:
            yield from _parts(words[:_MOST_WORDS])
            words = []
    yield from _parts(words[:_MOST_WORDS])


def typed_drafts(line: SourceLine, context: Context) -> Iterator[Draft]:
    """The same for one command in running text."""
    yield from _of_commands(_commands([line], has_prompts=False), context)


def _of_commands(commands: Iterable[list[_Word]], context: Context) -> Iterator[Draft]:
    """Until they go into a folder of the repository, where a Makefile and files of its own may be."""
    for words in commands:
        if words[0].text == "cd" and len(words) > 1 and context.names.index.repository.exists(words[1].text):
            return
        yield from command_drafts(words, context)


def _parts(words: list[_Word]) -> Iterator[list[_Word]]:
    """Commands between pipes and semicolons; what follows a redirection belongs to none."""
    part: list[_Word] = []
    for word in words:
        if _BREAKS.match(word.text):
            if part:
                yield part
            part = []
            if word.text.startswith((">", "<")):
                return
        else:
            part.append(word)
    if part:
        yield part


def command_drafts(words: list[_Word], context: Context) -> Iterator[Draft]:
    """What one command line takes for granted: its variables, commands and flags are there."""
    at, variables = _prefix(words)
    is_own = at < len(words) and _is_own_program(words, at, context)
    for word, name in variables:
        variable = Entity(kind=EntityKind.ENVIRONMENT, name=name)
        if (is_own or at >= len(words)) and context.names.entity(name) == variable:
            yield _exists(words, word, variable, name)
    if at >= len(words):
        return
    program = words[at].text
    if program in _READ_FILES:
        yield from _files(words, at, context)
    if program == "make":
        yield from _targets(words, at, context)
    elif program in _SCRIPT_RUNNERS:
        yield from _script(words, at, context)
    elif is_own:
        yield from _own_command(words, at + 2 * (program in _PYTHONS), context)


def _files(words: list[_Word], at: int, context: Context) -> Iterator[Draft]:
    """Files of the repository that are run, tested or installed from."""
    repository = context.names.index.repository
    tested = [word.text for word in words[at + 1 : at + 3]] in (["-m", "pytest"], ["-m", "unittest"])
    for word in words[at + 1 + 2 * tested :]:
        name = word.text.removeprefix("./").partition("::")[0]
        if _FILE.match(name) and not is_placeholder(name) and repository.exists(name.partition("/")[0]):
            yield _exists(words, word, Entity(kind=EntityKind.PATH, name=name), name)
        elif word.text in ("-o", "--output", "-m"):
            return


def _prefix(words: list[_Word]) -> tuple[int, list[tuple[_Word, str]]]:
    """Where the program stands, and the variables that are set before it."""
    at, variables = 0, []
    while at < len(words):
        assigned = _ASSIGNMENT.match(words[at].text)
        if assigned:
            variables.append((words[at], assigned[1]))
        elif words[at].text in _RUN_WRAPPERS and at + 1 < len(words) and words[at + 1].text == "run":
            at += 1
        elif words[at].text not in _WRAPPERS:
            break
        at += 1
    return at, variables


def _is_own_program(words: list[_Word], at: int, context: Context) -> bool:
    if words[at].text in _PYTHONS:
        is_module = at + 2 < len(words) and words[at + 1].text == "-m"
        return is_module and words[at + 2].text.split(".")[0] in context.names.packages
    return words[at].text in context.names.commands


def _own_command(words: list[_Word], at: int, context: Context) -> Iterator[Draft]:
    path = [words[at].text]
    names = context.names
    can_be_subcommand = bool(names.subcommands)
    for number, word in enumerate(words[at + 1 :], at + 1):
        if word.text == "--":
            return
        if match := _FLAG.match(word.text):
            can_be_subcommand = False
            if match["flag"] not in FLAGS_OF_FRAMEWORKS:
                flag = Entity(kind=EntityKind.FLAG, name=match["flag"], owner=" ".join(path))
                yield _exists(words, word, flag, match["flag"])
                yield from _choice(words, number, flag, context)
        elif can_be_subcommand and _SUBCOMMAND.match(word.text):
            if word.text in names.subcommands or len(path) == 1:
                command = Entity(kind=EntityKind.COMMAND, name=word.text, owner=" ".join(path))
                yield _exists(words, word, command, word.text)
                path.append(word.text)
            else:
                can_be_subcommand = False
        else:
            can_be_subcommand = False


def _choice(words: list[_Word], at: int, flag: Entity, context: Context) -> Iterator[Draft]:
    """The value that is given to an option which takes one of a few."""
    facts = context.names.facts(flag.name, FactKind.OPTION)
    if not facts or not all(fact.members for fact in facts):
        return
    _, equals, value = words[at].text.partition("=")
    word = words[at] if equals else words[at + 1] if at + 1 < len(words) else None
    value = value if equals else word.text if word else ""
    if word is None or not _CHOSEN.match(value):
        return
    start = word.line.column + word.start + word.text.index(value)
    place = Place(line=word.line.line, start=start, end=start + len(value))
    assertion = Assertion(
        kind=AssertionKind.MEMBERS, subject=flag, expected=(value,), expected_place=place, quantifiers=()
    )
    text = " ".join(other.text for other in words)
    yield Draft(assertion, text, word.line.line, word.line.line, (flag,))


def _targets(words: list[_Word], at: int, context: Context) -> Iterator[Draft]:
    """`make test lint`: flags and variables are not targets, and `-C` leads to another Makefile."""
    scripts = context.names.index.of_kind(FactKind.SCRIPT)
    rest = words[at + 1 :]
    if any(word.text.startswith("-") for word in rest) or not any(fact.owner == "make" for fact in scripts):
        return
    for word in rest:
        if _TARGET.match(word.text):
            target = Entity(kind=EntityKind.COMMAND, name=word.text, owner="make")
            yield _exists(words, word, target, word.text)


def _script(words: list[_Word], at: int, context: Context) -> Iterator[Draft]:
    rest = [word for word in words[at + 1 :] if not word.text.startswith("-")]
    if len(rest) != len(words) - at - 1 and any(
        w.text in ("--prefix", "-w", "--workspace", "-C") for w in words
    ):
        return
    if rest and rest[0].text == "run":
        rest = rest[1:]
    elif not rest or rest[0].text not in _NPM_SHORTHANDS:
        return
    has_scripts = any(
        fact.path.endswith("package.json") for fact in context.names.index.of_kind(FactKind.SCRIPT)
    )
    if rest and has_scripts:
        script = Entity(kind=EntityKind.COMMAND, name=rest[0].text, owner="npm")
        yield _exists(words, rest[0], script, rest[0].text)


def _exists(words: Sequence[_Word], word: _Word, entity: Entity, name: str) -> Draft:
    start = word.line.column + word.start + word.text.index(name)
    place = Place(line=word.line.line, start=start, end=start + len(name))
    assertion = Assertion(kind=AssertionKind.EXISTS, subject=entity, expected=(name,), expected_place=place)
    text = " ".join(other.text for other in words)
    return Draft(assertion, text, word.line.line, word.line.line, (entity,))


def _help(lines: Sequence[SourceLine], context: Context) -> Iterator[Draft]:
    """Options of a help text, where its usage line or the prompt above shows that it is the project's own."""
    owner = _whose_options(lines, context)
    topic: Entity | None = None
    is_in_usage = False
    for line in lines:
        if len(line.text) > _LONGEST_LINE:
            continue
        shown = _USAGE.match(line.text) or (
            _PROMPT.match(line.text) and re.match(r".*?[$%❯➜] (?P<command>.*?)\s+--help\b", line.text)
        )
        if shown:
            command = shown["command"].removeprefix("python -m ")
            owner = command if command.split()[0] in context.names.commands | context.names.packages else None
            topic = None
        is_in_usage = _USAGE.match(line.text) is not None or (
            is_in_usage and _USAGE_GOES_ON.match(line.text) is not None
        )
        if is_in_usage and owner is not None:
            yield from _usage(line, owner)
            continue
        if owner is None or ((option := _OPTION_LINE.match(line.text)) is None and topic is None):
            continue
        if option is not None:
            flag = max(re.findall(r"--?[A-Za-z][\w-]*", option["flags"]), key=len)
            topic = Entity(kind=EntityKind.FLAG, name=flag, owner=owner)
            if flag in FLAGS_OF_FRAMEWORKS:
                continue
            start = line.column + option.start("flags") + option["flags"].index(flag)
            yield _placed(AssertionKind.EXISTS, topic, (flag,), line, start, start + len(flag))
        if topic is not None:
            yield from _help_values(line, topic)


def _usage(line: SourceLine, owner: str) -> Iterator[Draft]:
    """The options in brackets that a line of usage shows."""
    for match in _IN_USAGE.finditer(line.text):
        if match["flag"] not in FLAGS_OF_FRAMEWORKS:
            flag = Entity(kind=EntityKind.FLAG, name=match["flag"], owner=owner)
            start, end = (line.column + at for at in match.span("flag"))
            yield _placed(AssertionKind.EXISTS, flag, (match["flag"],), line, start, end)


def _whose_options(lines: Sequence[SourceLine], context: Context) -> str | None:
    """The project's only command, where nearly all options that are listed are its own."""
    matches = (_OPTION_LINE.match(line.text[:_LONGEST_LINE]) for line in lines)
    flags = [
        max(re.findall(r"--?[A-Za-z][\w-]*", match["flags"]), key=len)
        for match in matches
        if match is not None
    ]
    strange = [
        flag
        for flag in flags
        if flag not in FLAGS_OF_FRAMEWORKS and not context.names.is_known(flag, FactKind.OPTION)
    ]
    is_own = len(flags) - len(strange) >= _LEAST_OWN and len(strange) <= 1
    return context.command if is_own else None


def _help_values(line: SourceLine, topic: Entity) -> Iterator[Draft]:
    if match := _HELP_DEFAULT.search(line.text):
        value = match["value"].strip("`'\"")
        start = line.column + match.start("value") + match["value"].index(value)
        if value:
            yield _placed(AssertionKind.DEFAULT, topic, (value,), line, start, start + len(value))
    if match := _CHOICES.search(line.text):
        choices = tuple(match["choices"].split(","))
        assertion = Assertion(
            kind=AssertionKind.MEMBERS, subject=topic, expected=choices, quantifiers=(Quantifier.EXACTLY,)
        )
        yield Draft(assertion, line.text.strip(), line.line, line.line, (topic,))


def _placed(
    kind: AssertionKind, topic: Entity, expected: tuple[str, ...], line: SourceLine, start: int, end: int
) -> Draft:
    place = Place(line=line.line, start=start, end=end)
    assertion = Assertion(kind=kind, subject=topic, expected=expected, expected_place=place)
    return Draft(assertion, line.text.strip(), line.line, line.line, (topic,))
