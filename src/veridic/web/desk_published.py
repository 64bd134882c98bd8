"""How pages show what was published: signs on the desk's own scale, and the text with its claims marked."""

from dataclasses import replace

from veridic.desk.published import PublicPage, Publisher
from veridic.web.desk_words import rating_sign
from veridic.web.marks import ClaimMark, Sign, TextPiece, split_text


def sign_of(desk: Publisher, rating: str | None) -> Sign | None:
    sign = rating_sign(rating)
    return replace(sign, word=desk.ratings.get(rating or "", sign.word)) if sign else None


def marked_text(page: PublicPage, desk: Publisher) -> tuple[TextPiece, ...]:
    """Return the checked text with its claims marked."""
    return split_text(
        page.content.text,
        [
            ClaimMark(number, claim.span, sign_of(desk, claim.rating))
            for number, claim in enumerate(page.content.claims, 1)
            if claim.span is not None
        ],
    )
