"""The names that a Python module of the project has, as far as its text shows."""

import re
from posixpath import dirname, join

from veridic.code.compare.looking import Look
from veridic.domain.code import FileFacts

_EVERYTHING_FROM = re.compile(
    r"^[ \t]*from[ \t]+(?P<dots>\.*)(?P<module>[\w.]*)[ \t]+import[ \t]*\(?[ \t]*\*", re.MULTILINE
)
_HAS_UNSEEN_NAMES = re.compile(
    r"\b(?:globals|vars)\(\)(?:\[|\.update)|sys\.modules\[|^def __getattr__\((?s:.){0,600}?(?:\bgetattr\(|import_module\(|\w\[\w+\])",
    re.MULTILINE,
)
"""A module that has names which do not stand in it; a `__getattr__` that looks them up elsewhere, and not one that lists them."""
_DEEPEST = 4


def modules_named(look: Look, module: str) -> list[FileFacts]:
    """The project's own files that a dotted name may mean."""
    path = module.replace(".", "/")
    whole = [look.index.files.get(f"{source}{path}/__init__.py") for source in ("", "src/")]
    if any(whole):  # `limits` is the package, and not its module `limits.limits`
        return [file for file in whole if file]
    return [
        file
        for name, file in look.index.files.items()
        if name.endswith(".py") and f"/{name}".endswith((f"/{path}.py", f"/{path}/__init__.py"))
    ]


def may_have(look: Look, file: FileFacts, name: str, depth: int = 0) -> bool:
    """Whether the module has the name, or may have it in some way that its text does not show."""
    text = look.text(file.path)
    if not text or _HAS_UNSEEN_NAMES.search(text):
        return True
    if name in file.identifiers and _bound(name).search(text):
        return True
    for everything in _EVERYTHING_FROM.finditer(text):
        source = _source(look, file.path, len(everything["dots"]), everything["module"])
        if source is None or depth == _DEEPEST or may_have(look, source, name, depth + 1):
            return True
    return False


def _bound(name: str) -> re.Pattern[str]:
    """Ways in which a module comes to have a name; a word of its docstring or a comment is none."""
    return re.compile(
        rf"\b(?:def|class|import|as|global|for|with)\b[^\n]*\b{name}\b|\b{name}\b[\w ,]*(?::[^=\n]*)?=|[\"']{name}[\"']"
        rf"|^[\w ,]{{0,200}}\b{name}\b[\w ,]*\)?[ \t]*(?:\\|#.*)?$",
        re.MULTILINE,
    )


def _source(look: Look, path: str, dots: int, module: str) -> FileFacts | None:
    """The file that a module takes everything from; None where that is not of the project."""
    if not dots:
        named = modules_named(look, module)
        return named[0] if len(named) == 1 else None
    folder = dirname(path)
    for _ in range(dots - 1):
        folder = dirname(folder)
    place = join(folder, module.replace(".", "/")) if module else folder
    return look.index.files.get(f"{place}.py") or look.index.files.get(f"{place}/__init__.py")
