"""The checks of `Sources/Providers/*/Checks`, sent to the program. `CheckTests` sends them in process, and
compares golden files as well."""

import pytest

import checks
import ringfence

PROVIDERS = sorted(folder.parent.name for folder in ringfence.ROOT.glob("Sources/Providers/*/Checks"))


@pytest.fixture(scope="module")
def runner():
    with ringfence.Server("--clock", "2026-01-05T10:20:30Z") as server:
        yield checks.Runner(server)


@pytest.mark.parametrize("check", [check for provider in PROVIDERS for check in checks.of(provider)], ids=str)
def test_check(runner, check):
    assert runner.run(check) == []
