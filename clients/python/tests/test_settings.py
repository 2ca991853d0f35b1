"""Where address and key come from, and what is refused."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import svc_client
from support.gateways import ScriptedGateway
from svc_client import AsyncClient, Client, govern_call
from svc_client._settings import make_settings, settings_from_environment


def test_the_synchronous_client_reads_the_environment(gateway: ScriptedGateway) -> None:
    environment = {
        "SVC_URL": gateway.url,
        "SVC_API_KEY": "svc_id_secret",
        "SVC_ORG_ID": "org-1",
        "SVC_DECISION_TIMEOUT_MS": "9000",
    }
    with Client(environment=environment) as client:
        assert client.decide("pay", {}, "a").decision == "allow"
    headers = gateway.seen[0].headers
    assert (headers["authorization"], headers["x-svc-org-id"]) == ("Bearer svc_id_secret", "org-1")


def test_what_is_given_goes_before_the_environment(gateway: ScriptedGateway) -> None:
    environment = {"SVC_URL": "http://localhost:1", "SVC_API_KEY": "other"}
    with Client(gateway.url, "given", environment=environment) as client:
        client.decide("pay", {}, "a")
    assert gateway.seen[0].headers["authorization"] == "Bearer given"


def test_the_asynchronous_client_reads_no_variable(
    gateway: ScriptedGateway, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("SVC_URL", "SVC_API_KEY", "SVC_ORG_ID", "SVC_DECISION_TIMEOUT_MS"):
        monkeypatch.setenv(name, "not usable")

    async def main() -> str:
        async with AsyncClient(gateway.url, None) as client:
            return (await client.decide("pay", {}, "a")).decision

    assert asyncio.run(main()) == "allow"
    assert "authorization" not in gateway.seen[0].headers
    with pytest.raises(TypeError):
        AsyncClient()  # type: ignore[call-arg] # pyright: ignore[reportCallIssue]


def test_a_call_without_a_client_uses_that_of_the_environment(gateway: ScriptedGateway) -> None:
    code = "import svc_client; print(svc_client.govern_call('pay', {}, agent_id='a', fn=lambda: 'ran'))"
    source = str(Path(svc_client.__file__).parents[1])
    env = {**os.environ, "PYTHONPATH": source, "SVC_URL": gateway.url, "SVC_API_KEY": "k"}
    ended = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert ended.stdout == "ran\n"
    assert gateway.seen[0].headers["authorization"] == "Bearer k"
    # The report of a process that ends at once is sent all the same.
    assert [each["status"] for each in gateway.outcomes] == ["succeeded"]


def test_a_variable_that_is_not_usable_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("svc_client._default_client._client", None)
    monkeypatch.setenv("SVC_URL", "gateway.example")

    def never() -> None:
        raise AssertionError("invoked")

    with pytest.raises(ValueError, match="base_url: SVC_URL"):
        govern_call("pay", {}, agent_id="a", fn=never)


@pytest.mark.parametrize(
    ("base_url", "told"),
    [
        ("", "must begin with http"),
        ("gateway.example", "must begin with http"),
        ("ftp://gateway.example", "must begin with http"),
        ("http://", "xn--"),
        ("http://user:secret@gateway.example", "pass the key as api_key"),
        ("http://gateway.example/?a=1", "without a query"),
        ("http://gateway.example/#a", "without a query"),
        ("http://gateway.example?", "without a query"),
        ("http://gateway.example:0", "from 1 to 65535"),
        ("http://gateway.example:65536", "cannot be read"),
        ("http://gateway.example:x", "cannot be read"),
        ("http://gäteway.example", "xn--"),
        ("http://gateway example", "xn--"),
        ("http://gateway.example/a b", "percent-encoded"),
        (7, "a value of type int"),
    ],
)
def test_an_address_that_is_not_usable(base_url: Any, told: str) -> None:
    with pytest.raises(ValueError, match="base_url: expected an address such as") as refused:
        make_settings(base_url, None)
    assert told in str(refused.value)
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("line_break", ["\r\n", "\n", "\t", "\0"])
def test_no_setting_can_become_another_header(line_break: str) -> None:
    for given in (
        {"base_url": f"http://gateway.example/{line_break}x: y"},
        {"api_key": f"svc_secret{line_break}x: y"},
        {"org_id": f"org{line_break}x: y"},
    ):
        settings: dict[str, Any] = {"base_url": "http://gateway.example", "api_key": None, **given}
        try:
            made = make_settings(**settings)
        except ValueError as error:
            assert "svc_secret" not in str(error)
        else:
            # The parser of addresses leaves line breaks and tabs out.
            assert line_break not in made.prefix + made.authority


@pytest.mark.parametrize("timeout_ms", [0, 49, 60_001, -1, 1.5, "fast", True])
def test_a_timeout_that_is_not_usable(timeout_ms: Any) -> None:
    with pytest.raises(ValueError, match="timeout_ms: expected whole milliseconds from 50 to 60000"):
        make_settings("http://localhost", None, None, timeout_ms)


@pytest.mark.parametrize("text", ["1e3", "5000ms", "-1", "99999999999"])
def test_a_timeout_of_the_environment_that_is_not_usable(text: str) -> None:
    with pytest.raises(ValueError, match="timeout_ms: SVC_DECISION_TIMEOUT_MS"):
        settings_from_environment({"SVC_DECISION_TIMEOUT_MS": text})


def test_settings_never_show_the_key() -> None:
    assert "secret" not in repr(make_settings("http://localhost", "svc_secret"))


@pytest.mark.parametrize(
    ("base_url", "host", "port", "prefix"),
    [
        ("http://localhost:8080", "localhost", 8080, ""),
        ("https://gateway.example", "gateway.example", 443, ""),
        ("http://gateway.example/", "gateway.example", 80, ""),
        ("http://[::1]:8080/svc/", "::1", 8080, "/svc"),
        ("HTTP://Gateway.example:81/a/b", "Gateway.example", 81, "/a/b"),
    ],
)
def test_addresses(base_url: str, host: str, port: int, prefix: str) -> None:
    made = make_settings(base_url, None)
    assert (made.host, made.port, made.prefix) == (host, port, prefix)
