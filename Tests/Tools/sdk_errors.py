"""What official clients raise when a provider says no."""

import pytest


def refused(kind, code, param=None):
    """Expects the SDK's exception with this code, blaming this field."""
    return pytest.raises(kind, check=lambda error: (error.body["code"], error.body.get("param")) == (code, param))
