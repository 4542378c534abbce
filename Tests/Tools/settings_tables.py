"""Writes the tables of settings in Docs/Providers/*.md from Seeds/schema.json. `make docs` runs it."""

import itertools
import json
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = json.loads((ROOT / "Seeds/schema.json").read_text())


def kinds(member):
    """The shapes that a member may have, apart from null."""
    if "$ref" in member:
        member = SCHEMA["$defs"][member["$ref"].removeprefix("#/$defs/")]
    return [choice for choice in member.get("anyOf", [member]) if choice.get("type") != "null"]


def settings(provider):
    """The members of a provider's settings in a seed, by name."""
    node = SCHEMA
    for name in (provider, "settings"):
        node = kinds(node["properties"][name])[0]
        while "$ref" in node:
            node = kinds(node)[0]
    return node["properties"]


def values(kind):
    """The allowed values in a few words."""
    if "enum" in kind:
        return ", ".join(f"`{value}`" for value in kind["enum"] if value is not None)
    types = kind.get("type", "any value")
    words = " or ".join(word for word in ([types] if isinstance(types, str) else types) if word != "null")
    if words == "array":
        return f"array of {values(kind['items'])}"
    if "minimum" in kind:
        return f"{words} {kind['minimum']}…{kind['maximum']}" if "maximum" in kind else f"{words} from {kind['minimum']}"
    return words


def default(member):
    """The value of a new sandbox; nothing for a setting that has none."""
    if member.get("default", "") == "":
        return ""
    value = member["default"]
    return f"`{value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)}`"


def table(provider):
    """Settings that follow each other and differ only in their names share a row."""
    described = [(f"`{name}`", f"{' or '.join(values(kind) for kind in kinds(member))} | {default(member)} | {member['description']}")
                 for name, member in settings(provider).items()]
    rows = [f"| {', '.join(name for name, _ in group)} | {meaning} |"
            for meaning, group in itertools.groupby(described, key=lambda one: one[1])]
    return "\n".join(["| Setting | Values | Default | Meaning |", "| --- | --- | --- | --- |", *rows])


def main():
    for page in sorted((ROOT / "Docs/Providers").glob("*.md")):
        text = page.read_text()
        page.write_text(re.sub(
            r"(<!-- settings (\w+) -->\n).*?(<!-- end -->)",
            lambda found: f"{found[1]}{table(found[2])}\n{found[3]}", text, flags=re.S))


if __name__ == "__main__":
    main()
