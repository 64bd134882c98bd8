"""What follows from a name being mentioned: that it exists, that it is called like that."""

import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from veridic.code.claims.domains import domain_in_words
from veridic.code.claims.drafts import Context, Draft
from veridic.code.claims.names import FLAGS_OF_INSTALLERS, called
from veridic.code.claims.passage import SourceLine
from veridic.code.claims.sentence import Mention, Sentence
from veridic.code.claims.signatures import arguments, keywords
from veridic.code.claims.terminal import typed_drafts
from veridic.code.claims.values import Value
from veridic.domain.code import AssertionKind, Entity, EntityKind, FactKind

_OTHERS_TOOL = re.compile(
    r"\b(?:pip|uv|git|docker|npm|yarn|pnpm|cargo|pytest|mypy|ruff|black|curl|kubectl|brew|apt|gcc|clang|webpack|ssh|nox|tox|pipx"
    r"|poetry|hatch|conda|cmake|sphinx-build|twine|pre-commit)\b",
    re.IGNORECASE,
)
_OF_THE_READER = re.compile(
    r"\b(?:your|you (?:can )?(?:create|write|add|name|have|implement|define|make|put|place|provide|build)|creat(?:e|es|ed|ing) (?:a|an|the|new)?|writ(?:e|es|ten|ing)|"
    r"generat\w+|outputs?|saves?|produces?|will|would|called|named|e\.g|for example|such as|if you)\b",
    re.IGNORECASE,
)
_POINTS_TO = re.compile(
    r"\b(?:see(?: also)?|(?:as )?(?:shown|found|defined|located|listed|described|contained|lives?) in|look at)(?: the)?(?: file)? \Z",
    re.IGNORECASE,
)
_VARIABLE_BEHIND = re.compile(r" (?:environment(?:al)?|env) ?var(?:iable)?s?\b", re.IGNORECASE)
_VARIABLE_BEFORE = re.compile(r"\b(?:environment(?:al)?|env) ?var(?:iable)?s?:? \Z", re.IGNORECASE)
_POSSESSIVE = re.compile(r"([\w-]+)`?['’]s \Z")
_STANDS_FOR_A_NAME = re.compile(
    r"(?:plugin|module|package|project|app|theme|class)_?name(?![a-z])|(?-i:XYZ|XXX|NNN)", re.IGNORECASE
)
_DEFINES = re.compile(
    r"\A(?: (?:function|method|class|constructor|helper|coroutine|decorator)\b|\s*[:—–-]\s)"
)
_SAYS_WHAT_IT_DOES = re.compile(r"\A (?:[a-z]+ly )?(?!is\b|was\b|has\b)[a-z]+s\b")
_IS_A_LABEL = re.compile(
    r" (?:exchange|queue|topic|channel|logger|header|namespace|marker|table|role|group|entry.point)s?\b"
)
"""The `celery.pidbox` exchange is nothing in code."""
_TYPED = re.compile(r"`([a-z][\w.-]{1,40} [^`\n]{1,160})`")
_OF_OTHERS = frozenset({"http:", "https:"})
_RUNNERS = re.compile(r"(?:npm|yarn|pnpm|make) ")
_TO_BE_MADE = re.compile(r"\b(?:a|your|the) new (?:sub)?command\b", re.IGNORECASE)
_MOST_ARGUMENTS_TEXT = 600


def said_names(sentence: Sentence, *, defines: bool) -> Iterator[Draft]:
    """Existence and signatures of what is named; `defines`: the text is a heading, term or item about its first name."""
    if sentence.tells_of_what_is_not():
        return
    yield from _commands(sentence)
    for number, mention in enumerate(map(partial(_as_variable, sentence), sentence.mentions)):
        if (call := called(mention.written)) is not None and call[1].strip():
            is_definition = (defines and number == 0 and mention.start <= 1) or _shows_definition(
                sentence, mention
            )
            yield from _call(sentence, mention, call, is_definition=is_definition)
        elif _is_existence_claimed(sentence, mention):
            yield _existence(sentence, mention)


def _as_variable(sentence: Sentence, mention: Mention) -> Mention:
    """What the sentence calls an environment variable, where the project reads one nearly of that name."""
    names, entity = sentence.context.names, mention.entity
    if entity.kind is not EntityKind.CONSTANT or names.is_known(entity.name):
        return mention
    is_called_so = _VARIABLE_BEHIND.match(sentence.text, mention.end) or _VARIABLE_BEFORE.search(
        sentence.text, 0, mention.start
    )
    if not is_called_so or not names.is_like_a_variable(entity.name):
        return mention
    return replace(mention, entity=Entity(kind=EntityKind.ENVIRONMENT, name=entity.name))


def _commands(sentence: Sentence) -> Iterator[Draft]:
    """`tool run --fast` in running text."""
    if sentence.context.is_in_code or _TO_BE_MADE.search(sentence.text):
        return
    for match in _TYPED.finditer(sentence.text):
        place = sentence.passage.place(sentence.offset + match.start(1), sentence.offset + match.end(1))
        is_anyones = _RUNNERS.match(match[1]) and sentence.is_example(match.start())
        if place is not None and not is_anyones:
            for draft in typed_drafts(SourceLine(match[1], place.line, place.start), sentence.context):
                yield replace(draft, text=sentence.text)


def _existence(sentence: Sentence, mention: Mention) -> Draft:
    entity = mention.entity
    topic = sentence.context.topic
    if topic is not None and (topic.kind, topic.name) == (entity.kind, entity.name):
        entity = topic
    if entity.kind is EntityKind.FLAG and entity.owner is None and _is_about_own_flags(sentence):
        entity = entity.model_copy(update={"owner": sentence.context.command})
    written = entity.name
    if entity.kind is EntityKind.PATH:
        repository = sentence.context.names.index.repository
        is_beside = repository.exists(_beside(written.partition("/")[0], sentence.context))
        if is_beside and not repository.exists(written):
            entity = entity.model_copy(update={"name": _beside(written, sentence.context)})
    at = sentence.text.find(written, mention.start, mention.end)
    values = [Value(written, at, at + len(written))] if at >= 0 else []
    return sentence.draft(AssertionKind.EXISTS, entity, values, expected=(written,), quantifiers=())


def said_behaviour(sentence: Sentence) -> Iterator[Draft]:
    """A sentence about security, speed, concurrency or a whole system that names whom it speaks of."""
    domain = domain_in_words(sentence.text)
    if domain is None or sentence.speaks_of_other_times():
        return
    subject = next((mention.entity for mention in sentence.mentions if _is_code(sentence, mention)), None)
    context = sentence.context
    if subject is None and context.is_in_code and context.owner and context.names.is_known(context.owner):
        subject = Entity(kind=EntityKind.SYMBOL, name=context.owner)
    if subject is not None:
        yield sentence.draft(AssertionKind.BEHAVES, subject, domain=domain)


def _is_code(sentence: Sentence, mention: Mention) -> bool:
    return sentence.context.names.is_known(mention.entity.name, FactKind.FUNCTION, FactKind.CLASS)


def _shows_definition(sentence: Sentence, mention: Mention) -> bool:
    following = sentence.text[mention.end : mention.end + 40]
    if _DEFINES.match(following):
        return not sentence.is_example(mention.start)
    return mention.start <= 1 and _SAYS_WHAT_IT_DOES.match(following) is not None


def _call(
    sentence: Sentence, mention: Mention, call: tuple[str, str], *, is_definition: bool
) -> Iterator[Draft]:
    name, written = call
    names = sentence.context.names
    if len(written) > _MOST_ARGUMENTS_TEXT or not (
        names.is_known(name, FactKind.FUNCTION, FactKind.CLASS) or names.is_own(name)
    ):
        return
    subject = Entity(kind=EntityKind.FUNCTION, name=name)
    if not names.is_known(name):
        yield sentence.draft(AssertionKind.EXISTS, subject, expected=(name,), quantifiers=())
        return
    parameters = arguments(written)
    start = mention.start + 1 + mention.written.rindex(written) if sentence.text[mention.start] == "`" else 0
    if is_definition and parameters is not None:
        yield sentence.draft(
            AssertionKind.SIGNATURE,
            subject,
            [Value(written, start, start + len(written))],
            expected=tuple(p.name if p.default is None else f"{p.name}={p.default}" for p in parameters),
            quantifiers=(),
        )
        return
    if sentence.context.is_in_code and sentence.is_example(mention.start):
        return
    for keyword, at in keywords(written):
        parameter = Entity(kind=EntityKind.PARAMETER, name=keyword, owner=name)
        value = Value(keyword, start + at, start + at + len(keyword))
        yield sentence.draft(AssertionKind.PARAMETER, parameter, [value], quantifiers=())


def _is_existence_claimed(sentence: Sentence, mention: Mention) -> bool:
    names, entity = sentence.context.names, mention.entity
    match entity.kind:
        case EntityKind.FLAG:
            return not _is_of_another_tool(sentence, mention) and (
                _is_about_own_flags(sentence) or names.is_known(entity.name, FactKind.OPTION)
            )
        case EntityKind.COMMAND:
            return not sentence.is_example(mention.start) and any(
                fact.owner == (entity.owner if entity.owner == "make" else "")
                for fact in names.index.of_kind(FactKind.SCRIPT)
            )
        case EntityKind.ENVIRONMENT:
            return True
        case EntityKind.ENDPOINT:
            return not sentence.context.is_in_code and bool(names.index.of_kind(FactKind.ROUTE))
        case EntityKind.MODULE:
            return not sentence.context.is_in_code
        case EntityKind.PATH:
            return _is_own_path(sentence, mention)
        case EntityKind.FUNCTION | EntityKind.CLASS:
            is_plain_word = mention.written.isalpha() and mention.written.islower()
            return (
                not sentence.context.is_in_code
                and not is_plain_word
                and (names.is_own(entity.name) or names.is_known(entity.name))
            )
        case EntityKind.SYMBOL | EntityKind.CONSTANT:
            is_named = entity.name.isupper() and names.is_known(entity.name)
            is_label = _IS_A_LABEL.match(sentence.text, mention.end) is not None
            return (
                not sentence.context.is_in_code and not is_label and (names.is_own(entity.name) or is_named)
            )
        case _:
            return False


def _is_about_own_flags(sentence: Sentence) -> bool:
    """Nearly all flags of the document are the project's, or the sentence says whose it is: "tells codespell to skip"."""
    command = sentence.context.command
    return sentence.context.has_own_flags or (
        command is not None
        and not sentence.context.is_in_code
        and re.search(rf"(?<![\w/.-]){re.escape(command)}(?![\w/.-])", sentence.text, re.IGNORECASE)
        is not None
    )


def _is_of_another_tool(sentence: Sentence, mention: Mention) -> bool:
    """The sentence names one, or says whose flag it is, or the flag is one that installs the project."""
    names, flag = sentence.context.names, mention.entity.name
    is_known = names.is_known(flag, FactKind.OPTION)
    # Of a flag that the project does not have, the sentences before may tell whose it is.
    before = "" if is_known else sentence.passage.text[: sentence.offset]
    named = {tool.lower() for tool in _OTHERS_TOOL.findall(f"{before} {sentence.text}")}
    if whose := _POSSESSIVE.search(sentence.text, 0, mention.start):
        named.add(whose[1].lower())
    return bool(named - names.commands - names.packages) or (flag in FLAGS_OF_INSTALLERS and not is_known)


def _is_own_path(sentence: Sentence, mention: Mention) -> bool:
    """Below a folder that the repository has, and not one that the reader or the program makes."""
    name = mention.entity.name
    first, _, rest = name.partition("/")
    if not rest or not first or sentence.context.is_in_code or first in _OF_OTHERS or first.startswith("."):
        return False
    if _STANDS_FOR_A_NAME.search(name):
        return False
    around = sentence.text[max(0, mention.start - 60) : mention.end + 60]
    repository = sentence.context.names.index.repository
    is_below = repository.exists(first) or repository.exists(_beside(first, sentence.context))
    is_pointed_to = _POINTS_TO.search(sentence.text, max(0, mention.start - 40), mention.start) is not None
    return is_below and (is_pointed_to or not _OF_THE_READER.search(around))


def _beside(path: str, context: Context) -> str:
    """The path as seen from the folder of the document."""
    folder = context.document.rpartition("/")[0]
    return f"{folder}/{path}" if folder else path
