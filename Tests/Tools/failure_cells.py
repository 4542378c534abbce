"""Writes Sources/Console/Assets/FailureCells.json: what each provider shows for each kind of failure, as far
as it differs from the flow without a failure. `make docs` runs it; the console's *Break* shows it.

Source: Tests/Contracts/failures, which Tests/Conformance/test_failures.py compares with the official clients.
"""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
RECORDS = ROOT / "Tests/Contracts/failures"


def cells():
    """By failure and provider: names and values of what differs. A text: the provider has no such thing."""
    found = {}
    for file in sorted(RECORDS.glob("*/*.json")):
        record = json.loads(file.read_text(encoding="utf-8"))
        usual = record.pop("none", {})
        reason = record.pop("notApplicable", None)
        if reason:
            found.setdefault(f"flow {file.parent.name}", {})[file.stem] = reason
        for failure, places in record.items():
            found.setdefault(failure, {})[file.stem] = {
                place: value for place, value in places.items() if usual.get(place) != value}
    return found


def main():
    text = json.dumps(cells(), separators=(",", ":"), sort_keys=True, ensure_ascii=False)
    (ROOT / "Sources/Console/Assets/FailureCells.json").write_text(text + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
