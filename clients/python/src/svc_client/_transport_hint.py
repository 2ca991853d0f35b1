"""What an operator can do about a question that got no answer."""

from __future__ import annotations

import re
from typing import NamedTuple


class TransportHint(NamedTuple):
    hint: str
    retryable: bool
    """False: the same question cannot be answered before a setting changes."""


_NOT_TLS = re.compile("WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG|RECORD_LAYER_FAILURE|UNKNOWN_PROTOCOL")
_CERTIFICATE = re.compile("CERT|UNABLE_TO_VERIFY|UNABLE_TO_GET_ISSUER|ALTNAME")
_NO_ADDRESS = re.compile("^(EAI_|ENOTFOUND)")


def transport_hint(base_url: str, code: str) -> TransportHint:
    """TypeScript says the same; the vectors of transport-hints hold both to it."""
    if code == "BAD_PORT":
        port = f"fetch refuses to connect to the port of {base_url}. Choose another port for the gateway."
        return TransportHint(port, False)
    if _NOT_TLS.search(code):
        plain = f"The server at {base_url} does not speak TLS. If it is the gateway, SVC_URL begins with http://."
        return TransportHint(plain, False)
    if _CERTIFICATE.search(code):
        untrusted = (
            f"The certificate of {base_url} was not accepted ({code}). Trust the authority that issued it, "
            "and name the gateway in SVC_URL as the certificate does."
        )
        return TransportHint(untrusted, True)
    if _NO_ADDRESS.search(code):
        nowhere = f"The host of {base_url} has no address. Set SVC_URL to the address of the gateway."
        return TransportHint(nowhere, True)
    if code == "CLIENT_CLOSED":
        return TransportHint("The client was closed before the call. Keep it open while calls are made.", False)
    away = f"No gateway answered at {base_url}. Start it there, or set SVC_URL to its address."
    return TransportHint(away, True)
