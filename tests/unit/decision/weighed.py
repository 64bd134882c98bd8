"""Builds evidence with a given weight, stance and date."""

from tests.builders import make_evidence, make_source

from veridic.domain.evidence import Evidence, Quality, Stance


def weighted(
    stance: Stance,
    quality: float = 0.5,
    *,
    relevance: float = 1.0,
    when: str | None = "2025",
    name: str = "source",
    probability: float = 0.95,
    close: bool = False,
) -> Evidence:
    """All four factors are `quality`, so it is also the score; the weight is the score times the relevance."""
    evidence = make_evidence(
        f"{name} says so.",
        stance=stance,
        source=make_source(name, url=f"https://{name}.example/", published=when),
        relevance=relevance,
    )
    factors = dict.fromkeys(("authority", "recency", "relevance", "specificity"), quality)
    assessment = evidence.assessment.model_copy(update={"probability": probability, "close": close})
    return evidence.model_copy(update={"quality": Quality.model_validate(factors), "assessment": assessment})


def supporting(quality: float = 0.5, **details: object) -> Evidence:
    return weighted(Stance.SUPPORTING, quality, **details)  # type: ignore[arg-type]


def contradicting(quality: float = 0.5, **details: object) -> Evidence:
    return weighted(Stance.CONTRADICTING, quality, **details)  # type: ignore[arg-type]


def contextual(quality: float = 0.5, **details: object) -> Evidence:
    return weighted(Stance.CONTEXTUAL, quality, **details)  # type: ignore[arg-type]
