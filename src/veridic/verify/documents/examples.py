"""What code blocks show: commands with their flags, installed packages, imports, calls, configuration keys, pasted help texts.

An example shows that something exists and takes a value, never what its default is.
"""

import re
from collections.abc import Iterator, Sequence

from veridic.domain.code import AssertionKind, Entity, EntityKind
from veridic.verify.documents.commands import SHELLS, TOOLS, Command, commands_in, installed, script_of
from veridic.verify.documents.names import FLAG
from veridic.verify.documents.prose import value_statements
from veridic.verify.documents.statement import Statement, Topic
from veridic.verify.documents.unit import Unit
from veridic.verify.documents.vocabulary import Vocabulary, plain_name

_SETTINGS = frozenset("json jsonc json5 toml yaml yml ini properties conf cfg dotenv env hocon".split())
_CODE = frozenset(
    "python py python3 pycon ipython js javascript jsx mjs ts typescript tsx java kotlin kt go golang rust rs scala".split()
)
_HELP_LINE = re.compile(r"^\s{1,12}(?P<flags>--?[A-Za-z][\w-]*[^\n]*?)(?:\s{2,}(?P<text>\S.*))?$")
_KEY = re.compile(
    r"^(?P<indent>\s*)(?:-\s+)?[\"']?(?P<key>[A-Za-z_][\w.-]*)[\"']?\s*[:=](?!=)\s*(?P<value>.*)$"
)
_FILE_NAMED = re.compile(
    r"[\w.-]+\.(?:json|toml|ya?ml|ini|conf|cfg|properties|rc)\b|\.\w+rc\b", re.IGNORECASE
)
_PYTHON_FROM = re.compile(r"^\s*(?:>>> )?from\s+([\w.]+)\s+import\s+\(?([\w\s,.*]+)")
_PYTHON_IMPORT = re.compile(r"^\s*(?:>>> )?import\s+([\w.]+)(?:\s+as\s+(\w+))?\s*$")
_SCRIPT_IMPORT = re.compile(
    r"^\s*(?:import|export)\s+(?:type\s+)?(?P<what>[\w$*{},\s]+?)\s+from\s+[\"'](?P<from>[^\"']+)[\"']"
)
_REQUIRE = re.compile(
    r"(?:const|let|var)\s+(?P<what>[\w$]+|\{[^}]*\})\s*=\s*require\(\s*[\"'](?P<from>[^\"']+)[\"']"
)
_JAVA_IMPORT = re.compile(r"^\s*import\s+(?:static\s+)?([\w.]+(?:\.\*)?);?\s*$")
_RUST_USE = re.compile(r"^\s*(?:pub\s+)?use\s+([\w:]+)(?:::\{([^}]*)\})?")
_GO_IMPORT = re.compile(r"^\s*(?:import\s+)?(?:(\w+)\s+)?\"([\w./-]+)\"\s*$")
_BINDING = re.compile(
    r"(?:^|[\s(;])(?:(?:const|let|var|final|auto)\s+)?(?:[A-Z][\w.<>]*\s+)?(?P<name>[a-z_]\w*)\s*:?=\s*(?:await\s+)?(?:new\s+)?(?P<type>[A-Z]\w*)\s*(?:<[^<>]*>)?\s*[({]"
)
_CALL = re.compile(
    r"(?<![\w.$\"'])(?:(?P<on>[A-Za-z_$][\w$]*)\s*(?:\.|::))?(?P<name>[A-Za-z_$][\w$]*)\s*(?:<[\w, ]*>)?\("
)
_BRACKET = re.compile(r"[()]")
_KEYWORD = re.compile(r"(?:^|[(,]\s*)(\w+)\s*=(?!=)")
_XML_ARTIFACT = re.compile(r"<artifactId>([^<]+)</artifactId>")
_XML_VERSION = re.compile(r"<version>([^<]+)</version>")
_GRADLE = re.compile(r"[\"']([\w.-]+):([\w.-]+):(\d[\w.-]*)[\"']")
_CARGO = re.compile(r"^\s*([\w-]+)\s*=\s*(?:\{[^}]*version\s*=\s*)?\"([~^=]?\d[\w.]*)\"")


def block_statements(block: Sequence[Unit], words: Vocabulary) -> Iterator[Statement]:
    """The statements of one code block."""
    language = block[0].language
    if language in SHELLS or (language in ("", "text", "txt") and _is_shell(block, words)):
        yield from _shell(block, words)
        if not any(unit.text.rstrip().endswith("\\") for unit in block):
            yield from _help(block)
    elif language in _SETTINGS or language in ("xml", "gradle", "groovy"):
        yield from _packages(block, words)
        yield from _settings(block, words)
    elif language in _CODE:
        yield from _code(block, words)
    elif language in ("", "text", "txt", "plaintext", "help"):
        yield from _help(block)


def command_statements(unit: Unit, line: str, words: Vocabulary) -> Iterator[Statement]:
    """The statements of a command line in a code span or block."""
    for command in commands_in(line):
        yield from _command(unit, command, words)


def _is_shell(block: Sequence[Unit], words: Vocabulary) -> bool:
    first = block[0].text.strip()
    if first.startswith(("$ ", "% ", "> ")):
        return True
    command = next(commands_in(first), None)
    if command is None or re.search(r"^usage:", first, re.IGNORECASE):
        return False
    return bool(installed(command)) or (
        bool(words.own) and words.is_own(command.program) and len(block) <= 12
    )


def _shell(block: Sequence[Unit], words: Vocabulary) -> Iterator[Statement]:
    has_prompt = any(re.match(r"^\s*[$%>] ", unit.text) for unit in block)
    goes_on = False
    program = ""
    for unit in block:
        is_command = not has_prompt or bool(re.match(r"^\s*[\w.@~:/-]{0,40}[$%>#] ", unit.text))
        if goes_on and program:
            for flag in dict.fromkeys(FLAG.findall(unit.text)):
                yield Statement(
                    unit, AssertionKind.EXISTS, Entity(kind=EntityKind.FLAG, name=flag, owner=program)
                )
        elif is_command:
            program = ""
            for command in commands_in(unit.text):
                found = list(_command(unit, command, words))
                yield from found
                if found and command.program not in TOOLS:
                    program = command.program
        goes_on = unit.text.rstrip().endswith("\\") and (goes_on or is_command)


def _command(unit: Unit, command: Command, words: Vocabulary) -> Iterator[Statement]:
    packages = installed(command)
    for package in packages:
        if words.own and not words.is_own(package.name):
            continue
        name = f"{package.name}[{','.join(package.extras)}]" if package.extras else package.name
        yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.PACKAGE, name=name))
        if re.match(r"^v?\d", package.version):
            yield Statement(
                unit,
                AssertionKind.EQUALS,
                Entity(kind=EntityKind.PACKAGE, name=package.name),
                (package.version,),
                unit.text.find(package.version),
            )
    script = script_of(command)
    if script and not packages:
        yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.COMMAND, name=script))
    if command.program in TOOLS and not (words.own and plain_name(command.program) in words.own):
        return
    if command.program and not words.is_own(command.program):
        return
    if packages and not (words.own and plain_name(command.program) in words.own):
        return
    for variable in command.variables:
        if re.match(r"^[A-Z][A-Z0-9_]{2,}$", variable):
            yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.ENVIRONMENT, name=variable))
    if not command.program:
        return
    sub = next((word for word in command.words if not word.startswith("-")), "")
    is_sub = bool(re.match(r"^[a-z][a-z-]*$", sub)) and command.words[0] == sub and sub in words.named
    full = f"{command.program} {sub}" if is_sub else command.program
    yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.COMMAND, name=full))
    for flag in command.flags:
        yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.FLAG, name=flag, owner=full))


def _help(block: Sequence[Unit]) -> Iterator[Statement]:
    """The options of a pasted help text, with what it says of each."""
    lines = [(unit, _HELP_LINE.match(unit.text)) for unit in block]
    if sum(1 for _, match in lines if match and match["flags"].startswith("-")) < 2:
        return
    topic: Topic | None = None
    for unit, match in lines:
        if match and match["flags"].startswith("-"):
            flags = re.findall(r"(?<![\w-])--?[A-Za-z][\w-]*", match["flags"])
            topic = Topic(Entity(kind=EntityKind.FLAG, name=max(flags, key=len)), True) if flags else None
            if topic:
                yield Statement(unit, AssertionKind.EXISTS, topic.entity)
        elif not unit.text.startswith(" "):
            topic = None
        if topic:
            yield from value_statements(unit, topic)


def _settings(block: Sequence[Unit], words: Vocabulary) -> Iterator[Statement]:
    """Keys that the documents name as code elsewhere; if the block's file is named, all outermost keys."""
    lead = " ".join((*block[0].under[-1:], *block[0].headings[-1:]))
    file = _FILE_NAMED.search(lead)
    open_: list[tuple[int, str]] = []
    for unit in block:
        match = _KEY.match(unit.text)
        if match is None or unit.text.lstrip().startswith(("#", "//", ";")):
            if section := re.match(r"^\s*\[+([\w.\"-]+)\]+\s*$", unit.text):
                open_ = [(-1, section[1])]
            continue
        indent, key = len(match["indent"]), match["key"]
        while open_ and open_[-1][0] >= indent:
            open_.pop()
        is_outer = not [one for one in open_ if one[0] >= 0]
        if (
            key in words.documented
            or key.rpartition(".")[2] in words.documented
            or (file and is_outer and plain_name(file[0].partition(".")[0]) in words.own)
        ):
            owner = open_[-1][1] if open_ else file[0] if file else None
            yield Statement(
                unit, AssertionKind.EXISTS, Entity(kind=EntityKind.SETTING, name=key, owner=owner)
            )
        if not match["value"] or match["value"][0] in "{[|>":
            open_.append((indent, key))


def _packages(block: Sequence[Unit], words: Vocabulary) -> Iterator[Statement]:
    """The project's own package in a build file: its name, and its version if there is one."""
    artifact = ""
    in_dependencies = False
    for unit in block:
        if found := _XML_ARTIFACT.search(unit.text):
            artifact = found[1].strip()
            if words.is_own(artifact):
                yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.PACKAGE, name=artifact))
        if (
            (found := _XML_VERSION.search(unit.text))
            and artifact
            and words.is_own(artifact)
            and "$" not in found[1]
        ):
            yield _version(unit, artifact, found[1].strip())
            artifact = ""
        if (found := _GRADLE.search(unit.text)) and words.is_own(found[2]):
            yield _version(unit, found[2], found[3])
        if unit.text.strip().startswith("["):
            in_dependencies = "dependencies" in unit.text
        elif in_dependencies and words.own and (found := _CARGO.match(unit.text)) and words.is_own(found[1]):
            yield _version(unit, found[1], found[2])


def _version(unit: Unit, package: str, version: str) -> Statement:
    return Statement(
        unit,
        AssertionKind.EQUALS,
        Entity(kind=EntityKind.PACKAGE, name=package),
        (version,),
        unit.text.find(version),
    )


def _code(block: Sequence[Unit], words: Vocabulary) -> Iterator[Statement]:
    """Imports from the project's own packages, and calls of imported names or of names in the documents."""
    known: dict[str, str] = {}
    """Local names of imports, with their original names; empty for those of other projects."""
    types: dict[str, str] = {}
    """Variables, with the class that they were created from."""
    for unit in block:
        text = unit.text
        if text.strip().startswith(("//", "#", "*", "/*")):
            continue
        found = list(_imports(unit, words, known))
        if found:
            yield from found
            continue
        for binding in _BINDING.finditer(text):
            types[binding["name"]] = binding["type"]
        yield from _calls(unit, words, known, types)
        key = _KEY.match(text)
        if (
            key
            and key["key"] in words.documented
            and ":" in text[: key.start("value")]
            and unit.language not in ("go", "golang", "rust", "rs", "python", "py")
        ):
            yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.SETTING, name=key["key"]))


def _imports(unit: Unit, words: Vocabulary, known: dict[str, str]) -> Iterator[Statement]:
    module, names = _imported(unit)
    if not module or module.startswith("."):
        return
    parts = re.split(r"[./]|::", module)
    is_own = bool(words.own) and any(plain_name(part) in words.own for part in parts)
    if not is_own:
        known.update((local, "") for _, local in names)
        return
    yield Statement(unit, AssertionKind.EXISTS, Entity(kind=EntityKind.MODULE, name=module))
    for name, local in names:
        known[local] = name
        if name != module:
            yield Statement(
                unit, AssertionKind.EXISTS, Entity(kind=EntityKind.SYMBOL, name=name, owner=module)
            )


def _imported(unit: Unit) -> tuple[str, list[tuple[str, str]]]:
    """The module that a line imports, and the imported names with their local names."""
    text, language = unit.text, unit.language
    if language in ("python", "py", "python3", "pycon", "ipython"):
        if found := _PYTHON_FROM.match(text):
            return found[1], _aliases(found[2], " as ")
        found = _PYTHON_IMPORT.match(text)
        return (found[1], [(found[1], found[2] or found[1])]) if found else ("", [])
    if language in ("java", "kotlin", "kt", "scala"):
        found = _JAVA_IMPORT.match(text)
        if not found:
            return "", []
        module, _, name = found[1].rpartition(".")
        return module, [(name, name)] if name != "*" else []
    if language in ("rust", "rs"):
        found = _RUST_USE.match(text)
        if not found:
            return "", []
        module, _, name = found[1].rpartition("::")
        return (found[1], _aliases(found[2], " as ")) if found[2] else (module or name, [(name, name)])
    if language in ("go", "golang"):
        found = _GO_IMPORT.match(text)
        local = found[1] or re.sub(r"/v\d+$", "", found[2]).rpartition("/")[2] if found else ""
        return (found[2], [(found[2], local)]) if found else ("", [])
    found = _SCRIPT_IMPORT.match(text) or _REQUIRE.search(text)
    if not found:
        return "", []
    what = found["what"].strip()
    if what.startswith("{"):
        return found["from"], _aliases(what.strip("{} "), " as ")
    return found["from"], [(found["from"], what.partition(",")[0].strip())]


def _aliases(text: str, mark: str) -> list[tuple[str, str]]:
    pairs = (part.strip().partition(mark) for part in text.split(","))
    return [
        (name.strip(), (alias or name).strip())
        for name, _, alias in pairs
        if re.match(r"^\w+$", name.strip())
    ]


def _calls(
    unit: Unit, words: Vocabulary, known: dict[str, str], types: dict[str, str]
) -> Iterator[Statement]:
    seen: set[str] = set()
    for call in _CALL.finditer(unit.text):
        on, name = call["on"], call["name"]
        if re.search(r"\b(?:def|function|func|fn|class)\s+$", unit.text[: call.start()]):
            continue
        if "" in (known.get(on or name), known.get(types.get(on or "", ""))):
            continue  # imported from another project
        owner = types.get(on, known.get(on)) if on else None
        if on and owner is None and on in words.named and on[:1].isupper():
            owner = on
        if on and owner is None and not (words.own and plain_name(on) in words.own):
            continue
        if (
            not on
            and name not in known
            and not (name in words.named and re.search(r"[A-Z_]", name))
            and not (words.own and plain_name(name) in words.own)
        ):
            continue
        if on in types and types[on] not in words.named and types[on] not in known:
            continue
        if name in seen:
            continue
        seen.add(name)
        kind = EntityKind.CLASS if name[:1].isupper() and not on else EntityKind.FUNCTION
        plain = known.get(name, name).rpartition("/")[2] if not on else name
        subject = Entity(kind=kind, name=plain, owner=owner or (on or None))
        yield Statement(unit, AssertionKind.EXISTS, subject)
        if unit.language in ("python", "py", "python3", "pycon"):
            # Keywords after another opening bracket may belong to another call.
            inside = _BRACKET.split(unit.text[call.end() :], maxsplit=1)[0]
            for keyword in _KEYWORD.findall(inside):
                yield Statement(
                    unit, AssertionKind.PARAMETER, subject, (keyword,), unit.text.find(keyword, call.end())
                )
