"""Writes the tables of settings in Docs/Providers/*.md from Seeds/schema.json. `make docs` runs it."""

import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
DEFINITIONS = json.loads((ROOT / "Seeds/schema.json").read_text())["$defs"]


def values(member):
    """The allowed values in a few words."""
    if "enum" in member:
        return ", ".join(f"`{value}`" for value in member["enum"] if value is not None)
    kinds = member.get("type", "any value")
    kind = " or ".join(kind for kind in ([kinds] if isinstance(kinds, str) else kinds) if kind != "null")
    if kind == "array":
        return f"array of {values(member['items'])}"
    if "minimum" in member:
        return f"{kind} {member['minimum']}…{member['maximum']}" if "maximum" in member else f"{kind} from {member['minimum']}"
    return kind


def table(provider):
    rows = [f"| `{name}` | {values(member)} | {member.get('description', '')} |"
            for name, member in DEFINITIONS[f"{provider}Settings"]["properties"].items()]
    return "\n".join(["| Setting | Values | Meaning |", "| --- | --- | --- |", *rows])


def main():
    for page in sorted((ROOT / "Docs/Providers").glob("*.md")):
        text = page.read_text()
        page.write_text(re.sub(
            r"(<!-- settings (\w+) -->\n).*?(<!-- end -->)",
            lambda found: f"{found[1]}{table(found[2])}\n{found[3]}", text, flags=re.S))


if __name__ == "__main__":
    main()
