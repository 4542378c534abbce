"""Writes the picture of the layers in Docs/Tour.md from `swift package dump-package` on standard input.
`make docs` runs it."""

import functools
import json
import pathlib
import re
import sys

PAGE = pathlib.Path(__file__).resolve().parents[2] / "Docs/Tour.md"
PART = re.compile(r"(<!-- Written by `make docs`. -->\n).*?(<!-- End -->)", re.S)
PROVIDERS = "Providers/…"


def layers(package):
    """What each target of Sources imports, by its name. The providers are one."""
    targets = {target["name"]: target for target in package["targets"] if target["type"] in ("regular", "executable")}
    folders = {name: target.get("path") or f"Sources/{name}" for name, target in targets.items()}
    apart = ("Sources/Plugins", "Sources/Clients")
    kept = {name: PROVIDERS if re.fullmatch(r"Sources/Providers/(?!Kit|Catalog)\w+", folder) else name
            for name, folder in folders.items() if folder.startswith("Sources/") and not folder.startswith(apart)}
    found = {}
    for name, shown in kept.items():
        needed = [next(iter(each.values()))[0] for each in targets[name]["dependencies"]]
        found.setdefault(shown, set()).update(kept[one] for one in needed if one in kept)
    return found


def picture(found):
    """A line for each height with its targets, and what they import, without what comes along."""
    @functools.cache
    def height(name):
        return 1 + max(map(height, found[name]), default=0)

    @functools.cache
    def below(name):
        return found[name].union(*map(below, found[name]))

    rows = sorted(found, key=lambda name: (-height(name), name))
    for name in rows:
        direct = sorted(one for one in found[name] if not any(one in below(other) for other in found[name]))
        yield f"{height(name)}  {name.ljust(max(map(len, rows)))}  {', '.join(direct)}".rstrip()


def main():
    drawn = "```text\n" + "\n".join(picture(layers(json.load(sys.stdin)))) + "\n```\n"
    PAGE.write_text(PART.sub(lambda found: found[1] + drawn + found[2], PAGE.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
