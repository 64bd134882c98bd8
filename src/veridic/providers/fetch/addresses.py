"""Decides which IP addresses may be fetched. Every connection goes through `checked_addresses`."""

import socket
import threading
from collections.abc import Callable, Collection, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network

from veridic.domain.errors import FetchError, ForbiddenAddressError, UnknownHostError

Resolver = Callable[[str, int, float], Sequence[str]]
"""Maps host, port and a timeout in seconds to the host's IP addresses. Raises `FetchError` if there are none."""
_UNKNOWN_HOST_ERRORS = frozenset({socket.EAI_NONAME, getattr(socket, "EAI_NODATA", socket.EAI_NONAME)})

# In addition to what Python treats as private: shared (CGNAT), translated (NAT64), tunnelled, deprecated.
_BLOCKED_NETWORKS = tuple(
    ip_network(network)
    for network in (
        "0.0.0.0/8",
        "100.64.0.0/10",
        "192.0.0.0/24",
        "192.88.99.0/24",
        "198.18.0.0/15",
        "240.0.0.0/4",
        "::/96",
        "64:ff9b::/96",
        "64:ff9b:1::/48",
        "100::/64",
        "2001::/23",
        "2001:db8::/32",
        "2002::/16",
        "fc00::/7",
        "fec0::/10",
    )
)


def is_public(address: str) -> bool:
    """Whether an IP address is on the public internet."""
    try:
        parsed: IPv4Address | IPv6Address = ip_address(address.partition("%")[0])
    except ValueError:
        return False
    if isinstance(parsed, IPv6Address) and parsed.ipv4_mapped is not None:
        parsed = parsed.ipv4_mapped
    if not parsed.is_global or parsed.is_multicast or parsed.is_reserved or parsed.is_link_local:
        return False
    return not any(parsed.version == network.version and parsed in network for network in _BLOCKED_NETWORKS)


def checked_addresses(host: str, addresses: Sequence[str], allowed_hosts: Collection[str]) -> Sequence[str]:
    """Return the addresses of `host`. Raises `ForbiddenAddressError` if one is not public and the host is not allowed."""
    if host.lower().rstrip(".") in allowed_hosts or all(is_public(address) for address in addresses):
        return addresses
    raise ForbiddenAddressError(
        f"{host} leads to a private or local network address, which is not fetched; "
        "VERIDIC_FETCH_ALLOW_HOSTS can name it as an exception."
    )


def resolve(host: str, port: int, seconds: float) -> Sequence[str]:
    """Look up a host with the system's resolver, which has no timeout of its own."""
    found: list[str] = []
    failures: list[Exception] = []

    def look_up() -> None:
        try:
            answers = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError) as error:
            failures.append(error)
            return
        found.extend(dict.fromkeys(str(answer[4][0]) for answer in answers))

    thread = threading.Thread(target=look_up, daemon=True, name="veridic-resolve")
    thread.start()
    thread.join(seconds)
    if thread.is_alive():
        raise FetchError(f"The host {host} could not be looked up within {seconds:.0f} seconds.")
    addresses = tuple(found)
    if not addresses:
        is_unknown = any(
            isinstance(error, socket.gaierror) and error.errno in _UNKNOWN_HOST_ERRORS for error in failures
        )
        kind = UnknownHostError if is_unknown else FetchError
        raise kind(f"The host {host} was not found: check the address and the network connection.")
    return addresses
