"""What a user reads who imports an adapter without its framework."""

from __future__ import annotations

from ..._install_line import install_line


def missing_framework(extra: str, error: ImportError) -> ImportError:
    """`extra` is the name of the adapter's module; its extra is spelled with hyphens."""
    return ImportError(
        f"svc_client.integrations.{extra} needs its framework, which cannot be imported ({error}). "
        f"{install_line(extra.replace('_', '-'))}",
        name=error.name,
    )
