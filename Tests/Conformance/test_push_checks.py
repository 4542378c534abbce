"""Every numbered check of the push contract is a check or a test of that number."""

import re

import checks
import ringfence

CONTRACT = ringfence.ROOT / "Docs/Contracts/push-gateway.md"


def test_push_every_check_has_a_test():
    numbers = {int(number) for number in re.findall(r"^\| P(\d+)(?: \(neg\))? \|", CONTRACT.read_text("utf-8"), re.M)}
    tests = "\n".join(path.read_text("utf-8") for path in (ringfence.ROOT / "Tests/Conformance").glob("test_*.py"))

    tested = {int(number) for number in re.findall(r"^def test_push_(\d\d)_", tests, re.M)}
    told = {int(number[1:]) for provider in ("FCM", "APNs") for check in checks.of(provider)
            for number in check.numbers if number[0] == "P"}

    assert numbers == set(range(1, 39))
    assert tested | told == numbers
