"""One agent a domain, each on its own; a claim that touches two domains is seen by both."""

from pathlib import Path

from tests.unit.code.compare.project import a, claim_of, index_of

from veridic.code.agents import domains_of, embedded_agents
from veridic.domain.code import AssertionKind, ClaimDomain, Depth, EntityKind

FILES = {"app.py": 'import os\n\nTOKEN = os.environ.get("APP_TOKEN", "none")\n'}
VARIABLE = a(EntityKind.ENVIRONMENT, "APP_TOKEN")


def test_every_standard_domain_has_its_agent(tmp_path: Path) -> None:
    agents = embedded_agents(index_of(tmp_path, FILES))
    assert set(agents) == {str(domain) for domain in ClaimDomain}
    assert all(agent.domain == domain for domain, agent in agents.items())


def test_another_domain_gets_an_agent_of_its_own_name(tmp_path: Path) -> None:
    agents = embedded_agents(index_of(tmp_path, FILES))
    claim = claim_of(AssertionKind.DEFAULT, VARIABLE, "secret", domain="accessibility")
    verdict = agents["accessibility"].verify(claim, Depth.MEDIUM)
    assert verdict is not None
    assert verdict.agent == "accessibility"


def test_a_claim_of_two_domains_is_seen_by_both_and_by_nobody_else(tmp_path: Path) -> None:
    agents = embedded_agents(index_of(tmp_path, FILES))
    claim = claim_of(
        AssertionKind.DEFAULT,
        VARIABLE,
        "secret",
        domain=ClaimDomain.CONFIGURATION,
        text="The password is secret.",
    )
    assert domains_of(claim) == ("configuration", "security")
    verdicts = {domain: agent.verify(claim, Depth.MEDIUM) for domain, agent in agents.items()}
    assert {domain for domain, verdict in verdicts.items() if verdict} == {"configuration", "security"}
    assert {verdict.agent for verdict in verdicts.values() if verdict} == {"configuration", "security"}


def test_an_agent_says_nothing_of_what_it_can_not_compare(tmp_path: Path) -> None:
    agents = embedded_agents(index_of(tmp_path, FILES))
    claim = claim_of(AssertionKind.BEHAVES, None, domain=ClaimDomain.SECURITY, text="It is secure.")
    assert agents["security"].verify(claim, Depth.DEEP) is None
