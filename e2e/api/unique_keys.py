"""
Gives each request of a scenario an Idempotency-Key of its own. A repeat gets the first answer again, also when
what that one made has been removed since: a peer that looks for it then would find a fault.
"""

import re
from itertools import count
from typing import Any

import schemathesis
from schemathesis.generation.meta import TestPhase

_NAME = "Idempotency-Key"

_SOUND = re.compile(r"[!-~]{1,100}")
"""Others are left as they are: the server must refuse them."""

_numbers = count()


@schemathesis.hook
def before_call(_context: Any, case: Any, _kwargs: Any) -> None:
    if case.meta is None or case.meta.phase.name is not TestPhase.STATEFUL:
        return
    key = (case.headers or {}).get(_NAME)
    if isinstance(key, str) and _SOUND.fullmatch(key):
        case.headers[_NAME] = f"{key}-{next(_numbers)}"
