"""Everything that can go wrong in a way a user can do something about.

    VeridicError                    exit 3
    ├── InputError                  exit 2   what was given can't be read
    │   ├── NotFoundError                    no such file, folder, corpus or run
    │   ├── UnsupportedInputError            binary, unknown encoding, unknown format, encrypted
    │   ├── EmptyInputError                  nothing in it to check
    │   ├── TooLargeError                    over a size limit
    │   ├── PartlyReadError                  some of it, of independent parts, is of no use; the rest was read
    │   └── ForbiddenAddressError            a URL that leads to a private network
    ├── UsageError                  exit 2   options that don't fit together, a bad setting
    ├── ProviderError               exit 3   the outside world failed
    │   ├── FetchError                       a page could not be fetched
    │   │   └── UnknownHostError             there is no host of that name
    │   ├── SearchError                      a search provider gave no results that can be used
    │   │   └── SearchAccessError            key, credit or permission: asking it again is no use
    │   ├── GitError                         git is missing, or could not answer
    │   ├── DamagedModelError                the model's files are not what was published
    │   └── ModelError                       a language model gave no answer that can be used
    │       ├── ModelUnreachableError        no connection, 5xx, no answer in time
    │       ├── ModelRateLimitError          429, and still 429 after waiting
    │       ├── ModelAccessError             401, 402, 403: key, credit or permission
    │       ├── UnknownModelError            404: no such model; or no provider is set up for it
    │       ├── ModelRequestError            400 and the like: the provider does not take the request
    │       ├── ModelRefusalError            the model would not answer
    │       ├── CutOffAnswerError            the answer ended at the length limit
    │       ├── OversizedAnswerError         the answer is longer than any that was asked for, and was not read
    │       └── EmptyAnswerError             the answer has no text, or is no answer of a model at all
    ├── BudgetError                 exit 3   the next call would pass the limit of cost or tokens
    ├── TimeLimitError              exit 3   the run's time is over
    ├── BusyError                   exit 3   too many checks are waiting already
    └── StorageError                exit 3   the database or an index can't be used

Each carries one sentence for the user: what is wrong and, where there is one, the way out.
Anything else that is raised is a bug.
"""

from typing import ClassVar


class VeridicError(Exception):
    """`str(error)` is one clear sentence; `exit_code` is what the command line ends with."""

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
    """Says which provider it was, and its own reason."""


class SearchAccessError(SearchError):
    pass


class GitError(ProviderError):
    pass


class DamagedModelError(ProviderError):
    pass


class ModelError(ProviderError):
    """Says which model it was, and the provider's own reason."""


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


class BusyError(VeridicError):
    pass


class StorageError(VeridicError):
    pass
