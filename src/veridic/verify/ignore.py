"""Matches paths against the rules of a `.gitignore` file; no pattern can make that slow.

The library pathspec reads the same rules but turns each into one regular expression for the whole path: a malicious
rule with four stars makes it run practically forever.
"""

import fnmatch
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

_MOST_RULES = 2_000
_LONGEST_PATTERN = 400
_ESCAPED = re.compile(r"\\(.)")


@dataclass(frozen=True, slots=True)
class _Rule:
    segments: tuple[re.Pattern[str] | None, ...]
    """One pattern for each part of a path; None is `**`."""
    is_anchored: bool
    is_for_folders: bool
    is_exception: bool

    def matches(self, parts: Sequence[str], is_folder: bool) -> bool:
        if self.is_for_folders and not is_folder:
            return False
        if not self.is_anchored:
            pattern = self.segments[0]
            return pattern is None or pattern.match(parts[-1]) is not None
        return _match_segments(self.segments, parts)


class IgnoreRules:
    """The rules of one ignore file, for paths relative to its folder: the last rule that matches decides."""

    def __init__(self, text: str) -> None:
        lines = text.splitlines()[:_MOST_RULES]
        self._rules = [rule for line in lines if (rule := _parse_rule(line)) is not None]
        self._rules.reverse()

    def __bool__(self) -> bool:
        return bool(self._rules)

    def decide(self, parts: Sequence[str], *, is_folder: bool) -> bool | None:
        """True if ignored, False if explicitly not ignored, None if no rule matches."""
        for rule in self._rules:
            if rule.matches(parts, is_folder):
                return not rule.is_exception
        return None


def select_paths(paths: Iterable[str], include: Sequence[str], exclude: Sequence[str] = ()) -> list[str]:
    """The paths that match patterns as in .gitignore; without `include`, all of them."""
    wanted, unwanted = IgnoreRules("\n".join(include)), IgnoreRules("\n".join(exclude))
    return [path for path in paths if (not include or _names(wanted, path)) and not _names(unwanted, path)]


def _names(rules: IgnoreRules, path: str) -> bool:
    """Whether the rules match the path or a folder above it."""
    parts = PurePosixPath(path).parts
    lengths = range(1, len(parts) + 1)
    return any(rules.decide(parts[:length], is_folder=length < len(parts)) for length in lengths)


def _parse_rule(line: str) -> _Rule | None:
    pattern = line.rstrip("\r\n")
    if not pattern.endswith("\\ "):
        pattern = pattern.rstrip(" \t")
    if not pattern or pattern.startswith("#") or len(pattern) > _LONGEST_PATTERN:
        return None
    is_exception = pattern.startswith("!")
    pattern = pattern[1:] if is_exception else pattern
    is_for_folders = pattern.endswith("/")
    pattern = pattern.rstrip("/")
    is_anchored = "/" in pattern
    parts = [part for part in pattern.split("/") if part]
    if not parts:
        return None
    segments = tuple(None if part == "**" else _compile_segment(part) for part in parts)
    return _Rule(segments, is_anchored, is_for_folders, is_exception)


def _compile_segment(part: str) -> re.Pattern[str]:
    literal = _ESCAPED.sub(lambda escaped: f"[{escaped[1]}]" if escaped[1] in "*?[" else escaped[1], part)
    # `fnmatch` translates stars to atomic groups: no pattern takes exponential time.
    return re.compile(fnmatch.translate(re.sub(r"\*{2,}", "*", literal.replace("[^", "[!"))))


def _match_segments(segments: Sequence[re.Pattern[str] | None], parts: Sequence[str]) -> bool:
    """Whether the segments match the whole path. Keeps the set of reachable positions instead of backtracking."""
    reachable = {0}
    for number, segment in enumerate(segments):
        if segment is None:
            first = min(reachable)
            is_last = number == len(segments) - 1
            # A `**` at the end matches everything inside a folder, so at least one part.
            reachable = set(range(first + 1 if is_last else first, len(parts) + 1))
        else:
            reachable = {at + 1 for at in reachable if at < len(parts) and segment.match(parts[at])}
        if not reachable:
            return False
    return len(parts) in reachable
