"""Finds lines of documents and comments that end beyond column 110. `make lint` runs it.

Checks the pages in the root folder, Docs and Tests, the comments of Swift files, the comments and
docstrings of Python files, and all lines of the console's scripts and styles and of the client for
JavaScript. `swift format` checks lines of Swift code. Allowed are tables, code blocks, generated text, and
words or code spans that are too long for a line, such as URLs.
"""

import pathlib
import re
import sys
import tokenize

ROOT = pathlib.Path(__file__).resolve().parents[2]
WIDTH = 110
GENERATED = {"Docs/Benchmarks.md", "Docs/Coverage.md", "Sources/Clients/javascript/api.d.ts"}
# The beginning of a generated part of a page, up to the next mark that says "end".
PART_BEGINS = re.compile(r"<!-- (settings|operations|Written)")
PART_ENDS = re.compile(r"<!-- end", re.IGNORECASE)
MARKER = re.compile(r"\s*(///?|#+|[*+-]|\d+\.)?\s*")


def prose(text):
    """The numbered lines of a page that are neither code, table nor generated."""
    in_code = in_part = False
    for number, line in enumerate(text.splitlines(), 1):
        if line.lstrip().startswith("```"):
            in_code = not in_code
        in_part = (in_part or bool(PART_BEGINS.match(line))) and not PART_ENDS.match(line)
        if not (in_code or in_part or line.lstrip().startswith("|")):
            yield number, line


def swift_comments(text):
    """The numbered lines of comments, without the code and the diagrams in them."""
    in_code = False
    for number, line in enumerate(text.splitlines(), 1):
        is_comment = line.lstrip().startswith("//")
        in_code = is_comment and in_code != line.lstrip().startswith("/// ```")
        if is_comment and not in_code:
            yield number, line


def python_comments(text):
    """The lines that are comments or belong to docstrings."""
    lines = text.splitlines()
    before = tokenize.NEWLINE
    for token in tokenize.generate_tokens(iter(text.splitlines(keepends=True)).__next__):
        is_docstring = token.type == tokenize.STRING and before in (tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT)
        is_comment = token.type == tokenize.COMMENT and not token.line[:token.start[1]].strip()
        if is_docstring or is_comment:
            yield from ((number, lines[number - 1]) for number in range(token.start[0], token.end[0] + 1))
        if token.type not in (tokenize.NL, tokenize.COMMENT):
            before = token.type


def all_lines(text):
    yield from enumerate(text.splitlines(), 1)


def is_too_wide(line):
    text = re.sub("`[^`]*`", lambda span: span[0].replace(" ", "_"), line[MARKER.match(line).end():])
    return len(line) > WIDTH and " " in text[:WIDTH]


def findings():
    pages = [*ROOT.glob("*.md"), *ROOT.glob("Docs/**/*.md"), *ROOT.glob("Tests/*.md")]
    swift = [file for folder in ("Sources", "Tests") for file in ROOT.glob(f"{folder}/**/*.swift")]
    python = [file for folder in ("Docs", "Tests") for file in ROOT.glob(f"{folder}/**/*.py")]
    assets = [file for end in ("js", "css") for file in ROOT.glob(f"Sources/Console/Assets/**/*.{end}")]
    assets += [file for end in ("js", "mjs", "ts", "mts") for file in ROOT.glob(f"Sources/Clients/javascript/**/*.{end}")]
    for files, reader in (
            (pages, prose), (swift, swift_comments), (python, python_comments), (assets, all_lines)):
        for file in sorted(files):
            path = file.relative_to(ROOT).as_posix()
            if path not in GENERATED:
                yield from ((path, *found) for found in reader(file.read_text(encoding="utf-8")) if is_too_wide(found[1]))


if __name__ == "__main__":
    found = [f"{path}:{number}: {len(line)} columns, at most {WIDTH}" for path, number, line in findings()]
    print("\n".join(found))
    sys.exit(1 if found else 0)
