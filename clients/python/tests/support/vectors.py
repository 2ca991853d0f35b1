"""The vectors that readers in every language share. Outside the repository they are not there."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

VECTORS = Path(os.environ.get("SVC_VECTORS") or Path(__file__).parents[4] / "packages/contract/vectors")


def cases(name: str) -> list[Any]:
    path = VECTORS / f"{name}.json"
    loaded: list[Any] = json.loads(path.read_text("utf-8"))["cases"] if path.exists() else []
    return loaded


def described(case: Any) -> str:
    return str(case.get("description") or case.get("text") or case.get("bits") or case.get("value"))[:60]
