"""Applies the rules of readers to the calls of one file."""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from veridic.verify.facts.calls.shape import LONGEST_TEXT, Call, Value
from veridic.verify.facts.model import Fact, FactKind, Gap
from veridic.verify.facts.readers import FrameworkReader, ReaderRule

GUESSED = "The arguments are compared with texts by hand, and nobody knows whether these are all."
GUESSED_WITHOUT_ARGV = (
    "Something is compared with options by hand, and nobody knows whether these are the program's."
)
DEFINED_ELSEWHERE = "Options are made by `{}`, which this file doesn't define."
_ARGUMENTS = re.compile(
    r"\bargv\b|\bos\.Args\b|\benv::args|\bString\s*(?:\[\]|\.\.\.)\s*\w*[aA]rg|\bargs_os\b|\bDeno\.args\b|\bBun\.argv\b"
)
"""How a program accesses its arguments."""
_FLAG = re.compile(r"--?[A-Za-z0-9?@#_][\w.:+-]*")
_PARTS = re.compile(r"[\s,|/]+")
_COMMAND = re.compile(r"[A-Za-z0-9_][\w:.-]*")
_VARIABLE = re.compile(r"[A-Za-z_]\w*")
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])")
_METHODS = frozenset("GET POST PUT PATCH DELETE HEAD OPTIONS TRACE CONNECT ANY".split())
_PATH_PARAMETER = re.compile(r"<(?:[^<>:]*:)?([^<>:]+)>|:(\w+)(?:\([^)]*\))?[?*+]?|\{\*?(\w+)[^{}]*\}")


@dataclass
class FileDeclarations:
    """The facts and gaps that readers find in one file."""

    path: str
    lines: list[str]
    facts: list[Fact] = field(default_factory=list)
    gaps: list[Gap] = field(default_factory=list)
    _commands: list[tuple[Call, str, bool]] = field(default_factory=list)
    _prefixes: dict[str, str] = field(default_factory=dict)
    _guessed: str = GUESSED
    _read: set[tuple[int, str]] = field(default_factory=set)
    """Line and callee of the calls that a rule has read."""

    def apply(self, readers: Iterable[FrameworkReader], calls: list[Call], text: str) -> None:
        self._guessed = GUESSED if _ARGUMENTS.search(text) else GUESSED_WITHOUT_ARGV
        objects = {call.callee: call.value for call in calls if call.shape == "literal" and call.value}
        for call in calls if objects else ():
            call.arguments = tuple(objects.get(value.text) or value for value in call.arguments)
        matched = [
            (rule, call)
            for reader in readers
            for rule in reader.rules
            if not (rule.unless_text and rule.unless_text.search(text))
            for call in calls
            if call.shape in rule.shapes
            and rule.shapes[call.shape].fullmatch(call.callee)
            and _holds(rule, call)
        ]
        order = {"prefix": 0, "command": 1, "program": 1}
        for rule, call in sorted(
            matched, key=lambda each: order.get(each[0].kind, 3 if each[0].kind == "gap" else 2)
        ):
            if rule.each:
                self._apply_each(rule, call)
            else:
                self._apply_one(rule, call)

    def add_gap(self, kind: FactKind, line: int, reason: str) -> None:
        gap = Gap(kind, self.path, line, reason)
        if gap not in self.gaps:
            self.gaps.append(gap)

    def _apply_each(self, rule: ReaderRule, call: Call) -> None:
        table = place(call, rule.each)
        if table is None:
            return
        if table.named is None or "*" in table.named:
            self.add_gap(FactKind(rule.kind), call.line, "Some of these names are computed.")
        for key, value in (table.named or {}).items():
            if key != "*":
                named = value.named or (value.call.named if value.call else {})
                entry = Call(
                    call.shape,
                    call.callee,
                    value.line or call.line,
                    call.span,
                    (value,),
                    named,
                    key,
                    value=value,
                    owner=call.owner,
                )
                self._apply_one(rule, entry)

    def _apply_one(self, rule: ReaderRule, call: Call) -> None:
        if rule.kind == "gap":
            if not (rule.is_unread and (call.line, call.callee) in self._read):
                named = place(call, rule.unless_defined) if rule.unless_defined else None
                name = re.sub(r"<.*|.*(?:::|\.)|[*&\[\]]", "", named.text) if named else ""
                for kind in rule.kinds:
                    self.add_gap(kind, call.line, DEFINED_ELSEWHERE.format(name) if name else rule.reason)
            return
        if rule.kind == "prefix":
            value = first(call, rule.name)
            if value is not None and value.literal is not None:
                self._prefixes.setdefault(call.owner if rule.is_for_owner else call.target, value.literal)
            return
        made = {
            "option": self._options,
            "command": self._commands_of,
            "program": self._commands_of,
            "environment": self._environment,
            "route": self._routes,
        }
        found = list(made[rule.kind](rule, call))
        if found or not rule.guesses:
            self._read.add((call.line, call.callee))
        for fact in found:
            self.facts.append(fact)
            if rule.guesses:
                self.add_gap(fact.kind, fact.line, self._guessed)

    def _fact(self, kind: FactKind, name: str, call: Call, rule: ReaderRule) -> Fact:
        value, is_literal = _default(call, rule)
        helped = first(call, rule.help)
        return Fact(
            kind,
            name,
            self.path,
            call.line,
            self.lines[call.line - 1].strip()[:LONGEST_TEXT] if call.line <= len(self.lines) else "",
            owner=self._owner(kind, call) if kind in (FactKind.OPTION, FactKind.COMMAND) else "",
            value=value,
            is_literal=is_literal,
            help=" ".join((helped.literal or "").split())[:LONGEST_TEXT] if helped else "",
        )

    def _options(self, rule: ReaderRule, call: Call) -> Iterator[Fact]:
        names, is_computed = list(rule.constant), False
        for spec in () if names else rule.flags:
            texts, computed = _texts(place(call, spec))
            is_computed |= computed
            names += [
                part.partition("=")[0]
                for text in texts
                for part in _PARTS.split(text)
                if part.startswith("-")
            ]
        long = first(call, rule.long) if not names else None
        if long is not None:
            texts, computed = _texts(long) if not long.is_bare else ([call.target], False)
            is_computed |= computed
            names += [flag for text in texts for flag in _flags_from(text, rule)]
        short = first(call, rule.short)
        if short is not None:
            texts, computed = _texts(short) if not short.is_bare else ([call.target[:1]], False)
            is_computed |= computed
            names += [
                text if text.startswith("-") else f"{'-' if len(text) == 1 else rule.dash}{text}"
                for text in texts
                if text
            ]
        if names and rule.aliases:
            for spec in rule.aliases:
                texts, _ = _texts(place(call, spec))
                names += [
                    text if text.startswith("-") else f"{'-' if len(text) == 1 else rule.dash}{text}"
                    for text in texts
                    if text
                ]
        if is_computed and not rule.guesses:
            self.add_gap(FactKind.OPTION, call.line, "The name of an option is computed.")
        names = list(dict.fromkeys(name for name in names if _FLAG.fullmatch(name)))
        if not names:
            return
        if rule.negated and all(matches(call, spec, pattern) for spec, pattern in rule.negated.items()):
            names += [
                f"--no-{name[2:]}" for name in names if name.startswith("--") and not name.startswith("--no-")
            ]
        fact = self._fact(FactKind.OPTION, _leading(names, rule), call, rule)
        texts, computed = _texts(first(call, rule.choices))
        yield replace(
            fact,
            aliases=tuple(names),
            members=tuple(texts),
            members_are_complete=bool(texts) and not computed,
        )
        yield from self._variables(rule.env, call, fact)

    def _variables(self, specs: tuple[str, ...], call: Call, option: Fact) -> Iterator[Fact]:
        value = first(call, specs)
        if value is None:
            return
        texts, computed = (
            _texts(value) if not value.is_bare else ([re.sub(r"\W", "_", call.target).upper()], False)
        )
        if computed:
            self.add_gap(FactKind.ENVIRONMENT, call.line, "The name of a variable is computed.")
        for text in texts:
            for name in re.split(r"[\s,]+", text):
                if _VARIABLE.fullmatch(name):
                    yield replace(option, kind=FactKind.ENVIRONMENT, name=name, owner="", aliases=())

    def _commands_of(self, rule: ReaderRule, call: Call) -> Iterator[Fact]:
        kind = FactKind(rule.kind)
        value = first(call, rule.name)
        if rule.constant:
            texts, computed = list(rule.constant), False
        elif value is not None and value.is_bare:
            texts, computed = [call.target], False
        else:
            texts, computed = _texts(value)
        if computed:
            self.add_gap(kind, call.line, "The name of a command is computed.")
        names = [text.split()[0] for text in texts if text.split()]
        if value is not None and (value.is_bare or value.text == call.target):
            names = [_styled(name, rule.style) for name in names]
        names = [name for name in names if _COMMAND.fullmatch(name)]
        if not names:
            return
        aliases = [text for spec in rule.aliases for text in _texts(place(call, spec))[0]]
        fact = replace(
            self._fact(kind, names[0], call, rule),
            aliases=tuple(dict.fromkeys((*names, *aliases))) if aliases or len(names) > 1 else (),
        )
        if kind is FactKind.COMMAND and not rule.constant:
            self._commands.append((call, names[0], rule.holds_chain))
        yield fact

    def _environment(self, rule: ReaderRule, call: Call) -> Iterator[Fact]:
        value = first(call, rule.name)
        texts, computed = _texts(value) if value is None or not value.is_bare else ([call.target], False)
        if computed:
            self.add_gap(FactKind.ENVIRONMENT, call.line, "The name of a variable is computed.")
        for text in texts:
            name = f"{self._prefixes.get(call.owner, '')}{text}" if rule.style == "upper" else text
            name = name.upper() if rule.style == "upper" else name
            if _VARIABLE.fullmatch(name):
                yield self._fact(FactKind.ENVIRONMENT, name, call, rule)

    def _routes(self, rule: ReaderRule, call: Call) -> Iterator[Fact]:
        value = first(call, rule.name)
        texts, computed = _texts(value)
        if value is None and rule.method == ("@callee",) and call.shape == "annotation":
            texts = [""]
        if computed:
            self.add_gap(FactKind.ROUTE, call.line, "The path of a route is computed.")
        for text in texts:
            method, _, path = text.partition(" ") if text.partition(" ")[0] in _METHODS else ("", "", text)
            path = (
                self._prefixes.get(call.owner or call.root, self._prefixes.get(call.root, "")).rstrip("/")
                + path
                if path[:1] in ("/", "")
                else path
            )
            if rule.starts and not path.startswith(rule.starts):
                continue
            path = _PATH_PARAMETER.sub(
                lambda found: f"{{{next(filter(None, found.groups()))}}}",
                path if path.startswith("/") else f"/{path}",
            )
            for verb in [method] if method else _methods(call, rule):
                fact = self._fact(FactKind.ROUTE, f"{verb} {path}", call, rule)
                yield replace(fact, aliases=(fact.name, path))

    def _owner(self, kind: FactKind, call: Call) -> str:
        """The command that an option or subcommand belongs to, as far as this file shows it."""
        around = [each for each in self._commands if each[0] is not call or kind is FactKind.OPTION]
        for made, name, _ in around:
            if made is call:
                return name
            if (
                made.shape == "annotation"
                and call.shape in ("annotation", "parameter")
                and made.target
                and made.target in (call.target, call.owner)
            ):
                return name
            if made.shape == "variant" and call.owner and call.owner in (made.target, made.target_type):
                return name
        held = [
            (made.span[0], made.line, name)
            for made, name, holds_chain in around
            if _is_around(made, call, holds_chain)
        ]
        if held:
            return max(held)[2]
        bound = [
            (made.line, name)
            for made, name, _ in around
            if made.target and made.target == call.root and made.owner == call.owner
        ]
        before = [each for each in bound if each[0] <= call.line]
        if before:
            return max(before)[1]
        names = {name for made, name, _ in around if made.target and made.target == call.root}
        return names.pop() if len(names) == 1 else ""


def _is_around(made: Call, call: Call, holds_chain: bool) -> bool:
    """Whether `call` is in the arguments of `made` or of its chain; with `holds_chain`, also if it is later in the chain."""
    if made.shape not in ("call", "literal") or made.span[1] < call.span[1]:
        return False
    return made.span[0] < call.span[0] or (
        holds_chain and made.span[0] == call.span[0] and made.own_end < call.own_end
    )


def place(call: Call, spec: str) -> Value | None:
    """Return the value at a place of a call; None if there is none."""
    if spec.startswith("@"):
        return _attribute(call, spec[1:])
    if spec.startswith("."):
        name, _, rest = spec[1:].partition(".")
        links = [each for each in call.chain if each.callee == name]
        if not links:
            return None
        values = [each.arguments[0] if each.arguments else Value(name, is_bare=True) for each in links]
        found: Value | None = values[0] if len(values) == 1 else Value(items=tuple(values))
    else:
        step, _, rest = spec.partition(".") if not spec.endswith("..") else (spec, "", "")
        found = _step(call.arguments, call.named, step)
    while rest and found is not None:
        step, _, rest = rest.partition(".")
        inner = found.call
        found = _step(
            found.items or (inner.arguments if inner else ()),
            found.named or (inner.named if inner else {}),
            step,
        )
    return found


def first(call: Call, specs: Iterable[str]) -> Value | None:
    """Return the value at the first of these places that has one."""
    return next((value for spec in specs if (value := place(call, spec)) is not None), None)


def matches(call: Call, spec: str, pattern: re.Pattern[str]) -> bool:
    value = place(call, spec)
    return value is not None and pattern.search(value.text) is not None


def _step(items: tuple[Value, ...], named: dict[str, Value], step: str) -> Value | None:
    if step.endswith(".."):
        rest = items[int(step[:-2]) :]
        return Value(items=rest) if rest else None
    if step.lstrip("-").isdigit():
        index = int(step)
        return items[index] if -len(items) <= index < len(items) else named.get(step)
    return named.get(step)


def _attribute(call: Call, name: str) -> Value | None:
    if name == "value":
        return call.value
    text = {
        "target": call.target,
        "type": call.target_type,
        "comment": call.comment,
        "owner": call.owner,
        "marks": call.owner_marks,
        "callee": call.callee.rpartition(".")[2],
        "receiver": call.callee.rpartition(".")[0],
    }[name]
    return Value(text, text, True) if text else None


def _holds(rule: ReaderRule, call: Call) -> bool:
    if rule.arity is not None and len(call.arguments) != rule.arity:
        return False
    if not all(matches(call, spec, pattern) for spec, pattern in rule.when.items()):
        return False
    return not any(matches(call, spec, pattern) for spec, pattern in rule.unless.items())


def _texts(value: Value | None) -> tuple[list[str], bool]:
    """The string literals of a value or of its items, and whether any of them is computed."""
    if value is None:
        return [], False
    if value.items is not None:
        inner = [_texts(item) for item in value.items]
        return [text for texts, _ in inner for text in texts], any(computed for _, computed in inner)
    if value.literal is not None:
        return [value.literal], False
    return [], not value.is_bare


def _default(call: Call, rule: ReaderRule) -> tuple[str | None, bool]:
    value = first(call, rule.default)
    if value is None or value.is_bare or value.text in ("", "None", "null", "undefined", "nil", "..."):
        return None, False
    if value.literal is not None:
        return value.literal, True
    if value.items is not None and len(value.items) == 1 and value.items[0].literal is not None:
        return value.items[0].literal, True
    return value.text, False


def _leading(names: list[str], rule: ReaderRule) -> str:
    """The name to show for an option: the longest, with one dash if the framework's help shows one dash."""
    preferred = "-" if rule.dash == "-" else "--"
    return max(
        names,
        key=lambda name: (
            name.startswith("--") == (preferred == "--"),
            not name.startswith("--no-"),
            len(name),
        ),
    )


def _flags_from(text: str, rule: ReaderRule) -> list[str]:
    if text.startswith("-"):
        return [text]
    name = _styled(text, rule.style) if rule.style in ("kebab", "both") else text
    if rule.dash == "-":
        return [f"-{text}", f"--{text}"]
    if len(text) == 1 and rule.letters_are_short:
        return [f"-{text}"]
    return [f"--{name}", f"--{text}"] if rule.style == "both" else [f"--{name}"]


def _styled(name: str, style: str) -> str:
    return name if style == "same" else _HUMP.sub("-", name).replace("_", "-").strip("-").lower()


def _methods(call: Call, rule: ReaderRule) -> list[str]:
    found: list[str] = []
    for spec in rule.method:
        value = place(call, spec)
        if value is None:
            continue
        texts, _ = _texts(value)
        sources = texts or [value.call.callee if value.call else value.text]
        found += [word.upper() for source in sources for word in re.findall(r"[A-Za-z]+", source)]
        if spec == "@callee":
            found += [word.upper() for word in re.split(r"(?=[A-Z])|_", value.text) if word]
    known = list(dict.fromkeys(word for word in found if word in _METHODS))
    return known or ["ANY"]
