"""What a user reads who imports an adapter without its framework."""

from __future__ import annotations


def missing_framework(extra: str, error: ImportError) -> ImportError:
    """`extra` is the name of the adapter's module; its extra is spelled with hyphens."""
    package = f"svc-client[{extra.replace('_', '-')}]"
    return ImportError(
        f"svc_client.integrations.{extra} needs its framework, which cannot be imported ({error}). "
        f"Install it: pip install '{package}'",
        name=error.name,
    )
