"""Words without which a rule need not look at a text: plain searches are far quicker than patterns."""

from collections.abc import Callable


def cue(words: str, *phrases: str) -> Callable[[str], bool]:
    """A test whether any of the words (between spaces) or phrases occurs in a text, in small letters or capitals."""
    wanted = (*words.split(), *phrases)

    def occurs(text: str) -> bool:
        lowered = text.lower()
        for word in wanted:  # noqa: SIM110 - `any` takes twice as long, and this is asked of every sentence
            if word in lowered:
                return True
        return False

    return occurs
