"""Splits a sentence, by its syntax, into clauses that can each be true or false.

Joined main clauses, non-restrictive relative clauses and participles, appositions ("Martin Oakes, a Conservative") and
concessions ("although visits fell") become separate clauses. Conditions, causes, times and reported speech stay with the clause
they belong to. Each clause has its place in the author's text, and a wording that can be read alone as far as the sentence
allows: the subject it shares, the name that "who" stands for.
"""

from collections.abc import Iterable, Iterator
from enum import StrEnum
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from spacy.tokens import Span, Token

_SUBJECTS = frozenset({"nsubj", "nsubjpass", "csubj", "expl"})
_AUXILIARIES = frozenset({"aux", "auxpass"})
_CONCESSIVE = frozenset({"although", "though", "while", "whereas", "whilst"})
_BREAKS = frozenset(",;:—–-(")
_OPEN_CLAUSE = frozenset({"VBG", "VBN"})
_UNIT_SIGNS = frozenset("%‰′″")
"""Unicode classes these as punctuation, but they are part of the figure before them."""
_BRACKETS = {"(": ")", "[": "]"}


class ClauseKind(StrEnum):
    MAIN = "main"
    JOINED = "joined"
    RELATIVE = "relative"
    PARTICIPLE = "participle"
    APPOSITION = "apposition"
    CONCESSION = "concession"


class Clause(NamedTuple):
    kind: ClauseKind
    start: int
    end: int
    """Character offsets in the text that was parsed."""
    wording: str
    head: "Token"
    """Its verb, or the noun of an apposition."""


def split_clauses(sentence: "Span") -> list[Clause]:
    """Return the clauses of a parsed sentence, in order of position; at least one if it has a word."""
    kinds = {sentence.root: ClauseKind.MAIN}
    for token in _breadth_first(sentence.root):
        kind = _kind(token, kinds)
        if kind is not None:
            kinds[token] = kind
    clauses = [_clause(head, kind, kinds) for head, kind in kinds.items()]
    return sorted((clause for clause in clauses if clause is not None), key=lambda clause: clause.start)


def subject_of(head: "Token") -> "Token | None":
    """Return the subject of a verb, its own or a shared one."""
    own = next((child for child in head.children if child.dep_ in _SUBJECTS), None)
    if own is not None:
        return own
    if head.dep_ == "acl":
        return head.head
    if head.dep_ in ("conj", "advcl", "xcomp") and head.head != head:
        return subject_of(head.head)
    return None


def is_plural(noun: "Token") -> bool:
    """Whether a noun means several things: "ships", "Finland and Sweden"."""
    return noun.tag_ in ("NNS", "NNPS") or any(child.dep_ == "conj" for child in noun.children)


def phrase(noun: "Token", apart: Iterable["Token"] = ()) -> str:
    """Return a noun phrase as written within a sentence, without the clauses in `apart`."""
    return _join_mid_sentence(_trim(_own_tokens(noun, set(apart))))


def sentence_case(text: str) -> str:
    """Put a text on one line, with a capital letter at its beginning."""
    text = " ".join(text.split())
    return text[:1].upper() + text[1:]


def _breadth_first(root: "Token") -> Iterator["Token"]:
    """Yield every token below `root`, parents before children."""
    pending = list(root.children)
    while pending:
        token = pending.pop(0)
        yield token
        pending.extend(token.children)


def _kind(token: "Token", kinds: dict["Token", ClauseKind]) -> ClauseKind | None:
    """Return the kind of clause that the token heads; None if it belongs to the clause above."""
    if token.dep_ == "conj":
        return ClauseKind.JOINED if _is_joined(token, kinds) else None
    if token.dep_ == "relcl":
        return ClauseKind.RELATIVE if _is_set_off(token) and _is_finite(token) else None
    if token.dep_ == "appos":
        return ClauseKind.APPOSITION if _is_set_off(token) and _is_noun(token) else None
    if token.dep_ == "acl":
        return ClauseKind.PARTICIPLE if _is_set_off(token) and token.tag_ in _OPEN_CLAUSE else None
    if token.dep_ == "advcl":
        return _adverbial(token)
    if token.dep_ in ("ccomp", "parataxis"):
        return ClauseKind.JOINED if _is_joined_by_punctuation(token) else None
    return None


def _is_joined(token: "Token", kinds: dict["Token", ClauseKind]) -> bool:
    """Whether a second verb says something else: "fell in May and rose in June", not "designed and built in 1900"."""
    first = token.head
    if first not in kinds or token.pos_ not in ("VERB", "AUX") or first.pos_ not in ("VERB", "AUX"):
        return False
    has_subject = any(child.dep_ in _SUBJECTS for child in token.children)
    before = token.left_edge.nbor(-1)
    if not has_subject and before.dep_ != "cc" and not before.is_punct:
        return False  # the parser attached its subject elsewhere: "of France and Berlin is"
    said_of_first = any(
        first.i < child.i < token.i and child.dep_ not in ("cc", "punct") for child in first.children
    )
    return has_subject or (said_of_first and any(child.i > token.i for child in token.children))


def _adverbial(token: "Token") -> ClauseKind | None:
    mark = next((child.lower_ for child in token.children if child.dep_ == "mark"), None)
    if mark in _CONCESSIVE and _is_finite(token):
        return ClauseKind.CONCESSION
    is_open = mark is None and token.tag_ in _OPEN_CLAUSE and not _is_finite(token)
    first_word = token.left_edge
    if is_open and first_word.dep_ != "prep" and (_is_set_off(token) or first_word.is_sent_start):
        return ClauseKind.PARTICIPLE
    return None


def _is_joined_by_punctuation(token: "Token") -> bool:
    """Whether only a semicolon or colon joins the clause to the next; reported speech stays with its speaker."""
    edge = token.right_edge
    after = edge.nbor(1) if edge.i + 1 < len(edge.doc) else None
    return after is not None and after.text in (";", ":") and _is_finite(token) and token.i < token.head.i


def _is_set_off(token: "Token") -> bool:
    """Whether a comma, a dash or a bracket comes before it."""
    edge = token.left_edge
    return edge.i > 0 and edge.nbor(-1).text in _BREAKS


def _is_finite(token: "Token") -> bool:
    if token.tag_ in ("VBD", "VBZ", "VBP", "MD"):
        return True
    return any(
        child.dep_ in _AUXILIARIES and child.tag_ in ("VBD", "VBZ", "VBP", "MD") for child in token.children
    )


def _is_noun(token: "Token") -> bool:
    return token.pos_ in ("NOUN", "PROPN", "NUM")


def _own_tokens(head: "Token", apart: set["Token"]) -> list["Token"]:
    """Return the tokens below `head` that don't belong to a clause in `apart`."""
    tokens: list[Token] = []
    pending = [head]
    while pending:
        token = pending.pop()
        tokens.append(token)
        pending.extend(child for child in token.children if child not in apart)
    return sorted(tokens, key=lambda token: token.i)


def _clause(head: "Token", kind: ClauseKind, kinds: dict["Token", ClauseKind]) -> Clause | None:
    apart = set(kinds) - {head}
    own = _trim(_own_tokens(head, apart))
    if not own:
        return None
    place = own
    kept = own
    if kind is ClauseKind.CONCESSION:
        kept = [token for token in own if not (token.dep_ == "mark" and token.head == head)]
    wording = _join_mid_sentence(kept)
    if kind is ClauseKind.APPOSITION:
        named = _trim(_own_tokens(head.head, apart | {head}))
        wording = f"{_join(named)} {'are' if is_plural(head.head) else 'is'} {wording}"
        if named and named[-1].i < own[0].i <= named[-1].i + 3:
            place = [*named, *own]
    elif kind is ClauseKind.RELATIVE:
        wording = _with_antecedent(own, phrase(head.head, apart | {head}))
    elif not any(child.dep_ in _SUBJECTS for child in head.children):
        subject = subject_of(head)
        if subject is not None:
            wording = f"{phrase(subject, apart | {head})} {_missing_auxiliary(head, subject)}{wording}"
            for helper in ("was", "were", "is", "are"):
                has = "have" if is_plural(subject) else "has"
                wording = wording.replace(f" {helper} having ", f" {has} ")
    if kind is ClauseKind.JOINED and (time := _shared_time(head, own)):
        wording = f"{time}, {wording}"
    end = place[-1].idx + len(place[-1])
    return Clause(kind, place[0].idx, end, sentence_case(wording), head)


def _missing_auxiliary(head: "Token", subject: "Token") -> str:
    """Return the "was" or "will" that a verb shares with the one it is joined to, or that a participle lacks."""
    if _is_finite(head) or head.pos_ not in ("VERB", "AUX"):
        return ""
    first = head
    while first.dep_ == "conj" or (first != head and first.dep_ == "advcl" and not _is_finite(first)):
        first = first.head
    shared = [child for child in first.children if child.dep_ in _AUXILIARIES] if first != head else []
    if shared:
        is_opposed = any(child.dep_ == "cc" and child.lower_ == "but" for child in head.head.children)
        denied = [child for child in first.children if child.dep_ == "neg" and not is_opposed]
        return "".join(f"{token.text} " for token in (*shared, *denied))
    if head.tag_ in _OPEN_CLAUSE:
        is_now = head.tag_ == "VBG" and _is_present(head)
        is_several = is_plural(subject)
        return ("are " if is_several else "is ") if is_now else ("were " if is_several else "was ")
    return ""


def _is_present(participle: "Token") -> bool:
    """Whether the verb above a participle is in the present tense: "The tunnel, linking the two towns, closes at night"."""
    above = next((token for token in participle.ancestors if _is_finite(token)), None)
    if above is None:
        return False
    tags = {token.tag_ for token in (above, *above.children) if token == above or token.dep_ in _AUXILIARIES}
    return bool(tags & {"VBZ", "VBP", "MD"}) and "VBD" not in tags


def _shared_time(head: "Token", own: list["Token"]) -> str:
    """Return the date at the beginning of a sentence that also applies to a joined clause without one."""
    first = head
    while first.dep_ == "conj":
        first = first.head
    if any(token.ent_type_ == "DATE" or token.dep_ == "advmod" for token in own):
        return ""
    child = next(first.children, None)
    is_time = child is not None and child.dep_ in ("prep", "npadvmod") and child.left_edge.is_sent_start
    if child is None or not is_time or child.i > first.i:
        return ""
    return phrase(child) if any(token.ent_type_ == "DATE" for token in child.subtree) else ""


def _with_antecedent(own: list["Token"], antecedent: str) -> str:
    """Replace "who", "which" or "whose" in a relative clause with its antecedent."""
    pronoun = next((token for token in own if token.tag_ in ("WDT", "WP", "WP$")), None)
    if pronoun is None:
        where = next((token for token in own if token.tag_ == "WRB"), None)
        rest = _join([token for token in own if token is not where])
        return f"{rest} ({antecedent})"
    new = f"{antecedent}’s" if pronoun.tag_ == "WP$" else antecedent
    before = [token for token in own if token.i < pronoun.i]
    after = [token for token in own if token.i > pronoun.i]
    if pronoun.dep_ in _SUBJECTS or pronoun.tag_ == "WP$":
        return f"{_join(before)} {new} {_join(after)}".strip()
    return f"{_join(after)} {_join(before)} {new}"


def _trim(tokens: list["Token"]) -> list["Token"]:
    """Strip punctuation and conjunctions from both ends."""
    first, last = 0, len(tokens)
    while first < last and _is_trimmable(tokens[first]):
        if tokens[first].is_quote and any(token.is_quote for token in tokens[first + 1 : last]):
            break
        first += 1
    while last > first and _is_trimmable(tokens[last - 1]):
        if tokens[last - 1].is_quote and any(token.is_quote for token in tokens[first : last - 1]):
            break
        last -= 1
    return tokens[first:last]


def _is_trimmable(token: "Token") -> bool:
    return (token.is_punct and token.text not in _UNIT_SIGNS) or token.is_space or token.dep_ == "cc"


def _join(tokens: list["Token"]) -> str:
    """Join tokens into text; where something was left out between two, also drop the commas around it."""
    pieces: list[str] = []
    for number, token in enumerate(tokens):
        follows = tokens[number + 1] if number + 1 < len(tokens) else None
        leaves_gap = follows is not None and follows.i > token.i + 1
        opens_gap = number > 0 and token.i > tokens[number - 1].i + 1
        is_emptied = (leaves_gap and follows is not None and _BRACKETS.get(token.text) == follows.text) or (
            opens_gap and _BRACKETS.get(tokens[number - 1].text) == token.text
        )
        if is_emptied or (token.text in (",", "—", "–") and (leaves_gap or opens_gap or follows is None)):
            if pieces and not pieces[-1].endswith(" "):
                pieces.append(" ")
            continue
        pieces.append(token.text + (" " if leaves_gap or token.whitespace_ else ""))
    return " ".join("".join(pieces).split()).strip(" ,;:—–")


def _join_mid_sentence(tokens: list["Token"]) -> str:
    """Join tokens into text as written within a sentence, without the capital of a sentence start."""
    text = _join(tokens)
    if not tokens or not tokens[0].is_sent_start or not tokens[0].is_title:
        return text
    first = tokens[0]
    is_name = first.text == "I" or first.pos_ == "PROPN" or (first.ent_type_ and first.tag_ != "DT")
    return text if is_name else text[:1].lower() + text[1:]
