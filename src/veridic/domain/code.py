"""Docs against code: what a document says about a repository, what the repository shows, and what that comes to."""

from enum import IntEnum, StrEnum

from pydantic import Field

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
    """Not a matter of truth: stands beside the verdict."""

    JARGON_HEAVY = "Jargon-heavy"
    EXTRANEOUS = "Extraneous"


class ClaimCategory(StrEnum):
    CODEBASE = "codebase"
    """About this repository's code."""
    EXTERNAL = "external"
    """About something else: a service, a standard, another project."""
    INTERNAL = "internal"
    """About the project itself: its documents, history, layout."""


class ClaimDomain(StrEnum):
    """The standard domains; a claim that calls for another names it in its own word."""

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
    """What kind of text a claim stands in."""

    MARKDOWN = "markdown"
    RST = "rst"
    DOCSTRING = "docstring"
    COMMENT = "comment"
    HELP = "help"
    CHANGELOG = "changelog"
    COMMIT = "commit"


class EntityKind(StrEnum):
    SYMBOL = "symbol"
    """A name in code whose kind the text does not say."""
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
    """As code has it: `Client.fetch`, `--verbose`, `APP_TOKEN`, `GET /users/{id}`, `src/app.py`."""
    owner: str | None = None
    """What it belongs to, where the text says or shows it: a parameter's function, a flag's command."""


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
    """A version of a language or package, or another thing that must be there."""
    MEMBERS = "members"
    """Exactly or among others these values: of an enumeration, the choices of an option."""
    COUNT = "count"
    PARAMETER = "parameter"
    """A documented parameter is one of the function's."""
    DEPRECATED = "deprecated"
    LINKS = "links"
    """A link leads somewhere."""
    BEHAVES = "behaves"
    """Anything else: X does Y."""


class Quantifier(StrEnum):
    ALWAYS = "always"
    NEVER = "never"
    ALL = "all"
    ONLY = "only"
    AT_LEAST = "at least"
    UP_TO = "up to"
    EXACTLY = "exactly"


class Place(Frozen):
    """Where words stand in a document, to be shown or replaced: columns count code points from 0."""

    line: int = Field(ge=1)
    start: int = Field(default=0, ge=0)
    end: int = Field(default=0, ge=0)


class Assertion(Frozen):
    kind: AssertionKind
    subject: Entity | None = None
    expected: tuple[str, ...] = ()
    """What the document says it is, in its own words without quotes: one value, or several members or parameters.
    A parameter with a default is written `name=value`."""
    expected_place: Place | None = None
    """Where the (single) expected value stands, so that it can be corrected."""
    is_negated: bool = False
    quantifiers: tuple[Quantifier, ...] = ()


class DocClaim(Frozen):
    """One thing that a document says, in a form that can be compared."""

    id: str
    text: str
    """The sentence, table row or line of code, as it is read."""
    document: str
    """Path within the repository with `/`, or a commit's hash."""
    line: int = Field(ge=1)
    end_line: int = Field(ge=1)
    origin: Origin
    category: ClaimCategory
    domain: str
    """A `ClaimDomain`, or another word where the claim calls for one."""
    entities: tuple[Entity, ...] = ()
    assertion: Assertion
    depth: Depth = Depth.SHALLOW
    """How deep it is proposed to be looked into."""
    owner: str | None = None
    """A docstring's or comment's own function or class, by qualified name."""
    proposed_by: str | None = None
    """The language model that found it in the document; None for what is found without one."""


class CodeEvidence(Frozen):
    tier: EvidenceTier
    stance: Stance
    path: str
    """A file in the repository, an address, a command, a commit."""
    line: int | None = None
    quote: str
    value: str | None = None
    """What the code has in place of what the document says."""
    digest: str | None = None
    """SHA-256 of the file when it was read."""


class AgentVerdict(Frozen):
    """What one category agent makes of a claim."""

    agent: str
    verdict: CodeVerdict
    confidence: float = Field(ge=0, le=1)
    reason: str
    """One sentence."""
    evidence: tuple[CodeEvidence, ...] = ()
    depth: Depth = Depth.SHALLOW
    would_settle: str | None = None
    """Inconclusive and Ambiguous: what would."""
    rule: str = ""
    """The rule that was applied and what its alarm rests on: `option: typed, complete`."""


class CodeCorrection(Frozen):
    type: CorrectionType
    place: Place
    original: str
    """What stands at `place` now, exactly."""
    corrected: str
    confidence: float = Field(ge=0, le=1)


class Finding(Frozen):
    """What a claim came to, once it has passed the gates."""

    claim: DocClaim
    verdict: CodeVerdict
    confidence: float = Field(ge=0, le=1)
    depth: Depth
    reason: str
    evidence: tuple[CodeEvidence, ...] = ()
    sides: tuple[AgentVerdict, ...] = ()
    """Contested: every verdict with its evidence."""
    correction: CodeCorrection | None = None
    flags: tuple[EditorialFlag, ...] = ()
    gates: tuple[str, ...] = ()
    """Rules that changed the verdict, by name."""
    would_settle: str | None = None
    rule: str = ""
    """The rule behind the verdict, if one was applied."""
    is_cached: bool = False


class VerifyFailure(Frozen):
    """Something that could not be looked at. Never a verdict."""

    what: str
    message: str


class SilencedBy(StrEnum):
    COMMENT = "comment"
    BASELINE = "baseline"


class SilencedFinding(Frozen):
    """A finding that someone has decided to live with: shown as such, and no reason to fail."""

    finding: Finding
    by: SilencedBy
    reason: str
    """The comment's own; of the baseline, that it was known before."""


class Notice(Frozen):
    """Something about a document that is not a matter of truth, such as a comment that silences nothing."""

    document: str
    line: int = Field(ge=1)
    message: str


class ProposedClaims(Frozen):
    """What a language model found in documents, and what became of it."""

    model: str
    documents: int
    """How many it was shown, in this run or, unchanged, in an earlier one."""
    proposed: int
    taken: int
    """Claims that nothing else had found."""
    known: int
    """Said by a claim that was found already."""
    misplaced: int
    """Left out: their words or values do not stand in the document."""
    invented: int
    """Left out: the document does not name what they are about."""


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
    """None where no language model was asked."""

    @property
    def asked_a_model(self) -> bool:
        """Without one, nothing is found to be Incomplete, Ambiguous, Misleading, Jargon-heavy or Extraneous."""
        return self.proposals is not None

    def counts(self) -> dict[CodeVerdict, int]:
        """How many findings got each verdict; verdicts that did not occur are left out."""
        found = [finding.verdict for finding in self.findings]
        return {verdict: found.count(verdict) for verdict in CodeVerdict if verdict in found}
