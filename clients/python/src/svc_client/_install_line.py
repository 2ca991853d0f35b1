"""What installs an extra of this package."""

from __future__ import annotations


def install_line(extra: str) -> str:
    """The package is in no index yet, so it is installed from a clone."""
    return f"Run in a clone of the repository: pip install './clients/python[{extra}]'"
