"""The programs in the documents. The words after a program's language say how it is tested: see
test_docs_snippets.py."""

import re


def programs(page):
    """Language, ways, text and line of each program in a page that has marks."""
    text = page.read_text(encoding="utf-8")
    for fence in re.finditer(r"^```(\w+) ([\w ]+)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL):
        language, ways, program = fence.groups()
        yield language, ways.split(), program, text[:fence.start()].count("\n") + 1
