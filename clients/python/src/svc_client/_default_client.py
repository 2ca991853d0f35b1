"""The client of calls that name none."""

from __future__ import annotations

import threading

from ._client import Client

_lock = threading.Lock()
_client: Client | None = None


def default_client() -> Client:
    """
    Made from the environment when it is first asked for, so that importing the library reads nothing.

    Raises ValueError for a variable that is not usable.
    """
    global _client
    with _lock:
        if _client is None:
            _client = Client()
        return _client
