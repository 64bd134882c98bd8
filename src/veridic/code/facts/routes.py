"""How a route is written, whatever the framework."""

import re

_PARAMETER = re.compile(
    r"<(?:[^<>:/]*:)?([^<>/]*)>|(?<=/):(\w+)\??|\{([^{}:/]*)(?::[^{}/]*)?\}|(?<=/)\*(\w+)"
)
_NAMED = re.compile(r"\{[^{}]*\}")
METHODS = frozenset({"get", "post", "put", "delete", "patch", "head", "options"})


def route_name(method: str, prefix: str, path: str) -> str:
    """`GET /users/{id}` for `:id`, `<int:id>`, `{id:int}` and `*id` alike; `ANY` where the method is open."""
    whole = "/" + "/".join(part for part in f"{prefix}/{path}".split("/") if part)
    if path.endswith("/") and whole != "/":
        whole += "/"
    name = _PARAMETER.sub(
        lambda found: "{" + next((group for group in found.groups() if group), "") + "}", whole
    )
    return f"{method.upper()} {name}"


def route_parts(name: str) -> tuple[str, str]:
    """Method (empty where none is named) and path, with parameters nameless and without a closing slash."""
    method, separator, path = name.partition(" ")
    if not separator:
        method, path = "", name
    whole = route_name("", "", path).strip().rstrip("/") or "/"
    return method.upper(), _NAMED.sub("{}", whole)


def route_keys(name: str) -> tuple[str, ...]:
    """What a route is found by: with its method, with any, and by its path alone."""
    method, path = route_parts(name)
    if not method:
        return (path,)
    return (f"{method} {path}", f"ANY {path}")
