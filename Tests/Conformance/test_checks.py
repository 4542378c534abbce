"""The checks of `Sources/Providers/*/Checks` and of `Sources/Control/Checks`, sent to the program.
`CheckTests` sends them in process, and compares golden files as well."""

import pytest

import checks
import ringfence


@pytest.fixture(scope="module")
def runner():
    with ringfence.Server("--clock", "2026-01-05T10:20:30Z") as server:
        yield checks.Runner(server)


@pytest.mark.parametrize("check", [check for name in checks.FOLDERS for check in checks.of(name)], ids=str)
def test_check(runner, check):
    assert runner.run(check) == []
