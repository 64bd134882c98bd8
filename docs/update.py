"""`make docs`: writes into the pages what their sessions print now, and the parts taken from the program.

A part stands between `<!-- from the program: NAME -->` and `<!-- end -->`; `docs/parts.py` has the names.
A test fails where a page and the program differ.
"""

import re
import sys
import tempfile
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from docs.parts import PARTS
from docs.sessions import ROOT, Workspace, find_sessions, refreshed

_PART = re.compile(r"(<!-- from the program: ([\w-]+) -->\n)(.*?)(<!-- end -->)", re.DOTALL)


def pages() -> list[Path]:
    """Every page a reader may be shown."""
    top = [ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")]
    return [*top, *sorted((ROOT / "docs").rglob("*.md"))]


def with_parts(page: str) -> str:
    """The page with its parts from the program written again."""
    return _PART.sub(lambda part: f"{part[1]}{PARTS[part[2]]()}\n{part[4]}", page)


def with_sessions(page: str, workspace: Workspace) -> str:
    """The page with its sessions as they go now."""
    lines = page.splitlines()
    went = [(session, workspace.run(session)) for session in find_sessions(page)]
    for session, outputs in reversed(went):
        fresh: list[str] = []
        for exchange, output in zip(session.exchanges, outputs, strict=True):
            fresh += [*exchange.typed, *refreshed(exchange.shown, output)]
        lines[session.start : session.end] = fresh
    return "\n".join(lines) + "\n"


def main(wanted: list[str]) -> None:
    """Refresh the pages whose paths contain one of `wanted`, or all."""
    from veridic.config.settings import Settings
    from veridic.engine.open_evidence import open_reference

    with tempfile.TemporaryDirectory() as folder:
        reference_home = Path(folder, "reference")
        open_reference(Settings(home=reference_home))
        for number, path in enumerate(pages()):
            name = path.relative_to(ROOT).as_posix()
            if wanted and not any(part in name for part in wanted):
                continue
            before = path.read_text(encoding="utf-8")
            workspace = Workspace(Path(folder, str(number)), reference_home)
            after = with_sessions(with_parts(before), workspace)
            if after != before:
                path.write_text(after, encoding="utf-8")
                sys.stdout.write(f"{name}\n")


if __name__ == "__main__":
    main(sys.argv[1:])
