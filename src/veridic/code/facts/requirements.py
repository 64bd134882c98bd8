"""Lines that name a dependency or a console script."""

import re

from veridic.code.facts.collected import Collected
from veridic.domain.code import FactKind

_LONGEST_REQUIREMENT = 500
_REQUIREMENT = re.compile(r"\s*([A-Za-z0-9][\w.-]*)\s*(?:\[[^\]]*\])?\s*\(?([^;@#)]*)\)?\s*(?:;.*|@.*|#.*)?$")


def add_requirement(text: str, line: int, collected: Collected, owner: str = "") -> None:
    """`httpx[http2] >=0.27 ; python_version < "3.13"`: name and constraint; `owner` is the extra or group."""
    if found := _REQUIREMENT.match(text[:_LONGEST_REQUIREMENT]):
        name = found[1]
        constraint = "".join(found[2].split())
        collected.add(
            FactKind.DEPENDENCY, name, line, owner=owner, value=constraint or None, aliases=_spellings(name)
        )


def add_script_line(text: str, line: int, collected: Collected) -> None:
    """`app = package.module:main`."""
    name, separator, target = text.partition("=")
    if separator and name.strip():
        collected.add(FactKind.SCRIPT, name.strip(), line, value=target.strip())
        collected.add(FactKind.COMMAND, name.strip(), line, value=target.strip())


def _spellings(name: str) -> tuple[str, ...]:
    """A package's names as PyPI takes them for the same."""
    return tuple(
        dict.fromkeys([name, re.sub(r"[-_.]+", "-", name).lower(), re.sub(r"[-_.]+", "_", name).lower()])
    )
