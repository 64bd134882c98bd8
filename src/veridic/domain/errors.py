"""The errors a user can act on.

    VeridicError                    exit 3
    ├── InputError                  exit 2   the input can't be read
    │   ├── NotFoundError                    no such file, folder, corpus or run
    │   ├── UnsupportedInputError            binary, unknown encoding, unknown format, encrypted
    │   ├── EmptyInputError                  nothing in it to check
    │   ├── TooLargeError                    over a size limit
    │   ├── PartlyReadError                  some parts of the input can't be used; the others were read
    │   └── ForbiddenAddressError            a URL that leads to a private network
    ├── UsageError                  exit 2   options that don't fit together, a bad setting
    ├── ProviderError               exit 3   an external service failed
    │   ├── FetchError                       a page could not be fetched
    │   │   └── UnknownHostError             no host has that name
    │   ├── SearchError                      a search provider gave no usable results
    │   │   └── SearchAccessError            key, credit or permission: a retry won't help
    │   ├── OidcError                        the issuer of sign-ins gave no proof of who somebody is
    │   ├── GitError                         git is missing, or could not answer
    │   ├── DamagedModelError                the model's files are not what was published
    │   └── ModelError                       a language model gave no usable answer
    │       ├── ModelUnreachableError        no connection, 5xx, no answer in time
    │       ├── ModelRateLimitError          429, and still 429 after waiting
    │       ├── ModelAccessError             401, 402, 403: key, credit or permission
    │       ├── UnknownModelError            404: no such model; or no provider is set up for it
    │       ├── ModelRequestError            400 and the like: the provider rejected the request
    │       ├── ModelRefusalError            the model refused to answer
    │       ├── CutOffAnswerError            the answer ended at the length limit
    │       ├── OversizedAnswerError         the answer exceeds the size limit and was not read
    │       └── EmptyAnswerError             the answer has no text, or is not a model's answer at all
    ├── BudgetError                 exit 3   the next call would exceed the cost or token limit
    ├── TimeLimitError              exit 3   the run reached its time limit
    ├── BusyError                   exit 3   too many checks are already waiting
    ├── StoppedError                exit 3   somebody cancelled the run, or another process took it over
    ├── ForbiddenError              exit 3   this person may not do that
    ├── ConflictError               exit 3   its state doesn't allow it, or somebody else was faster
    │   └── VersionConflictError             it was changed since this person opened it; has the changes
    └── StorageError                exit 3   the database or an index can't be used

Each message is one sentence for the user: what is wrong and, if possible, how to fix it.
Any other exception is a bug.
"""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar


class VeridicError(Exception):
    """`str(error)` is one clear sentence; `exit_code` is the exit code of the command line."""

    exit_code: ClassVar[int] = 3


class InputError(VeridicError):
    exit_code = 2


class NotFoundError(InputError):
    pass


class UnsupportedInputError(InputError):
    pass


class EmptyInputError(InputError):
    pass


class TooLargeError(InputError):
    pass


class PartlyReadError(InputError):
    pass


class ForbiddenAddressError(InputError):
    pass


class UsageError(VeridicError):
    exit_code = 2


class ProviderError(VeridicError):
    pass


class FetchError(ProviderError):
    pass


class UnknownHostError(FetchError):
    pass


class SearchError(ProviderError):
    """The message names the provider and gives its reason."""


class SearchAccessError(SearchError):
    pass


class OidcError(ProviderError):
    """The message is the reason only, with nothing secret in it; the sign-in page names the issuer."""


class GitError(ProviderError):
    pass


class DamagedModelError(ProviderError):
    pass


class ModelError(ProviderError):
    """The message names the model and gives the provider's reason."""


class ModelUnreachableError(ModelError):
    pass


class ModelRateLimitError(ModelError):
    pass


class ModelAccessError(ModelError):
    pass


class UnknownModelError(ModelError):
    pass


class ModelRequestError(ModelError):
    pass


class ModelRefusalError(ModelError):
    pass


class CutOffAnswerError(ModelError):
    pass


class OversizedAnswerError(ModelError):
    pass


class EmptyAnswerError(ModelError):
    pass


class BudgetError(VeridicError):
    pass


class TimeLimitError(VeridicError):
    pass


class StoppedError(VeridicError):
    pass


class BusyError(VeridicError):
    pass


class ForbiddenError(VeridicError):
    """The message says what is missing: a right, or a second person."""


class ConflictError(VeridicError):
    """Nothing was changed; the message says what stands in the way."""


class VersionConflictError(ConflictError):
    """It was changed since this person opened it."""

    def __init__(self, sentence: str, *, version: int = 0, changes: Sequence[Mapping[str, Any]] = ()) -> None:
        """`version` is the current one; `changes` since the one that was seen have `by`, `at`, `action`, `before`, `after`."""
        super().__init__(sentence)
        self.version = version
        self.changes = tuple(changes)


class StorageError(VeridicError):
    pass


def too_large(what: str, limit: int) -> TooLargeError:
    """Return the error for a document larger than `Settings.max_document_bytes`."""
    return TooLargeError(f"{what} is larger than {limit:,} bytes; VERIDIC_MAX_DOCUMENT_BYTES sets the limit.")


def missing_extra(extra: str, what: str) -> UsageError:
    """Return the error for something that needs an optional part of the package."""
    return UsageError(f"{what} needs an extra: pip install 'veridic[{extra}]'.")
