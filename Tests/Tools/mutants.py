"""Says how many small mistakes in Sources the tests notice: 80 mutants, drawn by a seed.

    mutants.py list                     the draw: number, place, line before and after
    mutants.py build TREE               builds all mutants at once in TREE, a copy of this checkout
    mutants.py swift TREE RESULTS       runs the Swift tests for each mutant
    mutants.py system TREE RESULTS      runs the system tests for each mutant that the Swift tests missed
    mutants.py compare BEFORE AFTER     shows two files of results as tables

A mutant changes one line: a comparison, a call that is left out, or a constant. It is chosen by the hash of
its line, so a line that moves to another file keeps its mutant. The environment variable MUTANT selects one
at run time; without it, the build behaves like the checkout. A mutant is noticed if a test fails twice, the
process ends or stands still, or it needs five times the processor's time. Results are lines of JSON: a run
that was interrupted continues, and has the reached mutants of each test target and file first, because only
those tests run that reach the mutant.
"""

import collections
import hashlib
import itertools
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import mutant_runs

ROOT = pathlib.Path(__file__).resolve().parents[2]
SEED = "Ringfence 47"
DRAWN = {"comparison": 27, "statement": 27, "constant": 26}
SPARE = 12  # of each kind are built, too, for those that do not compile
# Mutants of the draw that do not compile.
DROPPED = set("""
""".split())
NOT_MUTATED = ("Sources/Clients/", "Sources/Plugins/")
# $PREFIX is a command that runs the build elsewhere, such as in a queue.
BUILD = [*os.environ.get("PREFIX", "").split(), "swift", "build", "--build-tests",
         "--explicit-target-dependency-import-check", "error"]

Mutant = collections.namedtuple("Mutant", "key kind path line before after columns")

STRING = re.compile(
    r'#*"(?:\\#*\((?:[^()"]|"[^"]*"|\((?:[^()"]|"[^"]*"|\([^()]*\))*\))*\)|\\.|[^"\\])*"#*')
DECLARATION = re.compile(
    r"[@#]|import\b|.*\b(?:extension|func|struct|class|enum|protocol|init|subscript|typealias|associatedtype)\b")
COMPARISON = re.compile(r" (<=|>=|==|!=|<|>) ")
OTHER = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
BEGINS = re.compile(
    r",\s|&&\s|\|\|\s|\s\?\s|:\s|\s=\s|;|\b(?:if|guard|while|return|where|in|try[!?]?|await|else|case)\s|^\s+|[(\[{]\s?")
ENDS = re.compile(r",|\s&&|\s\|\||\s\?\s|\s:\s|\s[{^]|\selse\b|\swhere\b|;|\s?[)\]}]|$")
CONSTANT = re.compile(r"(?<![\w$#.])(?:0x[0-9A-Fa-f_]+|0b[01_]+|0|[1-9][\d_]*)(?!\w|\.\d)|\b(?:true|false)\b")
CALL = re.compile(
    r"(?:try[!?]? |await )*(?!(?:if|guard|while|for|switch|return|throw|precondition|assert|super|self\.init)\b)"
    r"(?:[A-Z]\w*\.)*[a-z_]\w*(?:[?!]?\.\w+|~)*")
CONTINUED = re.compile(r"(?:[,(\[=?+\-*/%<>]|\breturn)$")
CONTINUES = re.compile(r"[.?:+*/){\],-]|&&|\|\|")


def source_files(root):
    for file in sorted(root.glob("Sources/**/*.swift")):
        path = file.relative_to(root).as_posix()
        text = file.read_text(encoding="utf-8")
        if not path.startswith(NOT_MUTATED) and not text.startswith("// Generated"):
            yield path, text.split("\n")


def code_only(lines):
    """The lines with strings as `_` and without comments, at the same columns. Empty inside long strings."""
    in_string = False
    for line in lines:
        opens = line.count('"""') % 2 == 1
        code = STRING.sub(lambda found: "_" * len(found[0]), line)
        code = code.split("//")[0].rstrip()
        yield "" if in_string or opens or '"' in code else code
        in_string ^= opens


def grouped(code):
    """Each pair of brackets, with what it holds, as `~` at the same columns, and of braces as `^`."""
    while (inner := re.sub(r"[(\[{][^()\[\]{}]*[)\]}]",
                           lambda part: ("^" if part[0][0] == "{" else "~") * len(part[0]), code)) != code:
        code = inner
    return code


def comparisons(line, code, before, after):
    """(beginning, end, text) of each changed comparison with its operands."""
    if DECLARATION.match(code.strip()) or CONTINUED.search(before) or re.match(r"[.+*/-]|\?\?", after):
        return
    for found in COMPARISON.finditer(code):
        left = max([0, *(part.end() for part in BEGINS.finditer(grouped(code[:found.start()])))])
        right = found.end() + ENDS.search(grouped(code[found.end():])).start()
        first, last = line[left:found.start()], line[found.end():right]
        if first.strip() and last.strip() and not first.startswith((".", "+", "-")):
            yield left, right, f"{first} {OTHER[found[1]]} {last}"


def statements(line, code, before, after):
    indent = len(code) - len(code.lstrip())
    if before and code.endswith(")") and CALL.fullmatch(grouped(code.strip())) and not (
            CONTINUED.search(before) or CONTINUES.match(after)
            or after.startswith("}") and re.search(r"(->|\bvar\b|\bget\b).*\{$", before)):
        yield indent, len(code), ""


def constants(line, code, before, after):
    if not DECLARATION.match(code.strip()) and not code.lstrip().startswith("case "):
        for found in CONSTANT.finditer(code):
            flipped = {"true": "false", "false": "true"}.get(found[0])
            yield found.start(), found.end(), flipped or str(int(found[0].replace("_", ""), 0) + 1)


KINDS = {"comparison": comparisons, "statement": statements, "constant": constants}


def candidates(root):
    """All mutants, smallest hash first. A line that stands twice has none: nobody could say which moved."""
    files = list(source_files(root))
    count = collections.Counter(line.strip() for _, lines in files for line in lines)
    found = []
    for path, lines in files:
        code = list(code_only(lines))
        full = [number for number, text in enumerate(code) if text.strip()]
        for before, number, after in zip([None, *full], full, [*full[1:], None]):
            around = ["" if other is None else code[other].strip() for other in (before, after)]
            if count[lines[number].strip()] == 1:
                for kind, changes in KINDS.items():
                    for index, (start, end, text) in enumerate(changes(lines[number], code[number], *around)):
                        name = f"{SEED}|{kind}|{lines[number].strip()}|{index}"
                        key = hashlib.sha256(name.encode()).hexdigest()[:12]
                        found.append(Mutant(key, kind, path, number, lines[number][start:end], text, (start, end)))
    return sorted(found)


def draw(root, spare=0):
    """The smallest of each kind, one in a line."""
    left, lines, drawn = {kind: count + spare for kind, count in DRAWN.items()}, set(), []
    for mutant in candidates(root):
        if left[mutant.kind] and (mutant.path, mutant.line) not in lines and mutant.key not in DROPPED:
            left[mutant.kind] -= 1
            lines.add((mutant.path, mutant.line))
            drawn.append(mutant)
    return drawn


def module(path):
    folders = path.split("/")
    return "/".join(folders[1:3] if folders[1] == "Providers" else folders[1:2])


def described(number, mutant):
    after = mutant.after or "(left out)"
    return f"{number:3} {mutant.kind:10} {mutant.path}:{mutant.line + 1}  {mutant.before}  ->  {after}"


def choice(number, mutant):
    if mutant.kind == "statement":
        return f"if !isMutant({number}) {{ {mutant.before} }}"
    return f"(isMutant({number}) ? {mutant.after} : {mutant.before})"


SWITCH = """
@_silgen_name("secure_getenv") private func environmentText(_: UnsafePointer<CChar>) -> UnsafePointer<CChar>?
@_silgen_name("mkdir") private func makeFolder(_: UnsafePointer<CChar>, _: UInt32) -> Int32
private let chosen = environmentText("MUTANT").flatMap { Int(String(cString: $0)) }
private let reached = environmentText("MUTANTS_REACHED").map { String(cString: $0) }
nonisolated(unsafe) private let seen = {
  let seen = UnsafeMutablePointer<Bool>.allocate(capacity: 1000)
  seen.initialize(repeating: false, count: 1000)
  return seen
}()
@usableFromInline func isMutant(_ number: Int) -> Bool {
  if let reached, !seen[number] {
    seen[number] = true
    _ = makeFolder("\\(reached)/\\(number)", 0o777)
  }
  return number == chosen
}
"""


def write(tree, numbered):
    """Writes the sources with these mutants, and a switch in each module; all others as they are here."""
    by_path = collections.defaultdict(list)
    for number, mutant in numbered:
        by_path[mutant.path].append((number, mutant))
    for path, lines in source_files(ROOT):
        for number, mutant in by_path[path]:
            start, end = mutant.columns
            line = lines[mutant.line]
            lines[mutant.line] = line[:start] + choice(number, mutant) + line[end:]
        if (tree / path).read_text() != "\n".join(lines):
            (tree / path).write_text("\n".join(lines))
    wanted = {tree / "Sources" / module(path) / "Mutant.swift" for path in by_path if by_path[path]}
    for file in set(tree.glob("Sources/**/Mutant.swift")) - wanted:
        file.unlink()
    for file in wanted:
        if not file.exists():
            file.write_text(SWITCH)


def build(tree):
    """Builds the draw with spares, and leaves out what does not compile. The sources are then as here again,
    because some tests read them."""
    assert tree.resolve() != ROOT, "the mutants need a copy of the checkout"
    numbered, dropped = list(enumerate(draw(ROOT, SPARE), 1)), []
    while True:
        write(tree, numbered)
        done = subprocess.run(BUILD, cwd=tree, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode == 0:
            break
        broken = set()
        for path, line in set(re.findall(r"(Sources/\S+?\.swift):(\d+):\d+: error", done.stdout)):
            near = [pair for pair in numbered if pair[1].path == path and pair[1].line < int(line)]
            broken |= {max(near, key=lambda pair: pair[1].line)} if near else set()
        for pair in broken:
            print("does not compile:", pair[1].key, described(*pair), flush=True)
            dropped.append(pair[1].key)
            numbered.remove(pair)
        if not broken:
            sys.exit(done.stdout[-4000:])
    for path, lines in source_files(ROOT):
        if (tree / path).read_text() != "\n".join(lines):
            shutil.copy2(ROOT / path, tree / path)
    for file in tree.glob("Sources/**/Mutant.swift"):
        file.unlink()
    kept = [pair for kind, count in DRAWN.items()
            for pair in itertools.islice((pair for pair in numbered if pair[1].kind == kind), count)]
    missing = [key for key in dropped if key < max(pair[1].key for pair in kept)]
    print("for DROPPED:", *missing)
    described_mutants = [
        {"number": number, "key": mutant.key, "kind": mutant.kind, "module": module(mutant.path),
         "mutant": described(number, mutant)} for number, mutant in sorted(kept)]
    (tree / ".build/mutants.json").write_text(json.dumps(described_mutants, indent=1))


def compare(*files):
    """Mutants noticed of those drawn, for each module and kind, and what only the first file noticed."""
    results = [mutant_runs.mutants(mutant_runs.read(file)) for file in files]
    for column in ("kind", "module"):
        print(f"\n| {column} | " + " | ".join(f"{pathlib.Path(file).stem}" for file in files) + " |")
        print("| --- |" + " --- |" * len(files))
        for name in [*sorted({row[column] for result in results for row in result.values()}), "all"]:
            rows = [[row for row in result.values() if name in (row[column], "all")] for result in results]
            print(f"| {name} | " + " | ".join(
                f"{sum(bool(row['noticed']) for row in part)} of {len(part)}" for part in rows) + " |")
    before, after = results[0], results[-1]
    for key, row in before.items():
        if key not in after:
            print("gone:", row["mutant"])
        elif row["noticed"] and not after[key]["noticed"]:
            print("noticed before only:", row["mutant"], row["by"])


if __name__ == "__main__":
    match sys.argv[1:]:
        case ["list"]:
            print(*itertools.starmap(described, enumerate(draw(ROOT), 1)), sep="\n")
        case ["build", tree]:
            build(pathlib.Path(tree))
        case ["swift" | "system" as tests, tree, file]:
            mutant_runs.run(tests, pathlib.Path(tree), pathlib.Path(file))
        case ["compare", before, after]:
            compare(before, after)
        case _:
            sys.exit(__doc__)
