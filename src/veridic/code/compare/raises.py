"""RAISES: a function raises the documented exception.

An exception that no statement in reach raises may still come from anywhere. It is refuted only where the
function raises another one that its document does not mention (it took the place of the documented one), and
raises that in the very case that the document tells of, or where it catches the documented one, or calls nothing that
could raise the documented one.
"""

import builtins
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import replace

from veridic.code.compare.classes import is_a
from veridic.code.compare.looking import FAIRLY_SURE, Look, at, last_part
from veridic.code.compare.raise_sites import RaiseSite, raise_sites, stems_of
from veridic.domain.code import AgentVerdict, Fact, FactKind

_FURTHEST = 4
_MOST_FUNCTIONS = 400
_FEWEST_SHARED = 2
_SHARE_OF_CASE = 0.4
_LARGE_SHARE_OF_CASE = 0.6
"""How many of the words that tell of a case stand around the statement that raises in that case; more of them where
something that the function calls raises the documented exception."""
_HARMLESS = frozenset(
    "len str isinstance issubclass print range list dict set tuple frozenset sorted reversed enumerate zip map filter "
    "min max sum any all abs repr bool type super hasattr id format join append extend add update items keys values "
    "get setdefault strip lstrip rstrip lower upper title startswith endswith split splitlines replace copy "
    "debug info warning error exception log warn cast count isdigit isalpha isalnum isidentifier casefold sort "
    "discard clear round divmod callable object partition rpartition removeprefix removesuffix insert fullmatch match "
    "search finditer findall".split()
)
_BUILT_IN = frozenset(
    name
    for name, value in vars(builtins).items()
    if isinstance(value, type) and issubclass(value, BaseException)
)
_RAISED_ON_PURPOSE = frozenset({"ValueError", "TypeError", "RuntimeError", "NotImplementedError"})
_OF_FILES = frozenset({"OSError", "FileNotFoundError", "FileExistsError", "PermissionError", "ImportError"})
_OF_LOOKING_UP = frozenset({"KeyError", "LookupError", "IndexError"})
_USES_FILES = re.compile(
    r"(?i:open|read|write|load|save|import|stat|dir|path|remove|rename|copy|run|connect|send)"
)
_CONVERTS = re.compile(
    r"^(?:int|float|complex|chr|ord|iter|next|index|remove|eval|exec|open|run|call|send|connect|[A-Z]\w*)$"
    r"|(?i:code|pars|load|read|conver|valid|check|coerc|from|to_|as_|date|resolv|import|pack|compile|make|create|build|execut"
    r"|func|callback|handler)"
)
_RAISED_BY_OPERATORS = frozenset(
    "KeyError IndexError LookupError AttributeError ZeroDivisionError StopIteration".split()
)
_SUBSCRIPT = re.compile(r"[\w)\]]\[|/|\bnext\(")
_HANDS_ON = re.compile(r"\w\((?:[^()]*,)?\s*\*{1,2}\w")
_TRACEBACK = re.compile(r"Traceback \(most recent call last\):.*?(?=\n\s*\n|\Z)", re.DOTALL)
_DECLARED_ONLY = frozenset({"abstractmethod", "overload"})


def compare_raises(look: Look) -> AgentVerdict | None:
    """Whether what the document says is raised is raised."""
    found = [fact for fact in look.callables() if fact.kind is FactKind.FUNCTION]
    if not look.expected or look.claim.assertion.is_negated or look.is_in_passing:
        return None
    if not found:
        return _when_made(look)
    for name in look.expected:
        for fact in found:
            raising = _raising(look, fact, name)
            share = _SHARE_OF_CASE if raising is None else _LARGE_SHARE_OF_CASE
            if raising is not fact and len(found) == 1 and (site := _same_case(look, fact, name, share)):
                return _other_raised(look, fact, name, site)
            if raising is None and len(found) == 1 and (site := _turned_into(look, fact, name)):
                return _other_raised(look, fact, name, site)
            if raising is None:
                return _not_raised(look, fact, name) if len(found) == 1 else None
            if raising is not fact:
                return look.verified(
                    f"`{fact.name}` calls `{raising.name}`, which raises `{last_part(name)}` ({at(raising)}).",
                    fact,
                    raising,
                    confidence=FAIRLY_SURE,
                )
    return look.verified(f"`{found[0].name}` raises {_quoted(look.expected)} ({at(found[0])}).", *found[:3])


def _when_made(look: Look) -> AgentVerdict | None:
    """What a class is said to raise: when an object of it is made, if that is where the case is told apart.

    Else it may be any of its methods that raises it.
    """
    classes = [fact for fact in look.callables() if fact.kind is FactKind.CLASS]
    makers = [
        maker
        for fact in classes
        for maker in look.index.named(f"{fact.qualified}.__init__", FactKind.FUNCTION)
        if maker.path == fact.path
    ]
    if len(classes) != 1 or len(makers) != 1:
        return None
    maker = makers[0]
    for name in look.expected:
        site = _same_case(look, maker, name, _LARGE_SHARE_OF_CASE)
        if site and _raising(look, maker, name) is not maker:
            return _other_raised(look, maker, name, site)
    return None


def _quoted(names: tuple[str, ...]) -> str:
    return ", ".join(f"`{last_part(name)}`" for name in names)


def _raising(look: Look, fact: Fact, name: str) -> Fact | None:
    """The function itself, or one that it calls, that raises the exception or one derived from it."""
    return next(
        (one for one in _reach(look, fact) if any(_is(look, raised, name) for raised in one.raises)), None
    )


def _is(look: Look, raised: str, name: str) -> bool:
    if is_a(look, raised, name) or last_part(name) in raised.split("."):
        return True
    if last_part(raised).endswith(last_part(name)):
        return True  # imported by a longer name
    one, other = (getattr(builtins, last_part(n), None) for n in (raised, name))
    return isinstance(one, type) and isinstance(other, type) and issubclass(one, other)


def _reach(look: Look, fact: Fact) -> Iterator[Fact]:
    """The function and, on a further look, what it may call within the project, the nearest first."""
    waiting, seen = deque([(fact, 0)]), {(fact.path, fact.line)}
    while waiting:
        current, distance = waiting.popleft()
        yield current
        if not look.is_further or distance == _FURTHEST or len(seen) > _MOST_FUNCTIONS:
            continue
        for called in (called for name in current.calls for called in _called(look, current, name)):
            place = (called.path, called.line)
            if place not in seen:
                seen.add(place)
                waiting.append((called, distance + 1))


def _called(look: Look, caller: Fact, name: str) -> tuple[Fact, ...]:
    """Everything in the repository that a called name may be; a class stands for what makes its objects."""
    last = last_part(name)
    functions = look.index.named(last, FactKind.FUNCTION)
    if last == "__init__":  # of a class above, and not of just any
        return tuple(
            one for one in functions if one.owner != caller.owner and is_a(look, caller.owner, one.owner)
        )
    if not look.index.named(last, FactKind.CLASS):
        return functions
    made = (
        *look.index.named(f"{last}.__init__", FactKind.FUNCTION),
        *look.index.named(f"{last}.__post_init__", FactKind.FUNCTION),
    )
    return (*functions, *made)


def _not_raised(look: Look, fact: Fact, name: str) -> AgentVerdict | None:
    instead = _in_its_place(look, fact)
    reach = list(_reach(look, fact))
    is_likely = instead is not None and (
        _is_certain(look, reach, name) or _are_interchangeable(fact, last_part(name), instead)
    )
    if _is_only_declared(fact) or not is_likely or _may_fit_badly(look, fact, name):
        return look.inconclusive(
            f"No statement in `{fact.name}` raises `{last_part(name)}` ({at(fact)}), but what it calls may.",
            fact,
            would_settle=f"A test in which `{fact.name}` raises `{last_part(name)}`.",
        )
    return look.refuted(
        f"`{fact.name}` raises `{instead}` ({at(fact)}), not `{last_part(name)}`.",
        fact,
        value=instead,
        confidence=FAIRLY_SURE,
    )


def _may_fit_badly(look: Look, fact: Fact, name: str) -> bool:
    """Whether the function hands on arguments that it does not know: Python itself raises a TypeError where they don't fit."""
    return last_part(name) == "TypeError" and _HANDS_ON.search(_code_of(look, fact)) is not None


def _are_interchangeable(fact: Fact, documented: str, instead: str) -> bool:
    """Whether a function would raise the one or the other for the same reason.

    In 2,500 documented exceptions of 155 public projects there was none that something else raised while the function
    itself raised another one of these, without a word on it.
    """
    if not {documented, instead} <= _RAISED_ON_PURPOSE | _OF_FILES | _OF_LOOKING_UP:
        return False
    if instead == "NotImplementedError" or documented in _OF_LOOKING_UP:
        return False
    if documented in _OF_FILES:
        return not any(_USES_FILES.search(last_part(call)) for call in fact.calls)
    # Methods of objects that nothing is known of may convert or check, as may what Python has for that.
    unknown = (
        call for call in fact.calls if "." in call or (hasattr(builtins, call) and call not in _BUILT_IN)
    )
    return not any(_CONVERTS.search(last_part(call)) for call in unknown)


def _same_case(look: Look, fact: Fact, name: str, share: float) -> RaiseSite | None:
    """The statement that raises another exception, which the document leaves out, in the case that the document tells of."""
    before, _, behind = re.sub(rf"[\w.~]*\b{re.escape(last_part(name))}\b", "\n", look.claim.text).partition(
        "\n"
    )
    case = stems_of(behind) if len(stems_of(behind)) >= _FEWEST_SHARED else stems_of(before)
    if _is_only_declared(fact) or len(case) < _FEWEST_SHARED:
        return None
    left_out = {
        other
        for other in fact.raises
        if not _is_told(look, fact, last_part(other), in_examples=False)
        and not _is_asked_for(fact, other)
        and _are_apart(look, other, name)
    }
    sites = [site for site in raise_sites(_lines_of(look, fact)) if site.exception in left_out]
    best = max(sites, key=lambda site: len(site.stems & case), default=None)
    shared = len(best.stems & case) if best else 0
    return best if shared >= max(_FEWEST_SHARED, share * len(case)) else None


def _turned_into(look: Look, fact: Fact, name: str) -> RaiseSite | None:
    """The statement that raises another exception, which the document leaves out, where the documented one is caught."""
    sites = [site for site in raise_sites(_lines_of(look, fact)) if last_part(name) in site.caught]
    return next(
        (
            site
            for site in sites
            if not _is_told(look, fact, last_part(site.exception)) and _are_apart(look, site.exception, name)
        ),
        None,
    )


def _are_apart(look: Look, one: str, other: str) -> bool:
    """Whether both are known and neither is a kind of the other."""
    is_known = all(
        last_part(n) in _BUILT_IN or len(look.index.named(last_part(n), FactKind.CLASS)) == 1
        for n in (one, other)
    )
    return is_known and not _is(look, one, other) and not _is(look, other, one)


def _other_raised(look: Look, fact: Fact, name: str, site: RaiseSite) -> AgentVerdict:
    instead = last_part(site.exception)
    return look.refuted(
        f"In that case `{fact.name}` raises `{instead}` ({fact.path}:{fact.line + site.line}), not `{last_part(name)}`.",
        replace(fact, line=fact.line + site.line, quote=_lines_of(look, fact)[site.line].strip()),
        value=instead,
        confidence=FAIRLY_SURE,
    )


def _in_its_place(look: Look, fact: Fact) -> str | None:
    """An exception that the function itself raises and that its document leaves out."""
    raised = {
        last_part(site.exception) for site in raise_sites(_lines_of(look, fact))
    }  # and not just passed on
    left_out = {last_part(name) for name in fact.raises} & raised
    untold = [name for name in left_out if not _is_told(look, fact, name) and not _is_asked_for(fact, name)]
    return untold[0] if len(untold) == 1 and untold[0][:1].isupper() else None


def _is_asked_for(fact: Fact, exception: str) -> bool:
    """Whether Python itself asks that the function raise it, so that no document needs to say so."""
    return fact.name in ("__getattr__", "__getattribute__") and exception == "AttributeError"


def _is_told(look: Look, fact: Fact, exception: str, *, in_examples: bool = True) -> bool:
    """Whether the function's document speaks of the exception; without examples, a traceback that it shows says nothing."""
    file = look.index.files.get(fact.path)
    owners = (fact.qualified, fact.qualified.removesuffix(".__init__"))
    texts = [text.text for text in file.texts if text.owner in owners] if file else []
    told = "\n\n".join([look.claim.text, *texts] if look.claim.owner else [look.claim.text])
    if not in_examples:
        told = _TRACEBACK.sub(" ", told)
    return re.search(rf"\b{re.escape(exception)}\b", told) is not None


def _is_only_declared(fact: Fact) -> bool:
    return bool(_DECLARED_ONLY & set(map(last_part, fact.decorators))) or "NotImplementedError" in fact.raises


def _is_certain(look: Look, reach: list[Fact], name: str) -> bool:
    """Whether nothing in reach could raise it out of sight."""
    if len(reach) > _MOST_FUNCTIONS or any(
        not last_part(raised)[:1].isupper() for f in reach for raised in f.raises
    ):
        return False
    if last_part(name) in _RAISED_BY_OPERATORS and _SUBSCRIPT.search(_code_of(look, reach[0])):
        return False
    is_closed = all(_is_harmless(look, call) for fact in reach for call in fact.calls)
    if last_part(name) in _BUILT_IN:
        return is_closed or (last_part(name) in _RAISED_ON_PURPOSE and not _may_convert(look, reach))
    # Only the project itself raises its own exceptions; another's may bear the same name.
    own = look.index.named(last_part(name), FactKind.CLASS)
    return len(own) == 1 and (is_closed or _is_imported(look, reach[0], own[0]))


def _code_of(look: Look, fact: Fact) -> str:
    """The function without its head; annotations are written with brackets too."""
    return "\n".join(_lines_of(look, fact)).partition(":\n")[2]


def _lines_of(look: Look, fact: Fact) -> list[str]:
    return look.text(fact.path).splitlines()[fact.line - 1 : fact.end_line]


def _may_convert(look: Look, reach: list[Fact]) -> bool:
    """Whether something out of sight reads, checks or converts a value, as `int` does, which fails with such exceptions."""
    calls = (call for fact in reach for call in fact.calls if not _is_harmless(look, call))
    return any(_CONVERTS.search(last_part(call)) for call in calls)


def _is_imported(look: Look, fact: Fact, exception: Fact) -> bool:
    """Whether the function's file has the project's own exception by its name, and not a namesake from elsewhere."""
    if fact.path == exception.path:
        return True
    name, package = re.escape(exception.name), re.escape(exception.qualified.partition(".")[0])
    python = rf"from\s+(?:\.[\w.]*|{package}\b[\w.]*)\s+import\b(?:[^\n(]*|\s*\([^)]*)\b{name}\b"
    javascript = rf"import\b[^;\n]*\b{name}\b[^;\n]*\bfrom\s+[\"']\."
    return re.search(f"{python}|{javascript}", look.text(fact.path)) is not None


def _is_harmless(look: Look, call: str) -> bool:
    """A call that raises nothing of its own, or one of the project's that was followed; not one on an unknown object."""
    last, holder = last_part(call), call.rpartition(".")[0]
    if last in _HARMLESS or last in _BUILT_IN:
        return True
    is_known_holder = holder in ("", "self", "cls") or bool(look.index.named(holder, FactKind.CLASS))
    return is_known_holder and bool(look.index.named(last, FactKind.FUNCTION, FactKind.CLASS))
