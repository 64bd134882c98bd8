"""Endpoints that a document names."""

from difflib import SequenceMatcher

from veridic.code.compare.looking import FAIRLY_SURE, Look, at, found
from veridic.domain.code import AgentVerdict, Entity, FactKind

_ALIKE = 0.7


def compare_endpoint(look: Look, subject: Entity) -> AgentVerdict | None:
    """Whether the route is there, be it below a prefix; refuted where its path takes other methods, or is nearly another."""
    facts = look.named(subject.name, FactKind.ROUTE)
    if facts:
        return found(look, *facts)
    method, _, path = subject.name.partition(" ")
    segments = _segments(path)
    routes = [
        (fact, fact.name.partition(" ")[0], _segments(fact.name.partition(" ")[2]))
        for fact in look.of_the_project(look.index.of_kind(FactKind.ROUTE))
    ]
    below_a_prefix = [
        fact for fact, verb, route in routes if verb == method and route and segments[-len(route) :] == route
    ]
    if below_a_prefix:
        return found(look, *below_a_prefix)
    others = [
        fact for fact, verb, route in routes if route == segments and verb not in (method, "ANY", "ALL", "*")
    ]
    if others and all(
        verb not in (method, "ANY", "ALL", "*", "") for _, verb, route in routes if route == segments
    ):
        methods = ", ".join(sorted({fact.name.partition(" ")[0] for fact in others}))
        value = others[0].name if len(others) == 1 else None
        return look.refuted(
            f"{path} takes {methods} ({at(others[0])}), not {method}.", *others[:3], value=value
        )
    near = [fact for fact, verb, route in routes if verb == method and _differ_in_one(route, segments)]
    if len(near) != 1:
        return None
    return look.refuted(
        f"There is no {subject.name}; {near[0].name} is ({at(near[0])}).",
        near[0],
        value=near[0].name,
        confidence=FAIRLY_SURE,
    )


def _segments(path: str) -> list[str]:
    return ["{}" if part[:1] in "{<:*" else part for part in path.strip("/").split("/") if part]


def _differ_in_one(route: list[str], segments: list[str]) -> bool:
    differing = [(one, other) for one, other in zip(route, segments, strict=False) if one != other]
    if len(route) != len(segments) or len(differing) != 1:
        return False
    return "{}" not in differing[0] and SequenceMatcher(None, *differing[0]).ratio() >= _ALIKE
