"""What shows that a process or a client asks a real gateway, which a test gateway must never answer for."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import TypeAlias

from .._settings import ClientSettings, make_settings
from ._engine import PolicyGatewayError

Address: TypeAlias = "tuple[bool, str, int, str]"


def real_gateway_of_process(environment: Mapping[str, str]) -> str | None:
    """Why this process asks one; None where nothing says so."""
    if environment.get("SVC_URL"):
        return (
            "SVC_URL is set, so this process asks a real gateway, and a test gateway would answer in its place. "
            'Unset SVC_URL in tests: monkeypatch.delenv("SVC_URL", raising=False)'
        )
    return None


def real_gateway_of(settings: ClientSettings, addresses: Collection[Address]) -> str | None:
    """Why a client may be meant for one; None where it is not."""
    if settings.api_key is None or _address_of(settings) in addresses:
        return None
    return (
        f"A PolicyGateway is open, and this client has an API key for {settings.base_url}, which may be a real gateway. "
        "Make the client without a key, or name the address in addresses of the PolicyGateway"
    )


def addresses_of(addresses: Iterable[str]) -> frozenset[Address]:
    """Raises PolicyGatewayError for what is not an address."""
    try:
        return frozenset(_address_of(make_settings(each, None)) for each in addresses)
    except ValueError as error:
        raise PolicyGatewayError(f"addresses: {error}") from None


def _address_of(settings: ClientSettings) -> Address:
    return settings.is_tls, settings.host.lower(), settings.port, settings.prefix
