"""Writes the pages that agents read to the file from which `ringfence mcp` serves them. `make docs` runs
it."""

import json
import pathlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "Sources/MCP/Assets/Guides.json"


def pages():
    yield "agents", ROOT / "Docs/Agents.md"
    yield "carrier", ROOT / "Docs/Carrier.md"
    for page in sorted((ROOT / "Docs/Providers").glob("*.md")):
        yield page.stem.lower(), page


def generated():
    texts = {name: page.read_text(encoding="utf-8") for name, page in pages()}
    return json.dumps(texts, indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(generated(), encoding="utf-8")
