"""The basic types that words, annotations and returned expressions stand for.

A type is one of: none bool int float str bytes list tuple set dict iterator function. Whatever is none of these has
no basic type, and nothing is concluded from it.
"""

import ast
import re
import warnings

from veridic.code.compare.literals import Amount, Nothing, Pairs, Text, Truth, Value, read_source

_WORDS: dict[str, str] = {
    "none": "none", "nothing": "none", "null": "none", "nil": "none", "undefined": "none", "void": "none",
    "bool": "bool", "boolean": "bool", "booleans": "bool",
    "int": "int", "integer": "int", "integers": "int", "i32": "int", "i64": "int", "u32": "int", "u64": "int",
    "usize": "int", "int64": "int", "int32": "int", "long": "int",
    "float": "float", "floats": "float", "double": "float", "f64": "float", "f32": "float", "float64": "float",
    "str": "str", "string": "str", "strings": "str", "&str": "str",
    "bytes": "bytes", "bytestring": "bytes",
    "list": "list", "lists": "list", "array": "list", "vec": "list", "sequence": "list",
    "tuple": "tuple", "tuples": "tuple", "pair": "tuple", "set": "set", "sets": "set", "frozenset": "set",
    "dict": "dict", "dicts": "dict", "dictionary": "dict", "dictionaries": "dict", "mapping": "dict", "map": "dict",
    "hashmap": "dict", "iterator": "iterator", "generator": "iterator", "iterable": "iterator",
}  # fmt: skip
_LOOSE = {
    frozenset({"bool", "int"}), frozenset({"int", "float"}), frozenset({"list", "tuple"}), frozenset({"list", "set"}),
    frozenset({"list", "iterator"}), frozenset({"tuple", "iterator"}), frozenset({"set", "iterator"}),
    frozenset({"dict", "iterator"}), frozenset({"str", "iterator"}), frozenset({"str", "bytes"}),
}  # fmt: skip
"""Words that are used for one another: a "list" may be any sequence."""
_OFTEN_A_PART = frozenset({"bool", "none"})
_CONSTRUCTORS = frozenset("bool int float str bytes list tuple set frozenset dict".split())
_RESULTS = {"sorted": "list", "len": "int", "repr": "str", "isinstance": "bool", "any": "bool", "all": "bool"}
_STR_METHODS = frozenset(
    "strip lstrip rstrip lower upper title join format replace removeprefix removesuffix".split()
)
_NEVER_NOTHING = {
    "java": frozenset("boolean byte short int long float double char void".split()),
    "go": frozenset(
        "bool string byte rune int int8 int16 int32 int64 uint uint8 uint16 uint32 uint64 float32 float64".split()
    ),
}
_ANNOTATED = re.compile(r"[A-Za-z_][\w.]*")
_LEADING = re.compile(r"^(?:an?|the|either|newly|new|plain|single)\s+", re.IGNORECASE)


def type_of_words(words: str) -> str | None:
    """The basic type that a document names: "a list of names", `dict[str, int]`, "boolean"."""
    plain = words.strip().strip("`'\"").strip()
    for _ in range(2):
        plain = _LEADING.sub("", plain)
    first = re.match(r"&?[A-Za-z][\w]*", plain)
    return _WORDS.get(first[0].lower()) if first else None


def types_of_annotation(annotation: str) -> tuple[frozenset[str], bool]:
    """Basic types at the top of an annotation, and whether that is all there is: `str | None` is both of them."""
    found: set[str] = set()
    is_whole = True
    for part in alternatives_of(annotation.strip().strip("\"'")):
        outer = _outermost(part)
        basic = _WORDS.get(outer.lower()) if outer.lower() not in ("iterable", "sequence", "map") else None
        if basic is None:
            is_whole = False
        else:
            found.add(basic)
    return frozenset(found), is_whole and bool(found)


def _outermost(annotation: str) -> str:
    """`dict` of `dict[str, int]`, `List` of `java.util.List<String>`; `int[]` and `[]int` are arrays."""
    if annotation.endswith("[]"):
        return "array"
    if annotation.startswith("[]"):
        return "bytes" if annotation == "[]byte" else "array"
    return annotation.partition("[")[0].partition("<")[0].strip().rpartition(".")[2]


def may_be_nothing(annotation: str, path: str) -> bool:
    """Whether a result of that type may be null without its saying so: in Java and Go, all but the plainest may."""
    plain = _NEVER_NOTHING.get(path.rpartition(".")[2])
    return plain is not None and annotation not in plain


def names_of_annotation(annotation: str) -> frozenset[str]:
    """All names in an annotation, without the modules before them."""
    return frozenset(name.rpartition(".")[2] for name in _ANNOTATED.findall(annotation))


def alternatives_of(annotation: str) -> list[str]:
    """The types of which it is one: `str` and `None` of `str | None`, also written as `Optional[str]`."""
    optional = re.fullmatch(r"(?:\w+\.)?Optional\[(.+)\]", annotation, re.DOTALL)
    if optional:
        return [*alternatives_of(optional[1]), "None"]
    union = re.fullmatch(r"(?:\w+\.)?Union\[(.+)\]", annotation, re.DOTALL)
    separator, text = (",", union[1]) if union else ("|", annotation)
    parts, depth, start = [], 0, 0
    for at, character in enumerate(text):
        depth += (character in "[(<{") - (character in "])>}")
        if character == separator and depth == 0:
            parts.append(text[start:at])
            start = at + 1
    return [part.strip() for part in (*parts, text[start:]) if part.strip()]


def type_of_value(value: Value | None) -> str | None:
    """The basic type of a literal; none for a list, which may be a tuple in another language."""
    match value:
        case Nothing():
            return "none"
        case Truth():
            return "bool"
        case Amount(number=number, dimension=None):
            return "int" if number.denominator == 1 else "float"
        case Text():
            return "str"
        case Pairs():
            return "dict"
        case _:
            return None


def type_of_returned(source: str, path: str) -> str | None:
    """The basic type of a returned expression, where its form alone tells."""
    if not path.endswith(".py"):
        return type_of_value(read_source(source))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _type_of(ast.parse(source.strip(), mode="eval").body)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _type_of(node: ast.expr) -> str | None:
    match node:
        case ast.Constant(value=None):
            return "none"
        case ast.Constant(value=value):
            return _WORDS.get(type(value).__name__)
        case ast.JoinedStr():
            return "str"
        case ast.List() | ast.ListComp():
            return "list"
        case ast.Dict() | ast.DictComp():
            return "dict"
        case ast.Set() | ast.SetComp():
            return "set"
        case ast.Tuple():
            return "tuple"
        case ast.UnaryOp(op=ast.Not()):
            return "bool"
        case ast.Call(func=ast.Name(id=name)):
            return _WORDS[name] if name in _CONSTRUCTORS else _RESULTS.get(name)
        case ast.Call(func=ast.Attribute(attr=name)) if name in _STR_METHODS:
            return "str"
        case _:
            return None


def conflict(documented: str, found: str, *, is_exact: bool) -> bool:
    """Whether one type can't be meant by the word for the other; `is_exact`: the document writes it as code."""
    if documented == found or (found == "tuple" and (not is_exact or documented in _OFTEN_A_PART)):
        # Documents name the parts of a tuple: "returns the text, and `True` if it was quoted".
        return False
    return (
        is_exact and "iterator" not in (documented, found) and {documented, found} != {"bool", "int"}
    ) or (frozenset({documented, found}) not in _LOOSE)
