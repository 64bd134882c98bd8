"""The statements of a Python function or branch, and what a function's own statements return and raise.

Statements are told apart by their class alone where that is enough: there are hundreds of thousands, most of them
tell nothing, and asking what each is an instance of takes longer than all else that is done with them.
"""

import ast

from veridic.code.facts.literals import dotted
from veridic.code.facts.source import LONGEST_VALUE, UNKNOWN_VALUE, Source

DEFINITIONS = frozenset({ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef})
ASSIGNMENTS = frozenset({ast.Assign, ast.AnnAssign, ast.AugAssign})
BRANCHING = frozenset(
    {ast.If, ast.For, ast.AsyncFor, ast.While, ast.With, ast.AsyncWith, ast.Try, ast.TryStar, ast.Match}
)
_MOST_RETURNS = 40
_MAY_YIELD = frozenset({ast.Yield, ast.YieldFrom, ast.Await})


class Body:
    """What a function's own statements return and raise; those of functions inside it are not its own."""

    def __init__(self, node: ast.FunctionDef | ast.AsyncFunctionDef, source: Source) -> None:
        self._source = source
        self._returns: dict[str, None] = {}
        self._raises: dict[str, None] = {}
        waiting: list[tuple[list[ast.stmt], ast.expr | None]] = [(node.body, None)]
        while waiting:
            statements, caught = waiting.pop()
            for statement in statements:
                kind = statement.__class__
                if kind in BRANCHING:
                    waiting += _with_caught(statement, caught)
                else:
                    self._read(statement, caught)
        kept = [text if len(text) <= LONGEST_VALUE else UNKNOWN_VALUE for text in self._returns]
        self.returns = tuple(dict.fromkeys(kept))[:_MOST_RETURNS]
        self.raises = tuple(self._raises)

    def _read(self, statement: ast.stmt, caught: ast.expr | None) -> None:
        match statement:
            case ast.Expr() | ast.Assign():
                if statement.value.__class__ in _MAY_YIELD:
                    self._returns.update(dict.fromkeys(self._yielded(statement.value)))
            case ast.Return():
                self._returns[self._source.of(statement.value) if statement.value else "None"] = None
            case ast.Raise():
                self._raises.update(dict.fromkeys(_raised(statement, caught, self._source)))

    def _yielded(self, value: ast.expr) -> list[str]:
        value = value.value if isinstance(value, ast.Await) else value
        if isinstance(value, ast.Yield | ast.YieldFrom):
            return [self._source.of(value.value) if value.value else "None"]
        return []


def blocks(statement: ast.stmt) -> list[list[ast.stmt]]:
    """The statements inside a branching statement, in all of its branches."""
    match statement:
        case ast.If() | ast.For() | ast.AsyncFor() | ast.While():
            return [statement.body, statement.orelse]
        case ast.With() | ast.AsyncWith():
            return [statement.body]
        case ast.Try() | ast.TryStar():
            handlers = [handler.body for handler in statement.handlers]
            return [statement.body, *handlers, statement.orelse, statement.finalbody]
        case ast.Match():
            return [case.body for case in statement.cases]
    return []


def _with_caught(
    statement: ast.stmt, caught: ast.expr | None
) -> list[tuple[list[ast.stmt], ast.expr | None]]:
    """The statement's blocks, each with the exceptions that a bare `raise` in it would raise again."""
    if not isinstance(statement, ast.Try | ast.TryStar):
        return [(block, caught) for block in blocks(statement)]
    others = (statement.body, statement.orelse, statement.finalbody)
    return [
        *((handler.body, handler.type) for handler in statement.handlers),
        *((block, caught) for block in others),
    ]


def _raised(statement: ast.Raise, caught: ast.expr | None, source: Source) -> list[str]:
    raised = statement.exc
    if raised is None:
        handled = caught.elts if isinstance(caught, ast.Tuple) else [caught] if caught else []
        return [name for handler in handled if (name := dotted(handler))]
    name = dotted(raised.func if isinstance(raised, ast.Call) else raised)
    return [name or source.of(raised)[:100]]
