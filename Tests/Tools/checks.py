"""Reads and sends the checks of `Sources/Providers/*/Checks/*.http`, of `Sources/Control/Checks` and of
`Tests/Frameworks`. The form: Sources/Providers/Kit/CheckFile.swift."""

import base64
import dataclasses
import json
import re
import urllib.parse

import ringfence
import urllib3

FOLDERS = {folder.parent.name: folder for folder in sorted(
    [*ringfence.ROOT.glob("Sources/Providers/*/Checks"), ringfence.ROOT / "Sources/Control/Checks"])}
FOLDERS["Frameworks"] = ringfence.ROOT / "Tests/Frameworks"
REQUEST = re.compile(
    r"(?:(\w+) = )?(GET|POST|PUT|PATCH|DELETE|OPTIONS|OPEN) ([/$]\S*)(?: x(\d+))?(?: (.*))?")
EXPECTED = re.compile(r"(?:^|(.*) )-> (\d{3}(?: .*)?)")
FIELD = re.compile(r"([A-Za-z-]+): *(.*)")
HEADING = re.compile(r"### ((?:[A-Z]*\d{1,3},? )*)(.*?)(?:  +contract .*)?")
# Only redirects are followed: a client would repeat what it should wait for.
RETRIES = urllib3.Retry(total=None, connect=0, read=0, redirect=20, respect_retry_after_header=False)
# A word, or a text within quotation marks, brackets or braces.
WORD = re.compile(r'(?:"[^"]*"|\[(?:[^][]|\[[^]]*\])*\]|\{(?:[^{}]|\{[^}]*\})*\}|[^\s"\[{])+')


@dataclasses.dataclass
class Request:
    result: str
    method: str
    path: str
    count: int
    body: str
    # Of every request of the file; one of the request replaces that of the same name.
    common: list
    fields: list = dataclasses.field(default_factory=list)
    expected: str = ""

    @property
    def is_of_sandbox(self):
        return self.path.startswith(("/control/", "/handset/"))

    @property
    def is_opened(self):
        return self.method == "OPEN"  # as a phone does: redirects are followed


@dataclasses.dataclass
class Check:
    provider: str
    numbers: list
    title: str
    requests: list

    def __str__(self):
        return " ".join([self.provider, *self.numbers, self.title])


def of(name):
    """All checks of a provider, of `Control` or of `Frameworks`."""
    files, provider = sorted(FOLDERS[name].glob("*.http")), name.lower()
    setup = File(provider)
    for file in files:
        if file.stem == "Setup":
            setup.read(file.read_text())
    return [check for file in files if file.stem != "Setup" for check in File(provider, setup).read(file.read_text())]


@dataclasses.dataclass
class Answer:
    status: int
    headers: urllib3.HTTPHeaderDict
    text: str


class File:
    def __init__(self, provider, setup=None):
        self.provider = provider
        self.definitions = dict(setup.definitions) if setup else {}
        self.fields = list(setup.fields) if setup else []
        self.requests = list(setup.requests) if setup else []

    def read(self, text):
        checks, check, request = [], None, None
        for line in text.split("\n"):
            if not line or line.startswith("# "):
                continue
            if heading := HEADING.fullmatch(line):
                numbers = [number.rstrip(",") for number in heading[1].split()]
                check, request = Check(self.provider, numbers, heading[2].strip(), list(self.requests)), None
                checks.append(check)
                continue
            if definition := re.fullmatch(r"@(\w+) = (.*)", line):
                self.definitions[definition[1]] = self.expanded(definition[2])
                continue
            line = self.expanded(line.strip())
            found, expected = expected.groups() if (expected := EXPECTED.fullmatch(line)) else (line, "")
            if started := self.request(found or ""):
                request = started
                request.expected = expected
                (check.requests if check else self.requests).append(request)
            elif request and expected and not found:
                request.expected = expected
            elif request and (field := FIELD.fullmatch(line)):
                request.fields.append(field.groups())
            elif request and request.expected:
                request.expected += f" {line}"
            elif request:
                request.body += line
            elif not check and (field := FIELD.fullmatch(line)):
                self.fields = [other for other in self.fields if other[0] != field[1]] + [field.groups()]
        return [check for check in checks if check.requests[len(self.requests):]]

    def request(self, line):
        word, _, argument = line.partition(" ")
        settings = '{"%s":{"settings":%s}}' % (self.provider, argument.strip())
        words = {
            "advance": ("/control/clock?wait=60", json.dumps({"advance": argument.strip()})),
            "seed": ("/control/seed", argument.strip()), "settings": ("/control/seed", settings)}
        if word in words:
            return Request("", "POST", *words[word][:1], 1, words[word][1], [])
        if not (found := REQUEST.fullmatch(line)):
            return None
        name, method, path, count, body = found.groups()
        request = Request(name or "", method, path, int(count or 1), (body or "").strip(), [])
        request.common = [] if request.is_of_sandbox or request.is_opened else list(self.fields)
        return request

    def expanded(self, text):
        if "code" not in self.definitions:
            text = text.replace("${code}", "${code of ${number}}")
        for name, value in reversed(self.definitions.items()):
            text = text.replace("${%s}" % name, value)
        return text


class Runner:
    """Sends checks to the default sandbox of a server."""

    def __init__(self, server):
        self.server = server
        # Unlike requests, it sends a field twice.
        self.pool = urllib3.PoolManager(timeout=30, retries=RETRIES)
        self.answers = {}

    def fetch(self, method, url, redirect=False, **options):
        answer = self.pool.request(method, url, redirect=redirect, **options)
        return Answer(answer.status, answer.headers, answer.data.decode(errors="replace"))

    def run(self, check):
        """Complaints about answers that differ."""
        assert self.fetch("POST", f"{self.server.http}/control/reset").status < 300
        self.fetch("DELETE", f"{self.server.http}/control/sandboxes/own")
        known = self.server.sandbox_described("default")["credentials"]
        self.credentials = known.get(check.provider) or {
            f"{provider}.{name}": value for provider, own in known.items() for name, value in own.items()}
        self.answers = {}
        return [complaint for request in check.requests for number in range(1, request.count + 1)
                for complaint in self.send(check.provider, request, number)]

    def send(self, provider, request, number):
        path = self.filled(request.path, number)
        is_whole = request.is_of_sandbox or path.startswith(f"/{provider}/") or provider in ("control", "frameworks")
        url = path if not path.startswith("/") else self.server.http + ("" if is_whole else f"/{provider}") + path
        headers = urllib3.HTTPHeaderDict()
        own = {name.lower() for name, _ in request.fields}
        if not request.body.startswith(("{", "[", "${")):
            own.add("content-type")  # it is that of JSON
        for name, value in [*(field for field in request.common if field[0].lower() not in own), *request.fields]:
            if value != "-":
                headers.add(name, encoded(self.filled(value, number)))
        body = self.filled(request.body, number)
        if body and "content-type" not in headers:
            is_json = body[0] in "{["
            headers["Content-Type"] = "application/json" if is_json else "application/x-www-form-urlencoded"
            body = body if is_json else encoded_form(body)
        answer = self.fetch(
            "GET" if request.is_opened else request.method, url, headers=headers, body=body.encode(),
            redirect=request.is_opened)
        if request.result:
            self.answers[request.result] = answer
        place = f"{request.method} {request.path}: found {answer.status} {answer.text}"
        if not request.expected:
            return [] if answer.status < 400 else [place]
        status, *words = WORD.findall(request.expected)
        wrong = [] if answer.status == int(status) else [f"expected {status}: {place}"]
        return wrong + [f"{word} is wrong: {place}" for word in words if not has(answer, self.filled(word, number))]

    def filled(self, text, number):
        while found := re.search(r"\$\{([^${}]*)\}", text):
            text = text[:found.start()] + self.value(found[1], number) + text[found.end():]
        return text

    def value(self, variable, number):
        if variable in self.credentials:
            return self.credentials[variable]
        if variable == "n":
            return str(number)
        if repeated := re.fullmatch(r"(\S+) x (\d+)", variable):
            return repeated[1] * int(repeated[2])
        if variable.startswith("code of "):
            answer = self.fetch("GET", f"{self.server.http}/control/inbox/{variable[8:]}/latest/code")
            assert answer.status == 200, answer.text
            return answer.text.strip()
        name, _, path = variable.partition(".")
        return text_of(values(self.answers[name], path)[0]) if path else self.answers[name].text


def encoded(field):
    """`Basic name:password` as HTTP has it."""
    if field.startswith("Basic ") and ":" in field:
        return "Basic " + base64.b64encode(field[6:].encode()).decode()
    return field


def encoded_form(form):
    return "&".join("=".join(urllib.parse.quote(part, safe="") for part in pair.split("=", 1)) for pair in form.split("&"))


# Answers


def document(answer):
    return parsed(answer.text)


def parsed(text):
    """None if the text is not JSON."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def text_of(value):
    return json.dumps(value) if isinstance(value, (bool, float, dict, list)) else str(value)


def scalars(value):
    """All texts and numbers in a document."""
    if isinstance(value, (dict, list)):
        for item in value.values() if isinstance(value, dict) else value:
            yield from scalars(item)
    elif value is not None:
        yield text_of(value)


def values(answer, path):
    """The members at a path: the whole document at the empty one, several for `items.*.id`, none if there is
    no such member."""
    if path.startswith("headers."):
        _, field, *parameter = path.split(".")
        found = answer.headers.get(field)
        if found is None or not parameter:
            return [] if found is None else [found]
        return urllib.parse.parse_qs(urllib.parse.urlsplit(found).query).get(parameter[0], [])
    found = [document(answer)]
    for name in filter(None, path.split(".")):
        found = [inner for value in found for inner in members(value, name)]
    return found


def members(value, name):
    """Those of a text that is JSON or a form, too."""
    if isinstance(value, str):
        found = parsed(value)
        if found is None:
            return urllib.parse.parse_qs(value, keep_blank_values=True).get(name, [])
        value = found
    if isinstance(value, dict):
        return [value[name]] if name in value else []
    if not isinstance(value, list):
        return []
    if name == "*":
        return value
    if name == "count":
        return [len(value)]
    return value[int(name):][:1] if re.fullmatch(r"-?\d+", name) else []


def has(answer, word):
    """Whether an answer is as a word of a check says."""
    if re.fullmatch(r"\[[^\]]*\]", word):
        return True  # a golden file
    if word[0] != '"' and "=" in word:
        path, value = word.split("=", 1)
        path, is_other = path.rstrip("!"), path.endswith("!")
        before, star, _ = path.partition("*")
        is_absent = star and before and not values(answer, before.rstrip("."))
        return not is_absent and matches(values(answer, path), path, value) != is_other
    word = word[1:-1] if word[0] == '"' else word
    found = document(answer)
    if found is None:
        return answer.text == "" if word == "empty" else word in answer.text
    return any(word == scalar or scalar.endswith(f"#{word}") for scalar in scalars(found))


def matches(found, path, value):
    try:
        wanted = json.loads(value)
    except ValueError:
        wanted = value
    if "*" in path:
        return found == wanted
    if not found:
        return value == "absent"
    if value == "*":
        return found[0] is not None
    if isinstance(wanted, str) and wanted.endswith("*"):
        return text_of(found[0]).startswith(wanted[:-1])
    return found[0] == wanted and isinstance(found[0], bool) == isinstance(wanted, bool)
