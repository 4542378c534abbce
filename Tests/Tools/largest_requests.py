"""The largest requests of each route: the request of its golden, with one part after the other as large as
allowed.

Goldens exist for every route, so no route can be missing here.
"""

import importlib.util
import json
import pathlib
import re
from urllib.parse import parse_qsl, urlencode

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOLDERS = ["Tests/Providers/Golden", "Tests/CarrierTests/Golden", "Tests/ControlTests/Golden"]
BODY = (1 << 20) - 4_096  # bytes; leaves room for the other members
SEED = (8 << 20) - 4_096  # the largest seed
VALUES = 99_000  # in a JSON document
FIELDS = 990  # of a form or query
TARGET = 8_000  # bytes
# What long texts repeat: a letter, and what readers of numbers, templates, forms, URLs and JSON stumble over.
USUAL_TEXT = ["x"]
TEXTS = USUAL_TEXT + ["1", "{{code}}", "{to}", "$$", "&=", "%7B", '["', "\u0301", "\r\n", "+1 ", "@a."]
LONGEST_TEXT = 300_000  # bytes
# Providers of the tests.
SKIPPED = {"acme", "toy", "demo"}
# Routes that end or change what the other requests need. They come last.
LAST = ["DELETE", "/reset", "/control/faults", "/control/scenarios", "/control/clock", "/control/entropy", "/control/seed"]


def golden_reader():
    place = ROOT / "Tests/Fuzz/collect_requests.py"
    described = importlib.util.spec_from_file_location("collect_requests", place)
    module = importlib.util.module_from_spec(described)
    described.loader.exec_module(module)
    return module.read_golden


def answer_of(file):
    """The JSON answer of a golden; None for another one."""
    text = file.read_bytes().decode("utf-8", errors="replace")
    try:
        return json.loads(text.rsplit("\r\n\r\n", 1)[1])
    except (ValueError, IndexError):
        return None


def goldens():
    """The requests of all goldens with their answers; those that create something come first, removals
    last."""
    read, found = golden_reader(), []
    for folder in FOLDERS:
        for file in sorted((ROOT / folder).glob("*/*/*.http")):
            request = read(file)
            if request and request["group"] not in SKIPPED and file.parent.name != "noRoute":
                found.append({**request, "route": file.parent.name, "answer": answer_of(file)})
    return sorted(found, key=lambda request: (is_late(request), request["method"] == "GET", request["target"].count("/")))


def is_late(request):
    return any(part in f"{request['method']} {request['target']}" for part in LAST)


def base_requests(found):
    """One request for each route: a successful one if there is any, with the longest body."""
    best = {}
    for request in found:
        key = (request["group"], request["route"])
        rank = (request["status"] < 300, len(request["body"]), len(request["target"]))
        if key not in best or rank > best[key][0]:
            best[key] = (rank, request)
    return [request for _, request in best.values()]


def mounted_routes(openapi):
    """Pairs of owner and route: the ledger of the providers' operations, and the description of the control
    API."""
    owner = ""
    for line in (ROOT / "Docs/Coverage.md").read_text().splitlines():
        if line.startswith("## "):
            owner = line[3:].lower()
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 5 and (name := re.fullmatch(r"`(\w+)`", cells[2])):
            yield owner, name[1]
    for operations in openapi["paths"].values():
        for operation in operations.values():
            yield "control", operation["operationId"]


def wide(room, item="0"):
    """An object with many members, as text."""
    count = max(1, min(VALUES - 1_000, room // (len(item) + 10)))
    return "{" + ",".join(f'"n{index:05}":{item}' for index in range(count)) + "}"


def long_list(item, room):
    """A list that repeats an item, as text."""
    values = len(re.findall(r"[,:\[{]", item)) + 1
    return "[" + ",".join([item] * max(1, min((VALUES - 1_000) // values, room // (len(item) + 1)))) + "]"


def secrets(room):
    """Members of an object: secrets, and names that nobody reads, in which secrets are searched for."""
    own = [f'"password{index}":"{"p" * 1_000}{index}"' for index in range(15)] + [f'"secret":"{"p" * (room // 4)}"']
    return ",".join(own + [f'"{"p" * 200}{index:04}":0' for index in range(min(1_900, room // 500))]) + "}"


def enlarged(value, room, texts=USUAL_TEXT, path="$"):
    """Pairs of a path and the document as text in which the member at this path is as large as possible."""
    text = json.dumps(value)
    if isinstance(value, dict):
        front = text[:-1] + "," if value else "{"
        yield path, front + wide(room)[1:]
        yield f"{path}: texts", front + wide(room, '"x"')[1:]
        yield f"{path}: secrets", front + secrets(room)
        for name, member in value.items():
            others = {other: kept for other, kept in value.items() if other != name}
            front = json.dumps(others)[:-1] + ("," if others else "")
            for place, large in enlarged(member, room, texts, f"{path}.{name}"):
                yield place, f"{front}{json.dumps(name)}:{large}}}"
    elif isinstance(value, list):
        yield path, long_list(json.dumps(value[0]) if value else "{}", room)
        for place, large in enlarged(value[0], room, texts, f"{path}[0]") if value else ():
            yield place, f"[{large}]"
    elif isinstance(value, str):
        for part in texts:
            yield f"{path}: {part}", json.dumps(part * (min(room, LONGEST_TEXT) // len(part)), ensure_ascii=False)
    elif isinstance(value, (int, float)) and not isinstance(value, bool):
        yield path, "9" * 300


def enlarged_bodies(request, room, texts=USUAL_TEXT):
    """Triples of a label, a media type and a body."""
    kinds = [header["value"] for header in request["headers"] if header["name"].lower() == "content-type"]
    kind = kinds[0] if kinds else "application/json"
    try:
        document = json.loads(request["body"] or "{}")
    except ValueError:
        document = None
    if document is not None:
        for label, body in enlarged(document, room, texts):
            yield label, kind, body
    if document is None or not request["body"]:
        kind = "application/x-www-form-urlencoded"
        fields = parse_qsl(request["body"], keep_blank_values=True)
        more = [(f"n{index}", "x" * (room // FIELDS - 8)) for index in range(FIELDS - len(fields))]
        yield "fields", kind, urlencode(fields + more)
        for index, (name, _) in enumerate(fields):
            for part in texts:
                long = part * (min(room, LONGEST_TEXT) // len(part))
                yield f"{name}: {part}", kind, urlencode(fields[:index] + [(name, long)] + fields[index + 1:])


def enlarged_targets(request):
    """Pairs of a label and a target: long segments, many segments, and a query with many fields."""
    path, _, query = request["target"].partition("?")
    fields = parse_qsl(query, keep_blank_values=True)
    yield "query", f"{path}?{urlencode(fields + [(f'n{index}', 'x') for index in range(FIELDS - len(fields))])}"
    for index, (name, _) in enumerate(fields):
        yield f"?{name}", f"{path}?{urlencode(fields[:index] + [(name, 'x' * (TARGET - 500))] + fields[index + 1:])}"
    yield "last segment", path.rsplit("/", 1)[0] + "/" + "x" * (TARGET - len(path))
    yield "segments", path + "/a" * ((TARGET - len(path)) // 2)
