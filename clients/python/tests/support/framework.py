"""Skips the tests of a framework that is not there. Where SVC_FRAMEWORK names it, it must be there."""

from __future__ import annotations

import os

import pytest


def need(module: str) -> None:
    if "SVC_FRAMEWORK" not in os.environ:
        pytest.importorskip(module)
