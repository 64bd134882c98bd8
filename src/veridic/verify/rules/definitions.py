"""Rules on definitions: members of classes, names in modules, parameters, constants and settings."""

import posixpath
import re
from collections.abc import Iterable

from veridic.domain.code import AssertionKind, ClaimDomain, CodeVerdict, EntityKind
from veridic.verify.facts.declarations import is_not_product_code
from veridic.verify.facts.literals import is_nothing, literal, same_value
from veridic.verify.facts.model import Fact, FactKind
from veridic.verify.facts.symbols import family, has_member
from veridic.verify.rules.programs import compare_values
from veridic.verify.rules.rule import Example, Look, Outcome, Rule, at, listed, short_line
from veridic.verify.spellings import pieces

_OPAQUE = re.compile(r"\bimport \*|__getattr__|\bexport \*|globals\(\)")
_MODULES = (".py", "/__init__.py", ".pyi")
_DEFAULTS = ("default", "defaults")
_SHORTEST = 4
_WORD = re.compile(r"(?!(?:true|false)$)[A-Za-z][a-z-]+")
_LABEL = re.compile(r"\W*@?default", re.IGNORECASE)
_NAMES_AT_END = re.compile(r"[A-Za-z_][\w-]*(?=[!?;)]*$)")
_NEARLY_ALL = 0.85
_LONGEST_LINE = 400
_IDENTIFIER = re.compile(r"[A-Za-z_][\w-]*")
_LITERAL = re.compile(r"\"[^\"\n]*\"|'[^'\n]*'|(?<![\w.])-?\d[\w.]*|\b(?:true|false|True|False)\b")
_LEAST_NEIGHBOURS = 5
_CLIENT = "class Client:\n    def __init__(self, url, timeout=30):\n        self.url = url\n\n    def fetch(self, path):\n        return path\n"
_PACKAGE = {
    "pyproject.toml": '[project]\nname = "kit"\nversion = "1"\n',
    "kit/__init__.py": "",
    "kit/client.py": _CLIENT,
}


def check_definition(look: Look) -> Outcome | None:
    """Check a member of a class of the project, or a name in one of its modules."""
    owner, _, name = look.subject.name.removesuffix("()").rpartition(".")
    if not owner:
        facts = look.context.symbols(name)
        return look.holds(f"`{name}` is defined ({at(facts[0])}).", *facts) if facts else None
    # A module and a class in it may have the same name.
    is_module = _file_of(look, owner) is not None
    return (None if is_module else _member(look, owner, name)) or _in_module(look, owner, name)


def _member(look: Look, owner: str, name: str) -> Outcome | None:
    found = look.context.class_named(owner.rpartition(".")[2])
    has = has_member(found, name) if found else None
    if found is None or not _is_in(found, owner.rpartition(".")[0]):
        return None
    if not look.is_in_document and family(look.claim.document) != family(found.path):
        return None  # a comment is about code in its own language
    owner = found.name
    if has:
        own = [fact for fact in look.context.symbols(name) if fact.owner.rpartition(".")[2] == owner]
        return look.holds(f"`{owner}` has `{name}` ({at(own[0] if own else found)}).", *(own or [found]))
    # Other code than a definition, such as a macro, may make it a member; a tag may give a field of Go another name.
    is_made = _is_given_to_a_macro(look, found) or (
        found.path.endswith(".go") and has_member(found, name.title())
    )
    if has is None or is_made or (not look.context.symbols(name) and look.context.uses(name)):
        return look.stays_open(
            f"`{owner}` ({at(found)}) does not define `{name}` where it can be read.",
            "The definition that it is inherited or generated from.",
            found,
        )
    return look.fails(
        f"`{owner}` has no `{name}` ({at(found)}); it has {listed(sorted(found.members))}.",
        found,
        basis="class",
    )


def _is_given_to_a_macro(look: Look, found: Fact) -> bool:
    """Whether a macro of Rust is called with the name of a class, and may add members."""
    called = re.compile(rf"!\s*[({{\[][^(){{}}\[\];]*\b{re.escape(found.name)}\b")
    return found.path.endswith(".rs") and called.search(look.context.text(found.path)) is not None


def _is_in(found: Fact, module: str) -> bool:
    """Whether a class may be in this module: `socketio.Client` only means the `Client` of socketio."""
    return not module or f".{found.qualified}".find(f".{module.rpartition('.')[2]}.") >= 0


def _in_module(look: Look, module: str, name: str) -> Outcome | None:
    path = _file_of(look, module)
    if path is None:
        return None
    text = look.context.text(path)
    if spelled := re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text):
        line = text.count("\n", 0, spelled.start()) + 1
        fact = Fact(FactKind.CONSTANT, name, path, line, text.split("\n")[line - 1].strip())
        return look.holds(f"`{module}` has `{name}` ({at(fact)}).", fact)
    if _file_of(look, f"{module}.{name}") or look.context.repository.exists(
        posixpath.join(posixpath.dirname(path), name)
    ):
        return look.holds(f"`{module}.{name}` is a module.", Fact(FactKind.CONSTANT, name, path, 1, path))
    if not look.context.names.spells(name) and look.is_in_document:
        return look.missing(
            f"`{module}` has no `{name}`.", path, f"{path}: no {name}", basis="module, spelled nowhere"
        )
    if _OPAQUE.search(text) or "import" not in look.claim.text:
        return look.stays_open(
            f"{path} does not spell `{name}`; it may be put there, or be a name of something else.",
            "Importing it.",
        )
    return look.missing(f"`{module}` has no `{name}`.", path, f"{path}: no {name}", basis="import")


def _file_of(look: Look, module: str) -> str | None:
    """The file of a Python module with this dotted name."""
    place = module.replace(".", "/")
    for start in ("", "src/"):
        for ending in _MODULES:
            if look.context.repository.exists(f"{start}{place}{ending}"):
                return f"{start}{place}{ending}"
    return None


def check_parameter(look: Look) -> Outcome | None:
    """Check a parameter in a docstring or an example against the parameters of the function."""
    if not look.claim.owner:
        return None  # in an example, arguments in brackets may belong to another call
    functions = _functions(look, look.subject.name)
    if not functions or len(look.expected) != 1:
        return None
    name = (
        look.expected[0].lstrip("*").partition(".")[0]
    )  # `options.depth` is documented as part of `options`
    having = [fact for fact in functions if any(one.name in _names(look, name) for one in fact.parameters)]
    if having:
        return look.holds(f"`{having[0].name}` takes `{name}` ({at(having[0])}).", *having)
    if len(functions) > 1 or any(one.is_variadic for fact in functions for one in fact.parameters):
        return None
    if look.subject.owner and not _is_in(functions[0], look.subject.owner):
        return None
    taken = [one.name for one in functions[0].parameters] or ["nothing"]
    return look.fails(
        f"`{functions[0].name}` takes {listed(taken)} ({at(functions[0])}), not `{name}`.",
        functions[0],
        basis=family(functions[0].path),
    )


def _names(look: Look, name: str) -> tuple[str, ...]:
    """The names that a field may mean: the word after the first one, too, as the first one may be a type without braces."""
    after = look.claim.text.partition(f"{name} ")[2].split()
    return (name, after[0]) if after else (name,)


def check_parameter_default(look: Look) -> Outcome | None:
    """Check the default of a documented parameter."""
    functions = _functions(look, look.subject.owner or look.claim.owner or "")
    facts = [
        Fact(
            FactKind.CONSTANT,
            one.name,
            fact.path,
            fact.line,
            fact.quote,
            value=literal(one.default) or one.default,
            is_literal=literal(one.default) is not None,
        )
        for fact in functions
        for one in fact.parameters
        if one.name == look.subject.name.lstrip("*") and one.default is not None
    ]
    return compare_values(look, facts, "defaults to") if facts and len(look.expected) == 1 else None


def check_value(look: Look) -> Outcome | None:
    """Check the value of a constant, setting or default that is found in the code by name only: all literals of that name count."""
    is_default = look.claim.assertion.kind is AssertionKind.DEFAULT
    if not is_default and look.subject.kind is not EntityKind.CONSTANT:
        return None  # a limit or a size of the subject, which may have its own constant
    if len(look.expected) != 1 or _is_declared(look) or not _names_its_subject(look):
        return None
    plain = _longest_name(look).strip("-")
    for name, how in ((plain, ""), (_last(plain), "part")) if "." in plain else ((plain, ""),):
        if found := _compared(look, name, how):
            return _unless_another_has_it(look, name, found)
    return None


def _unless_another_has_it(look: Look, name: str, found: Outcome) -> Outcome:
    """Leave an alarm open if a line of the code has the name together with the value of the document: several things may have the name."""
    if found.verdict is not CodeVerdict.REFUTED:
        return found
    for path in look.context.names.files_with(name):
        for number, line in enumerate(look.context.text(path).split("\n"), 1):
            if len(line) < _LONGEST_LINE and _has_both(line, name, look.expected[0]):
                fact = Fact(FactKind.CONSTANT, name, path, number, line.strip())
                return look.stays_open(
                    f"{found.reason} But {at(fact)} has `{name}` with {short_line(look.expected[0])}, so several things may have the name.",
                    "Which of them the document means.",
                    fact,
                )
    return found


def _has_both(line: str, name: str, value: str) -> bool:
    wanted = tuple(pieces(name))
    return any(tuple(pieces(word)) == wanted for word in _IDENTIFIER.findall(line)) and any(
        same_value(value, one.strip("\"'")) for one in _LITERAL.findall(line)
    )


def _longest_name(look: Look) -> str:
    """The longest name of an option, after which its field is named; `-p` is too short to search for."""
    is_option = look.subject.kind is EntityKind.FLAG
    facts = look.context.table(FactKind.OPTION).named(look.subject.name) if is_option else ()
    return facts[0].name if facts else look.subject.name


def _names_its_subject(look: Look) -> bool:
    """Whether the text itself names the subject: "`stream` is the default" under a heading may be about a part of it."""
    text = look.claim.text
    is_word = _WORD.fullmatch(look.expected[0]) is not None
    return not is_word or _last(look.subject.name) in text or _LABEL.match(text) is not None


def _compared(look: Look, name: str, how: str) -> Outcome | None:
    wanted = _words(name)
    spelled = look.context.names.files_with
    files = tuple(dict.fromkeys((*spelled(name), *spelled(f"default_{name}"), *spelled(f"{name}_default"))))
    if not wanted or len("".join(wanted)) < _SHORTEST or _is_of_example(look, files):
        return None
    files = _of_owner(look, files) if how else files
    of_name = (fact for fact in look.context.constants(files) if _words(fact.name) == wanted)
    given = [
        fact
        for fact in map(look.context.followed, of_name)
        if fact.value is not None and not _is_passed_on(fact, wanted)
    ]
    if defaults := [fact for fact in given if _is_called_default(fact)]:
        return compare_values(look, defaults, "is", f"{how} named default".strip())
    taken = [fact for fact in look.context.fallbacks(files) if _words(fact.name) == wanted]
    places = {(fact.path, fact.line) for fact in taken}
    given = [fact for fact in given if fact.is_literal or (fact.path, fact.line) not in places]
    if not given and (not taken or is_nothing(look.expected[0])):
        return None  # "not set" is true beside what is then used instead
    return compare_values(look, (*given, *taken), "is", how if given else f"{how} fallback".strip())


def _of_owner(look: Look, files: tuple[str, ...]) -> tuple[str, ...]:
    """Of these files, those in the folder of the class that `Buffer.size` names, if it is one of the project; else all of them."""
    owner = look.context.class_named(_last(look.subject.name.rpartition(".")[0]))
    folder = posixpath.dirname(owner.path) if owner else ""
    return tuple(path for path in files if posixpath.dirname(path) == folder) if owner else files


def _is_called_default(fact: Fact) -> bool:
    """Whether the name of the fact, its owner or its file says "default"; other values of that name are set or passed on."""
    called = (
        fact.name,
        fact.owner,
        posixpath.basename(fact.path).partition(".")[0],
        fact.quote.partition("=")[0],
    )
    return any(piece in _DEFAULTS for text in called for piece in pieces(text))


def _is_of_example(look: Look, files: Iterable[str]) -> bool:
    """Whether the folder of the document has its own code with the name: the README of an example is about the example."""
    folder = posixpath.dirname(look.claim.document)
    return is_not_product_code(f"{folder}/") and any(path.startswith(f"{folder}/") for path in files)


def _is_passed_on(fact: Fact, wanted: tuple[str, ...]) -> bool:
    """Whether the value is something else with the same name: `{limit: options.limit}`."""
    last = _NAMES_AT_END.search(fact.value or "") if not fact.is_literal else None
    return last is not None and _words(last[0]) == wanted


def _is_declared(look: Look) -> bool:
    """Whether it is an option or variable whose declaration has the default; other values of that name don't count."""
    kinds = {EntityKind.FLAG: FactKind.OPTION, EntityKind.ENVIRONMENT: FactKind.ENVIRONMENT}
    kind = kinds.get(look.subject.kind)
    facts = look.context.table(kind).named(look.subject.name) if kind else ()
    return any(fact.is_literal for fact in facts)


def check_neighbour(look: Look) -> Outcome | None:
    """Check a name in a list of names: if the code has nearly all others, but this one in no spelling, it is gone."""
    name = _last(look.subject.name)
    names = look.context.names
    if len(pieces(name)) < 2 or not (look.is_in_document and look.is_listed) or names.spells(name):
        return None
    around = map(_last, look.context.neighbours(look.claim))
    others = [other for other in around if len(pieces(other)) > 1]
    known = sum(1 for other in others if names.spells(other))
    if len(others) < _LEAST_NEIGHBOURS or known < _NEARLY_ALL * len(others):
        return None
    return look.missing(
        f"No code of the project spells `{name}`, though it spells {known} of the {len(others)} names around it.",
        ".",
        f"{name}: not found in the code",
        basis="list",
    )


def _last(name: str) -> str:
    return name.removesuffix("()").rpartition(".")[2]


def _functions(look: Look, owner: str) -> list[Fact]:
    """The functions that an owner may refer to; for a docstring, only the function that it documents."""
    name = _last(owner)
    if look.claim.owner:
        own = look.context.documented(look.claim.document, look.claim.line, look.claim.end_line)
        if own is None or own.name != name or own.kind is not FactKind.FUNCTION:
            return []
        return _overloads(look, own) if own.path.endswith(".ts") else [own]
    return [fact for fact in look.context.symbols(name) if fact.kind is FactKind.FUNCTION] if name else []


def _overloads(look: Look, own: Fact) -> list[Fact]:
    """The declarations of one function in a file of TypeScript: the first one has the comment for all."""
    return [
        fact for fact in look.context.symbols(own.name) if (fact.path, fact.owner) == (own.path, own.owner)
    ]


def _words(name: str) -> tuple[str, ...]:
    return tuple(piece for piece in pieces(name) if piece not in _DEFAULTS)


def _kinds(*kinds: EntityKind) -> frozenset[EntityKind]:
    return frozenset(kinds)


_SETTINGS = "".join(
    f"| `{name}` | what |\n"
    for name in ("red_level", "green_level", "blue_level", "grey_level", "pink_level")
)
_NAMES: Iterable[str] = ("red_level", "green_level", "blue_level", "grey_level", "pink_level")

RULES = (
    Rule(
        name="definition",
        agent=ClaimDomain.CORRECTNESS,
        reads="The members of the project's classes, inherited ones too, and the names of its modules.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=_kinds(EntityKind.FUNCTION, EntityKind.CLASS, EntityKind.SYMBOL, EntityKind.CONSTANT),
        check=check_definition,
        holds=Example("`Client.fetch()` gets a page.", _PACKAGE),
        fails=Example("`Client.download()` gets a page.", _PACKAGE),
    ),
    Rule(
        name="parameter",
        agent=ClaimDomain.CORRECTNESS,
        reads="The signature of the function that a docstring stands in or a document names.",
        asserts=frozenset({AssertionKind.PARAMETER}),
        subjects=_kinds(EntityKind.FUNCTION),
        check=check_parameter,
        holds=Example(
            "Kit.",
            {
                "kit.py": 'def fetch(path):\n    """Get it.\n\n    Args:\n        path: Where it is.\n    """\n'
            },
        ),
        fails=Example(
            "Kit.",
            {
                "kit.py": 'def fetch(path):\n    """Get it.\n\n    Args:\n        place: Where it is.\n    """\n'
            },
        ),
    ),
    Rule(
        name="parameter default",
        agent=ClaimDomain.CORRECTNESS,
        reads="The default that a function's signature gives a parameter.",
        asserts=frozenset({AssertionKind.DEFAULT}),
        subjects=_kinds(EntityKind.PARAMETER),
        check=check_parameter_default,
        holds=Example(
            "Kit.",
            {
                "kit.py": 'def fetch(path, tries=3):\n    """Get it.\n\n    Args:\n        path: Where it is.\n        tries: How often, defaults to 3.\n    """\n'
            },
        ),
        fails=Example(
            "Kit.",
            {
                "kit.py": 'def fetch(path, tries=3):\n    """Get it.\n\n    Args:\n        path: Where it is.\n        tries: How often, defaults to 5.\n    """\n'
            },
        ),
    ),
    Rule(
        name="value",
        agent=ClaimDomain.CONFIGURATION,
        reads="All literals that the code gives a constant, field or setting of that name.",
        asserts=frozenset({AssertionKind.DEFAULT, AssertionKind.EQUALS}),
        subjects=_kinds(
            EntityKind.SETTING,
            EntityKind.CONSTANT,
            EntityKind.SYMBOL,
            EntityKind.FLAG,
            EntityKind.ENVIRONMENT,
        ),
        check=check_value,
        holds=Example(
            "| Setting | Default |\n|---|---|\n| `max_tries` | `3` |", {"kit.py": "MAX_TRIES = 3\n"}
        ),
        fails=Example(
            "| Setting | Default |\n|---|---|\n| `max_tries` | `5` |", {"kit.py": "MAX_TRIES = 3\n"}
        ),
    ),
    Rule(
        name="neighbours",
        agent=ClaimDomain.CORRECTNESS,
        reads="Every name that the code spells, for a name in a list whose other names it has.",
        asserts=frozenset({AssertionKind.EXISTS}),
        subjects=_kinds(
            EntityKind.SETTING, EntityKind.FUNCTION, EntityKind.SYMBOL, EntityKind.CLASS, EntityKind.CONSTANT
        ),
        check=check_neighbour,
        holds=Example(
            f"| Setting | What |\n|---|---|\n{_SETTINGS}",
            {"kit.py": "".join(f"{name} = 1\n" for name in _NAMES)},
        ),
        fails=Example(
            f"| Setting | What |\n|---|---|\n{_SETTINGS}| `cyan_level` | what |\n",
            {"kit.py": "".join(f"{name} = 1\n" for name in _NAMES)},
        ),
    ),
)
