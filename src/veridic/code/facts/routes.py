"""How a route is written, whatever the framework."""

import re

_PARAMETER = re.compile(
    r"<(?:[^<>:/]*:)?([^<>/]*)>|(?<=/):(\w+)\??|\{([^{}:/]*)(?::[^{}/]*)?\}|(?<=/)\*(\w+)"
)
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
