"""Types for `veridic verify`: claims of a document about code, the evidence in the repository, and the findings."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import IntEnum, StrEnum
from hashlib import sha256

from pydantic import Field
from pydantic_core import PydanticSerializationError

from veridic.domain.base import Frozen
from veridic.domain.decision import CorrectionType
from veridic.domain.evidence import Stance


class CodeVerdict(StrEnum):
    """The words of `Scale.CODE`."""

    VERIFIED = "Verified"
    REFUTED = "Refuted"
    INCOMPLETE = "Incomplete"
    INCONCLUSIVE = "Inconclusive"
    AMBIGUOUS = "Ambiguous"
    MISLEADING = "Misleading"
    STALE = "Stale"
    CONTESTED = "Contested"


class EditorialFlag(StrEnum):
    """A remark on the writing, independent of the verdict."""

    JARGON_HEAVY = "Jargon-heavy"
    EXTRANEOUS = "Extraneous"


class ClaimCategory(StrEnum):
    CODEBASE = "codebase"
    """About this repository's code."""
    EXTERNAL = "external"
    """About something else: a service, a standard, another project."""
    INTERNAL = "internal"
    """About the project itself: its documents, history or layout."""


class ClaimDomain(StrEnum):
    """The standard domains; a claim may name another in a word of its own."""

    SECURITY = "security"
    CORRECTNESS = "correctness"
    PERFORMANCE = "performance"
    CONCURRENCY = "concurrency"
    DOCUMENTATION = "documentation"
    HISTORY = "history"
    CONFIGURATION = "configuration"


class Depth(StrEnum):
    SHALLOW = "shallow"
    MEDIUM = "medium"
    DEEP = "deep"


class EvidenceTier(IntEnum):
    CODE = 1
    TESTS = 2
    DOCUMENTATION = 3
    EXTERNAL = 4
    HISTORY = 5
    MODEL = 6


class Origin(StrEnum):
    """The kind of text that contains a claim."""

    MARKDOWN = "markdown"
    RST = "rst"
    DOCSTRING = "docstring"
    COMMENT = "comment"
    HELP = "help"
    CHANGELOG = "changelog"
    COMMIT = "commit"


class EntityKind(StrEnum):
    SYMBOL = "symbol"
    """A name in code; the text does not say of which kind."""
    FUNCTION = "function"
    CLASS = "class"
    MODULE = "module"
    CONSTANT = "constant"
    PARAMETER = "parameter"
    FLAG = "flag"
    COMMAND = "command"
    ENVIRONMENT = "environment"
    ENDPOINT = "endpoint"
    PATH = "path"
    PACKAGE = "package"
    SETTING = "setting"
    VERSION = "version"
    VALUE = "value"
    LINK = "link"
    COMMIT = "commit"
    ISSUE = "issue"


class Entity(Frozen):
    kind: EntityKind
    name: str
    """As written in code: `Client.fetch`, `--verbose`, `APP_TOKEN`, `GET /users/{id}`, `src/app.py`."""
    owner: str | None = None
    """What it belongs to, if the text says so: a parameter's function, a flag's command."""


class AssertionKind(StrEnum):
    EXISTS = "exists"
    SIGNATURE = "signature"
    """The parameters, their order and their defaults."""
    DEFAULT = "default"
    EQUALS = "equals"
    """A constant, a limit or a setting has this value."""
    RETURNS = "returns"
    RAISES = "raises"
    REQUIRES = "requires"
    """A version of a language or package, or another prerequisite."""
    MEMBERS = "members"
    """Some or all members of an enumeration, or choices of an option."""
    COUNT = "count"
    PARAMETER = "parameter"
    """The function has the documented parameter."""
    DEPRECATED = "deprecated"
    LINKS = "links"
    """The target of a link exists."""
    BEHAVES = "behaves"
    """Anything else: X does Y."""


class Quantifier(StrEnum):
    ALWAYS = "always"
    NEVER = "never"
    ALL = "all"
    ONLY = "only"
    AT_LEAST = "at least"
    UP_TO = "up to"


class Place(Frozen):
    """A position in a document, for showing or replacing text. Columns count code points from 0."""

    line: int = Field(ge=1)
    start: int = Field(default=0, ge=0)
    end: int = Field(default=0, ge=0)


class Assertion(Frozen):
    kind: AssertionKind
    subject: Entity | None = None
    expected: tuple[str, ...] = ()
    """What the document states, verbatim without quotes: one value, or several members or parameters.
    A parameter with a default is written `name=value`."""
    expected_place: Place | None = None
    """The position of the (single) expected value, so that it can be corrected."""
    is_negated: bool = False
    quantifiers: tuple[Quantifier, ...] = ()


class DocClaim(Frozen):
    """One statement of a document, in a form that can be compared with code."""

    id: str
    text: str
    """The sentence, table row or line of code."""
    document: str
    """The path within the repository, with `/`, or a commit's hash."""
    line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    origin: Origin
    category: ClaimCategory
    domain: str
    """A `ClaimDomain`, or another word if none fits."""
    entities: tuple[Entity, ...] = ()
    assertion: Assertion
    depth: Depth = Depth.SHALLOW
    """The proposed depth of verification."""
    owner: str | None = None
    """For a docstring or comment: the qualified name of its function or class."""
    proposed_by: str | None = None
    """The language model that found the claim; None if it was found without one."""


class CodeEvidence(Frozen):
    tier: EvidenceTier
    stance: Stance
    path: str
    """A file in the repository, an address, a command, a commit."""
    line: int | None = None
    quote: str
    value: str | None = None
    """The value in the code that corresponds to the document's."""
    digest: str | None = None
    """SHA-256 of the file at the time it was read."""


class AgentVerdict(Frozen):
    """The verdict of one category agent on a claim."""

    agent: str
    verdict: CodeVerdict
    confidence: float = Field(ge=0, le=1)
    reason: str
    """One sentence."""
    evidence: tuple[CodeEvidence, ...] = ()
    depth: Depth = Depth.SHALLOW
    would_settle: str | None = None
    """Inconclusive and Ambiguous: what evidence would decide the claim."""
    rule: str = ""
    """The rule that was applied and the basis of its alarm: `option: typed, complete`."""


class CodeCorrection(Frozen):
    type: CorrectionType
    place: Place
    original: str
    """The current text at `place`, exactly."""
    corrected: str
    confidence: float = Field(ge=0, le=1)


class Finding(Frozen):
    """The decision on a claim, after the gates."""

    claim: DocClaim
    verdict: CodeVerdict
    confidence: float = Field(ge=0, le=1)
    depth: Depth
    reason: str
    evidence: tuple[CodeEvidence, ...] = ()
    sides: tuple[AgentVerdict, ...] = ()
    """Contested: all verdicts with their evidence."""
    correction: CodeCorrection | None = None
    flags: tuple[EditorialFlag, ...] = ()
    gates: tuple[str, ...] = ()
    """The names of the gates that changed the verdict."""
    would_settle: str | None = None
    rule: str = ""
    """The rule behind the verdict, if one was applied."""
    is_cached: bool = False


class VerifyFailure(Frozen):
    """Something that could not be read or checked. A failure never counts as a verdict."""

    what: str
    message: str


class SilencedBy(StrEnum):
    COMMENT = "comment"
    BASELINE = "baseline"


class SilencedFinding(Frozen):
    """A finding that a comment or the baseline accepts. It is reported, but does not fail the run."""

    finding: Finding
    by: SilencedBy
    reason: str
    """The reason given in the comment; for the baseline, that the finding was known before."""


class Notice(Frozen):
    """A remark on a document that is not a verdict, such as a comment that silences nothing."""

    document: str
    line: int = Field(ge=1)
    message: str


class ProposedClaims(Frozen):
    """Counts of the claims that a language model proposed, by outcome."""

    model: str
    documents: int
    """The number of documents it read, in this run or, if unchanged, in an earlier one."""
    proposed: int
    taken: int
    """Accepted: claims that were not found otherwise."""
    known: int
    """Dropped: covered by a claim that was already found."""
    misplaced: int
    """Dropped: their words or values are not in the document."""
    invented: int
    """Dropped: the document does not name their subject."""


class VerifyReport(Frozen):
    repo: str
    commit: str | None = None
    findings: tuple[Finding, ...] = ()
    silenced: tuple[SilencedFinding, ...] = ()
    """Findings left out because a comment or the baseline says so."""
    notices: tuple[Notice, ...] = ()
    errors: tuple[VerifyFailure, ...] = ()
    files_read: int = 0
    claims_found: int = 0
    processing_time_ms: int = 0
    proposals: ProposedClaims | None = None
    """None if no language model was used."""

    @property
    def asked_a_model(self) -> bool:
        """Whether a language model was used. Without one, no finding is Incomplete, Ambiguous, Misleading, Jargon-heavy or Extraneous."""
        return self.proposals is not None

    def counts(self) -> dict[CodeVerdict, int]:
        """Return the number of findings with each verdict, without verdicts that did not occur."""
        found = [finding.verdict for finding in self.findings]
        return {verdict: found.count(verdict) for verdict in CodeVerdict if verdict in found}


_FINGERPRINT_LENGTH = 32


def fingerprint(claim: DocClaim) -> str:
    """Return a hash of the claim's document and words; it does not depend on the position or the line breaks."""
    words = " ".join(claim.text.split())
    return sha256(f"{claim.document}\0{words}".encode("utf-8", "surrogatepass")).hexdigest()[
        :_FINGERPRINT_LENGTH
    ]


_NOT_SAVED = {"claim", "is_cached"}


@dataclass(frozen=True, slots=True)
class KeptFinding:
    """A saved finding, with what it rested on. There are many thousands, so `content` is parsed only when needed."""

    method: str
    """The engine and rules that led to it; others may lead to another finding."""
    likeness: str
    """A key that is equal for claims that assert the same about the same thing."""
    document: str
    line: int
    text: str
    """The claim's text, normalised."""
    digests: Mapping[str, str]
    """The digest of every file it rests on, by path."""
    content: str
    """The finding without its claim, as JSON."""
    id: int | None = None
    """The id of its row, if it comes from a database."""


def content_of(finding: Finding) -> str:
    """Return the finding without its claim, as JSON."""
    try:
        return finding.model_dump_json(exclude=_NOT_SAVED)
    except PydanticSerializationError:  # a file name that is not UTF-8
        return json.dumps(finding.model_dump(mode="json", exclude=_NOT_SAVED))
