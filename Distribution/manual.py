"""Manual pages, made of what `--help` prints."""

import re

from executable import output


def pages(program, words=(), version=None):
    """The page of a command and of all below it, by name: `ringfence-clock-set`."""
    version = version or output(program, "--version").split(" (")[0]
    summary, description, usage, sections = described(output(program, *words, "--help"))
    name = "-".join(["ringfence", *words])
    yield name, page(name, version, summary, description, usage, sections)
    for title, entries in sections:
        for word, _ in entries if "SUBCOMMANDS" in title else ():
            yield from pages(program, (*words, word.split(" (")[0]), version)


def described(text):
    """Summary, description, usage, and the sections with their entries."""
    parts = re.split(r"^([A-Z][A-Z ]+): *", text, flags=re.MULTILINE)[1:]
    (_, overview), (_, usage), *others = zip(parts[::2], parts[1::2])
    summary, _, description = overview.strip().partition("\n\n")
    sections = [(title, list(entries(content))) for title, content in others]
    return " ".join(summary.split()), description, " ".join(usage.split()), sections


def entries(content):
    """The labels in a column, and what stands beside and below them."""
    content = re.sub(r"^  See '.*", "", content, flags=re.MULTILINE | re.DOTALL)
    for label, text in re.findall(r"^  (\S.*?)(?:  +|\n|$)((?:.*)(?:\n {10,}.*)*)", content, re.MULTILINE):
        yield label, " ".join(text.split())


def page(name, version, summary, description, usage, sections):
    """In the language of man. Source: man-pages(7), groff_man(7)."""
    lines = [f'.TH {name.upper()} 1 "" "{version}" "Ringfence"', ".SH NAME", f"{name} \\- {escaped(summary)}",
             ".SH SYNOPSIS", escaped(usage)]
    if description.strip():
        lines.append(".SH DESCRIPTION")
        for paragraph in description.strip().split("\n\n"):
            lines += [escaped(" ".join(paragraph.split())), ".PP"]
    for title, found in sections:
        lines.append(f".SH {title}")
        for label, text in found:
            lines += [".TP", f".B {escaped(label)}", escaped(text)]
    return "\n".join(lines) + "\n"


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return f"\\&{text}" if text.startswith((".", "'")) else text
