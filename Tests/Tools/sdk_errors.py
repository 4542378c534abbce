"""Expects the errors that official clients raise."""

import pytest


def refused(kind, code, param=None):
    """Expects the SDK's exception with this code and this field."""
    return pytest.raises(kind, check=lambda error: (error.body["code"], error.body.get("param")) == (code, param))
