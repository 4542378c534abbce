"""Writes the world's numbering plans as tables for the sandbox's core.

Reads the installed package `phonenumbers`, which carries the metadata of Google's libphonenumber (Apache
2.0), and writes Sources/Numbers/Plans/*.txt:

    .venv/bin/python Tests/Tools/numbering_plans.py

The patterns of all countries become one minimal automaton, so that the server needs no regular expressions.
Decision 0038 in Docs/Decisions.md has the reasons.
"""

import re
import re._parser as regex
from pathlib import Path
from textwrap import dedent, indent, wrap

import phonenumbers
from phonenumbers import COUNTRY_CODE_TO_REGION_CODE as REGIONS
from phonenumbers import PhoneMetadata

FOLDER = Path(__file__).parents[2] / "Sources/Numbers/Plans"
# E.164: digits of a number with its calling code.
MOST_DIGITS = 15
# A state's label is the place of its kind, counted from 1. If patterns of several kinds match, the first one
# wins.
KINDS = (
    "premium_rate toll_free shared_cost voip personal_number pager uan voicemail mobile fixed_line".split()
)
NO_COUNTRY = "001"
# A value is two characters of this alphabet, the high one first. A backslash would need an escape.
ALPHABET = [chr(code) for code in range(ord("#"), ord("~") + 1) if code != ord("\\")]


class Node:
    """A state of a nondeterministic automaton."""

    def __init__(self, jumps=()):
        self.jumps = list(jumps)
        self.steps = []  # (digits as a bit mask, next node)


def compile_items(items, end):
    for operation, argument in reversed(list(items)):
        end = compile_item(str(operation), argument, end)
    return end


def compile_item(operation, argument, end):
    match operation:
        case "LITERAL" | "IN" | "CATEGORY":
            node = Node()
            node.steps.append((digits(operation, argument), end))
            return node
        case "SUBPATTERN":
            return compile_items(argument[-1], end)
        case "BRANCH":
            return Node(compile_items(branch, end) for branch in argument[1])
        case "MAX_REPEAT":
            least, most, items = argument
            node = end
            for _ in range(min(most, MOST_DIGITS) - least):
                node = Node([compile_items(items, node), end])
            for _ in range(least):
                node = compile_items(items, node)
            return node
    raise ValueError(f"unknown part of a pattern: {operation}")


def digits(operation, argument):
    match operation:
        case "LITERAL":
            return 1 << (argument - ord("0"))
        case "RANGE":
            return sum(1 << (digit - ord("0")) for digit in range(argument[0], argument[1] + 1))
        case "CATEGORY":
            return 0x3FF
    return sum({1 << bit for part in argument for bit in range(10) if digits(str(part[0]), part[1]) >> bit & 1})


def compile_pattern(pattern, end):
    return compile_items(regex.parse(pattern), end)


def closure(nodes):
    reached, rest = set(), list(nodes)
    while rest:
        node = rest.pop()
        if node not in reached:
            reached.add(node)
            rest += node.jumps
    return frozenset(reached)


class Automaton:
    """States that all countries share. Equal states are one; state 0 leads nowhere. Labels above 0 accept."""

    def __init__(self):
        self.states = {}

    def add(self, plans, depth, by_kind=True):
        """The state from which numbers of these plans are accepted, up to `depth` digits."""
        starts, ends = [], []
        for plan in plans:
            # A number of a kind must also have the general form of its country.
            form = Node()
            starts.append(compile_pattern(plan.general_desc.national_number_pattern, form))
            for place, pattern in enumerate(patterns(plan), 1):
                if pattern:
                    ends.append((place, Node(), form))
                    starts.append(compile_pattern(pattern, ends[-1][1]))

        def label(nodes, _):
            places = [place for place, end, form in ends if end in nodes and form in nodes]
            return (min(places) if by_kind else 1) if places else 0

        return self.add_nodes(starts, depth, label)

    def add_nodes(self, starts, depth, label):
        """The state for these nodes. `label` has the nodes after a text and the number of its digits."""
        known = {}

        def state(nodes, depth):
            if (nodes, depth) not in known:
                targets = [0] * 10
                for digit in range(10) if depth else ():
                    following = [after for node in nodes for mask, after in node.steps if mask >> digit & 1]
                    if following:
                        targets[digit] = state(closure(following), depth - 1)
                known[nodes, depth] = self.number(label(nodes, length - depth), tuple(targets))
            return known[nodes, depth]

        length = depth
        return state(closure(starts), depth)

    def number(self, label, targets):
        if not label and not any(targets):
            return 0
        return self.states.setdefault((label, targets), len(self.states) + 1)

    def encoded(self):
        """For each state its groups: a mask of digits and their next state; or bit 10 and the state's label.

        Bit 11 of the mask: the last group of the state.
        """
        assert len(self.states) < len(ALPHABET) ** 2
        text = ""
        for label, targets in self.states:
            groups = {}
            for digit, target in enumerate(targets):
                if target:
                    groups[target] = groups.get(target, 0) | 1 << digit
            groups = [(mask, target) for target, mask in groups.items()] + [(1 << 10, label)] * (label > 0)
            for position, (mask, value) in enumerate(groups):
                text += pair(mask | (position == len(groups) - 1) << 11) + pair(value)
        return text


def pair(value):
    high, low = divmod(value, len(ALPHABET))
    return ALPHABET[high] + ALPHABET[low]


def metadata(code, region):
    if region == NO_COUNTRY:
        return PhoneMetadata.metadata_for_nongeo_region(code)
    return PhoneMetadata.metadata_for_region(region)


def patterns(plan):
    """The pattern of each kind; None for kinds that the plan does not have."""
    kinds = [getattr(plan, kind) for kind in KINDS]
    return [kind.national_number_pattern or None if kind else None for kind in kinds]


def country_prefixes(code, regions):
    """The shortest prefixes of numbers that belong to another country than the first, by country."""
    automaton = Automaton()
    depth = MOST_DIGITS - len(str(code))
    starts = [automaton.add([metadata(code, region)], depth, by_kind=False) for region in regions]
    rows = [None] + [targets for _, targets in automaton.states]
    found = {}

    def visit(prefix, states, inherited):
        possible = [region for region, state in zip(regions, states) if state]
        if not possible:
            return
        if possible[0] != inherited:
            found.setdefault(possible[0], []).append(f"{code}{prefix}")
        if len(possible) == 1 or len(set(states) - {0}) == 1:
            return
        for digit in range(10):
            visit(f"{prefix}{digit}", [rows[state][digit] if state else 0 for state in states], possible[0])

    visit("", starts, regions[0])
    return found


def literals(items):
    """The texts that a pattern accepts: `x` is any digit, and `~10` at the end that so many follow."""
    texts = [""]
    for operation, argument in items:
        match str(operation):
            case "LITERAL":
                more = [chr(argument)]
            case "IN":
                mask = digits("IN", argument)
                more = ["x"] if mask == 0x3FF else [str(digit) for digit in range(10) if mask >> digit & 1]
            case "SUBPATTERN":
                more = literals(argument[-1])
            case "BRANCH":
                more = [text for branch in argument[1] for text in literals(branch)]
            case "MAX_REPEAT":
                least, most, repeated = argument
                if least > 2:
                    more = [f"~{least}"]
                else:
                    more = [text for count in range(least, most + 1) for text in literals(list(repeated) * count)]
            case "AT":
                return []
        texts = [text + end for text in texts for end in more]
    return sorted(set(texts), key=lambda text: (-len(text), text))


def dialling(region):
    """What people dial before numbers of other countries and of their own country; empty for 00 and 0."""
    plan = metadata(None, region)
    parsing, rule = plan.national_prefix_for_parsing or "", plan.national_prefix_transform_rule or ""
    local = re.fullmatch(r"\(\[(.*?)\]\\d\{(\d)\}\)\$(?:\|(.*))?", parsing)
    moved = parsing.endswith("15)?")
    # Where the rule keeps everything, what follows the zero is a part of the number.
    simple = moved or rule == "\\1" and "$" not in parsing
    exits = literals(regex.parse(plan.international_prefix))
    own = local[3] or "" if local else "0" if simple else parsing
    trunks = [text for text in literals(regex.parse(own)) if text]
    shortest, longest = regex.parse(parsing).getwidth()
    if rule == "\\1" and not local and shortest == longest:
        trunks = [f"0~{longest - 1}"]
    if (exits, trunks, local or moved) == (["00"], ["0"], False):
        return []
    words = [f">{text}" for text in exits] + trunks
    if local:
        first = "".join(digit for digit in "0123456789" if re.fullmatch(f"[{local[1]}]", digit))
        words.append(f"{rule[:-2]}:{int(local[2]) + 1}:{first}")
    elif moved:
        words.append(f"15:{rule[0]}")
    return [f"{region}  {row}" for row in wrap(" ".join(words), 100)]


def template(format, length):
    """How a number of so many digits is written: `a` stands for its first digit. None for other lengths."""
    digits = "abcdefghijklmno"[:length]
    groups = re.fullmatch(re.sub(r"\\d|\[\d[^]]*\]|\d(?![^{]*})", "[a-o]", format.pattern), digits)
    if not groups:
        return None
    text, rule = format.format, format.national_prefix_formatting_rule
    if rule:
        text = re.sub(r"\\\d", lambda first: rule.replace("\\1", first[0]), text, count=1)
    return re.sub(r"\\(\d)", lambda group: groups[int(group[1])], text)


def add_formats(automaton, formats, depth, templates):
    """The state from which national numbers lead to the number of their template."""
    starts, ends = [], []
    for format in formats:
        begin, end = Node(), Node()
        begin.steps.append((0x3FF, begin))
        starts += [compile_items(regex.parse(format.pattern), end)]
        starts += [compile_items(regex.parse(format.leading_digits_pattern[-1] if format.leading_digits_pattern else ""), begin)]
        ends.append((begin, end, format))

    def label(nodes, length):
        for begin, end, format in ends:
            if begin in nodes and end in nodes:
                return templates.setdefault(template(format, length), len(templates) + 1)
        return 0

    return automaton.add_nodes(starts, depth, label)


def sources():
    """The content of each generated file, by its name."""
    automaton, formats, templates, codes, countries = Automaton(), Automaton(), {}, [], []
    for code, regions in sorted(REGIONS.items()):
        plans = [metadata(code, region) for region in regions]
        depth = MOST_DIGITS - len(str(code))
        start = automaton.add(plans, depth)
        # As the library does, the main country says which lengths are possible.
        lengths = [length for length in plans[0].general_desc.possible_length if length <= depth]
        country = "-" if regions[0] == NO_COUNTRY else regions[0]
        formatting = add_formats(formats, plans[0].number_format, depth, templates)
        codes.append("  ".join(map(str, [code, country, start, formatting, " ".join(map(str, lengths))])))
        if len(regions) > 1:
            for country, prefixes in country_prefixes(code, regions).items():
                countries += [f"{country}  {row}" for row in wrap(" ".join(prefixes), 100)]
    return {
        "CallingCodes.txt": table(
            """
            A calling code, its main country, the first state of numbers and that of formats, and how many digits may
            follow the code.
            """, codes),
        "SharedCodes.txt": table(
            """
            A country with a calling code of others, and the first digits of its numbers, with the calling code.
            """, countries),
        "DialledPrefixes.txt": table(
            """
            A country, and what its people dial, where that is not 00 and 0: `>` before numbers of other countries;
            before those of their own. `x` is any digit, `~10` means that so many follow. `684:7:25` are digits before
            local numbers of 7 digits that begin with 2 or 5. `15:9`: 15 after the area code is 9 before it.
            """, [row for region in sorted(phonenumbers.SUPPORTED_REGIONS) for row in dialling(region)]),
        "NumberStates.txt": table(
            """
            The automaton of valid numbers and their kinds; `DigitAutomaton` describes the format.
            """, lines(automaton)),
        "FormatStates.txt": table(
            """
            The automaton of formats, whose labels are rows of FormatTemplates.txt, counted from 1.
            """, lines(formats)),
        "FormatTemplates.txt": table(
            """
            How a number is written in its country, where `a` stands for the first digit after the calling code.
            """, templates),
    }


def lines(automaton):
    text = automaton.encoded()
    return [text[start : start + 108] for start in range(0, len(text), 108)]


def table(columns, rows):
    comment = f"""
{dedent(columns).strip()}
Generated by Tests/Tools/numbering_plans.py; do not edit. The data is that of libphonenumber, Copyright The
Libphonenumber Authors, Apache License 2.0, from the Python package phonenumbers {phonenumbers.__version__}.
"""
    return indent(comment.lstrip(), "# ") + "".join(f"{row}\n" for row in rows)


if __name__ == "__main__":
    for name, text in sources().items():
        (FOLDER / name).write_text(text)
