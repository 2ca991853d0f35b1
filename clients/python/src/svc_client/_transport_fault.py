"""Why no answer came, as a stable code. Never the text of an error, which may carry secrets."""

from __future__ import annotations

import errno
import re

_CODE = re.compile(r"[A-Z][A-Z0-9_]{1,63}")

UNKNOWN = "unknown transport error"


class TransportFault(Exception):
    """No whole answer could be read."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


def transport_code(error: BaseException) -> str:
    """The stable code of a transport error, such as `ECONNREFUSED` or `CERTIFICATE_VERIFY_FAILED`."""
    if isinstance(error, TransportFault):
        return error.code
    reason = getattr(error, "reason", None)
    if isinstance(reason, str) and _CODE.fullmatch(reason):
        return reason
    if isinstance(error, OSError):
        import socket

        if isinstance(error, socket.gaierror):
            names = (name for name in dir(socket) if name.startswith("EAI_"))
            return next((name for name in names if getattr(socket, name) == error.errno), "EAI_FAIL")
        return errno.errorcode.get(error.errno or 0, UNKNOWN)
    # The resolver refuses a name that DNS cannot say with an error of its encoding.
    return "EAI_NONAME" if isinstance(error, UnicodeError) else UNKNOWN
