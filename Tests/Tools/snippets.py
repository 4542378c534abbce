"""The programs in the documents. As a program, writes those of the providers' pages to the file from which
the console's page *Connect* shows them. `make docs` runs it.

The words after a program's language say how it is tested: see test_docs_snippets.py.
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
FILE = ROOT / "Sources/Console/Assets/Snippets.json"
# The address in the documents. The console replaces it, and the default credentials, by those of the sandbox.
DOCUMENTED_URL = "http://127.0.0.1:5550"


def programs(page, marks=r" ([\w ]+)"):
    """Language, ways, text and line of each program in a page that has marks."""
    text = page.read_text(encoding="utf-8")
    for fence in re.finditer(rf"^```(\w+){marks}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        language, ways, program = fence.groups()
        yield language, ways.split(), program, text[:fence.start()].count("\n") + 1


def default_variables(binary):
    """The variables of a server with default seeds, by their values."""
    with tempfile.TemporaryDirectory() as folder:
        printed = subprocess.run(
            [binary, "env", "--format", "json", "--url", "http://127.0.0.1:9", "--data", folder],
            capture_output=True, text=True, check=True).stdout
    found = {value: name for name, value in json.loads(printed).items() if not name.startswith("RINGFENCE_")}
    found = {value: name for value, name in found.items() if not value.startswith(("http://", "/"))}
    return {DOCUMENTED_URL: "RINGFENCE_URL", **found}


def with_variables(text, variables):
    """The text with `{{NAME}}` instead of the value of each variable."""
    longest_first = sorted(variables, key=len, reverse=True)
    pattern = "|".join(re.escape(value) for value in longest_first)
    return re.sub(pattern, lambda found: "{{" + variables[found[0]] + "}}", text)


def providers(binary):
    """The pages of providers with their programs: those that tests run, and those of SDKs that are not
    available."""
    variables = default_variables(binary)
    for page in sorted((ROOT / "Docs/Providers").glob("*.md")):
        found = [*programs(page), *((*program,) for program in programs(page, r"( ?)") if program[0] == "csharp")]
        found = found or [next(programs(page, r"( ?)"))]
        yield {"provider": page.stem.lower(), "title": page.stem, "programs": [
            {"language": language, "ways": ways, "text": with_variables(text, variables)}
            for language, ways, text, _ in found]}


def generated(binary):
    return json.dumps(list(providers(binary)), indent=1, ensure_ascii=False) + "\n"


if __name__ == "__main__":
    FILE.write_text(generated(sys.argv[1]), encoding="utf-8")
