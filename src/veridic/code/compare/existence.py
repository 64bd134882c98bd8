"""EXISTS: what a document names is there.

A name that is not found is refuted only where the document clearly means the project's own: a path below a folder
that the repository has, a member of a class that it defines, a flag of its command, a variable with its prefix.
"""

from collections.abc import Callable

from veridic.code.compare.commands import compare_command, compare_environment, compare_flag
from veridic.code.compare.looking import Look, found
from veridic.code.compare.paths import compare_path
from veridic.code.compare.routes import compare_endpoint
from veridic.code.compare.symbols import compare_symbol
from veridic.domain.code import AgentVerdict, Entity, EntityKind, FactKind


def compare_existence(look: Look) -> AgentVerdict | None:
    """Whether what is named exists; None where nothing tells that the project should have it."""
    subject = look.subject
    if subject is None or look.claim.assertion.is_negated:
        return None
    compare = _COMPARISONS.get(subject.kind)
    return compare(look, subject) if compare else None


def _package(look: Look, subject: Entity) -> AgentVerdict | None:
    facts = look.named(subject.name, FactKind.DEPENDENCY, FactKind.RUNTIME)
    return found(look, *facts) if facts else None


def _setting(look: Look, subject: Entity) -> AgentVerdict | None:
    facts = look.named(subject.name, FactKind.SETTING, FactKind.CONSTANT)
    return found(look, *facts) if facts else None


_COMPARISONS: dict[EntityKind, Callable[[Look, Entity], AgentVerdict | None]] = {
    EntityKind.PATH: compare_path,
    EntityKind.FLAG: compare_flag,
    EntityKind.COMMAND: compare_command,
    EntityKind.ENVIRONMENT: compare_environment,
    EntityKind.ENDPOINT: compare_endpoint,
    EntityKind.FUNCTION: compare_symbol,
    EntityKind.CLASS: compare_symbol,
    EntityKind.SYMBOL: compare_symbol,
    EntityKind.CONSTANT: compare_symbol,
    EntityKind.PACKAGE: _package,
    EntityKind.SETTING: _setting,
}
