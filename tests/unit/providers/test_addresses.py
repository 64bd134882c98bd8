"""Private addresses can't be reached: not by another spelling, not by DNS, not by a changing DNS answer."""

import socket
from collections.abc import Sequence

import pytest

from veridic.config.settings import Settings
from veridic.domain.errors import FetchError, ForbiddenAddressError, InputError
from veridic.providers.fetch.addresses import checked_addresses, is_public, resolve
from veridic.providers.fetch.http import HttpFetcher


@pytest.mark.parametrize(
    "address",
    [
        "127.0.0.1",
        "127.255.255.254",
        "10.1.2.3",
        "172.16.0.1",
        "192.168.1.1",
        "169.254.169.254",
        "100.64.0.1",
        "0.0.0.0",
        "224.0.0.1",
        "240.0.0.1",
        "255.255.255.255",
        "192.0.2.1",
        "198.18.0.1",
        "::1",
        "::",
        "::ffff:127.0.0.1",
        "::ffff:10.0.0.1",
        "::127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::a00:1",
        "2002:7f00:1::",
        "2001::1",
        "fc00::1",
        "fd12:3456::1",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "2001:db8::1",
        "not an address",
    ],
)
def test_non_public_addresses(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.215.14", "8.8.8.8", "2606:4700::1111", "::ffff:8.8.8.8"])
def test_public_addresses(address: str) -> None:
    assert is_public(address)


def test_one_private_address_among_public_is_refused() -> None:
    with pytest.raises(ForbiddenAddressError):
        checked_addresses("example.org", ["93.184.215.14", "10.0.0.1"], ())


def test_allowed_hosts_ignore_case_and_final_dot() -> None:
    assert checked_addresses("Intranet.Example.", ["10.0.0.1"], ("intranet.example",)) == ["10.0.0.1"]


@pytest.mark.parametrize(
    "host", ["2130706433", "0x7f.1", "127.1", "0177.0.0.1", "[::ffff:127.0.0.1]", "localhost"]
)
def test_other_spellings_of_localhost_are_refused(host: str) -> None:
    with pytest.raises(InputError):  # not a FetchError: there was no connection attempt
        HttpFetcher(Settings()).fetch(f"http://{host}:9/")


def test_connects_only_to_the_checked_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    answers = iter([["93.184.215.14"], ["127.0.0.1"]])
    connected: list[tuple[str, int]] = []

    def rebinding(_host: str, _port: int, _seconds: float) -> Sequence[str]:
        return next(answers)

    def connect(address: tuple[str, int], *_rest: object, **_options: object) -> socket.socket:
        connected.append(address)
        raise ConnectionRefusedError

    monkeypatch.setattr(socket, "create_connection", connect)
    with pytest.raises(FetchError, match="No connection"):
        HttpFetcher(Settings(), resolver=rebinding).fetch("http://rebinding.example/")
    assert connected == [("93.184.215.14", 80)]


def test_environment_proxies_are_ignored(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:9")
    with pytest.raises(ForbiddenAddressError, match=r"^10\.0\.0\.1 leads"):
        HttpFetcher(Settings()).fetch("http://10.0.0.1/")


def test_unknown_host_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(*_arguments: object, **_options: object) -> None:
        raise socket.gaierror

    monkeypatch.setattr(socket, "getaddrinfo", fails)
    with pytest.raises(FetchError, match=r"nowhere\.example was not found"):
        resolve("nowhere.example", 80, 5.0)
