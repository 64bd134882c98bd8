"""Functions, classes and constants that a document names."""

import re
from posixpath import dirname, join

from veridic.code.compare.classes import inheritance
from veridic.code.compare.looking import (
    CODE_KINDS,
    FAIRLY_SURE,
    Look,
    at,
    closest,
    found,
    is_beside_the_project,
    last_part,
)
from veridic.code.compare.modules import may_have, modules_named
from veridic.domain.code import (
    AgentVerdict,
    CodeEvidence,
    CodeVerdict,
    Entity,
    EvidenceTier,
    Fact,
    FactKind,
    FileFacts,
)
from veridic.domain.evidence import Stance

_SUFFIXES = frozenset(
    "conf cfg ini log toml yaml yml json txt sock pid service db lock pl rb js ts go rs sh exe html css xml".split()
)
"""`harbour.conf` is a file."""
_PACKAGE = re.compile(r"(?:src/)?\w+/__init__\.py")


def compare_symbol(look: Look, subject: Entity) -> AgentVerdict | None:
    """Whether the name is defined; one that is not is refuted only as part of a class or module of the project."""
    name = f"{subject.owner}.{subject.name}" if subject.owner and "." not in subject.name else subject.name
    name = name.partition("(")[0]
    facts = look.index.named(name, *CODE_KINDS)
    if facts:
        return found(look, *(look.of_the_project(facts) or facts))
    owner, _, member = name.rpartition(".")
    if not owner or not re.fullmatch(r"\w+", member):
        return None
    classes = look.of_the_project(look.index.named(owner, FactKind.CLASS, FactKind.ENUM))
    if classes:
        is_one_thing = not look.of_the_project(look.index.named(owner, FactKind.CONSTANT, FactKind.FUNCTION))
        return _member(look, classes, member) if is_one_thing else None
    return _module_member(look, owner, member)


def _member(look: Look, classes: tuple[Fact, ...], member: str) -> AgentVerdict | None:
    holders = [(fact, inheritance(look, fact)) for fact in classes]
    having = [fact for fact, has in holders if member in has.names]
    if having:
        return found(look, *having)
    fact = classes[0]
    # Nothing can inherit from an enumeration that has members, nor add one.
    is_closed = fact.kind is FactKind.ENUM and bool(fact.members) and member.isupper()
    is_open = any(has.is_open for _, has in holders) and not is_closed
    if is_open or len(classes) > 1 or member.startswith("__"):
        return None
    if fact.kind is FactKind.ENUM and member in ("name", "value"):
        return None
    if not fact.path.endswith((".py", ".ts", ".java")) or (
        fact.path.endswith(".ts") and member[:1].isupper()
    ):
        return None
    if fact.name.islower() or _is_of_an_object(look, member):
        return None  # `run.echo` may be said of a variable, or of a key in a configuration.
    close = closest(member, set(holders[0][1].names))
    hint = f"; `{close}` is the closest" if close else ""
    return look.refuted(
        f"`{fact.name}` has no `{member}`{hint} ({at(fact)}).",
        fact,
        value=f"{fact.name}.{close}" if close else None,
    )


def _is_of_an_object(look: Look, member: str, *, of_any_class: bool = False) -> bool:
    """Whether it is set at run time, or is an attribute of some class: `app.run` may be said of a variable."""
    set_later = rf"(?<![\w.\"']){member}=(?!=)|\b(?:set|has|get)attr\([^\n]*[\"']{member}[\"']"
    in_classes = rf"|\b(?:self|cls)\.{member}\b|\bdef {member}\(" if of_any_class else ""
    return look.occurs_in_code(re.compile(set_later + in_classes), member)


def _may_be_a_variable(look: Look, module: str) -> bool:
    """Whether something else goes by the name of the package: a parameter, or what an example is made with."""
    name = re.escape(module.partition(".")[0])
    given = re.compile(
        rf"(?<![\w.]){name}\s*(?::[^=\n]{{0,80}})?=(?!=|\s*[\"'])|\b(?:as|for) {name}\b|\bdef \w+\([^)]*\b{name}\b"
    )
    return bool(given.search(look.text(look.claim.document))) or look.occurs_in_code(
        given, module.partition(".")[0]
    )


def _module_member(look: Look, module: str, member: str) -> AgentVerdict | None:
    """A name in one of the project's own Python modules; re-exports count, and so do submodules."""
    if member in _SUFFIXES:
        return None
    files = modules_named(look, module)
    if len(files) != 1:
        return None
    file = files[0]
    if "." not in module and not file.path.endswith("__init__.py") and not _is_whole_project(look, file):
        return None
    is_package = file.path.endswith("/__init__.py")
    has_submodule = is_package and look.index.repository.exists(join(dirname(file.path), member))
    has_module = is_package and look.index.repository.exists(join(dirname(file.path), f"{member}.py"))
    if (
        has_submodule
        or has_module
        or may_have(look, file, member)
        or (
            member[:1].islower()
            and _may_be_a_variable(look, module)
            and _is_of_an_object(look, member, of_any_class=True)
        )
        or ("." not in module and look.occurs_in_code(re.compile(rf"[\"']{member}[\"']"), member))
        or look.occurs_in_code(re.compile(rf"[\"'{{}}]?\b{re.escape(module)}\.{member}[\"'\s]"), member)
    ):
        return None
    evidence = CodeEvidence(
        tier=EvidenceTier.CODE, stance=Stance.CONTRADICTING, path=file.path, line=1,
        quote=look.text(file.path).splitlines()[0][:200], digest=file.digest,
    )  # fmt: skip
    return look.verdict(
        CodeVerdict.REFUTED, f"{module} has no `{last_part(member)}` ({file.path}).", [evidence], FAIRLY_SURE
    )


def _is_whole_project(look: Look, file: FileFacts) -> bool:
    """Whether the project is this one module: it stands at the top, and there is no package beside it."""
    folder = dirname(file.path)
    if folder not in ("", "src"):
        return False
    packages = (path for path in look.index.files if _PACKAGE.fullmatch(path))
    return all(is_beside_the_project(path) for path in packages)
