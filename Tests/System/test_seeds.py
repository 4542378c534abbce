"""Seeds/schema.json is generated, and accepts the same seeds as the sandbox."""

import json
import os
import re

import jsonschema
import pytest
import requests

import ringfence
from ringfence import command

SCHEMA_FILE = ringfence.ROOT / "Seeds/schema.json"
SCHEMA = json.loads(SCHEMA_FILE.read_text())
SEEDS = [file for file in sorted((ringfence.ROOT / "Seeds").glob("*/*.json")) if file.parent.name != "workshops"]
NUMBER = "+12025550100"
SERVICE = "VA" + "0" * 30 + "42"
ACCOUNT, KEY = "AC" + "0" * 30 + "42", "SK" + "0" * 30 + "42"


def agrees(seed):
    return jsonschema.Draft202012Validator(SCHEMA).is_valid(seed)


def refusal(tmp_path, seed):
    """The error of `ringfence seed check` for a seed. Checks that the schema rejects it too."""
    assert not agrees(seed)
    return command("seed", "check", written(tmp_path, seed), expect=1)


def accept(tmp_path, seed):
    assert agrees(seed)
    assert "ok" in command("seed", "check", written(tmp_path, seed))


def written(tmp_path, seed):
    file = tmp_path / "seed.json"
    file.write_text(json.dumps(seed))
    return file


def service_settings(**members):
    """A seed with one Service; `__` in a name is a dot."""
    named = {name.replace("__", "."): value for name, value in members.items()}
    return {"twilio": {"services": [{"sid": SERVICE, "settings": {"FriendlyName": "Seeded", **named}}]}}


def subscription(**members):
    one = {"id": "sub_1", "name": "News", "callbackUrl": "https://example.com/s", **members}
    return {"prelude": {"subscriptions": [one]}}


def settings(**members):
    return {"twilio": {"settings": members}}


def account(**members):
    return {"twilio": {"account": {"accountSid": ACCOUNT, "authToken": "0" * 32, **members}}}


def subscriber(**members):
    return {"subscribers": [{"number": NUMBER, **members}]}


def device(**members):
    return {"devices": [{"number": NUMBER, "provider": "telesign", **members}]}


def scenario(**members):
    return {"scenarios": [{"outcome": "slow"} | members]}


def fault(**members):
    return {"faults": [{"status": 503, **members}]}


def test_the_schema_is_up_to_date():
    """RECORD=1, or make docs, writes it."""
    generated = command("seed", "schema")
    if os.environ.get("RECORD"):
        SCHEMA_FILE.write_text(generated)
    assert SCHEMA_FILE.read_text() == generated, "Seeds/schema.json is out of date: run make docs"


def test_the_schema_is_valid():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_every_member_of_the_schema_has_a_description():
    def walk(node, path):
        if isinstance(node, dict):
            for name, member in node.get("properties", {}).items():
                assert member.get("description"), f"{path}.{name}"
            for name, member in node.items():
                walk(member, f"{path}.{name}")

    walk(SCHEMA, "$")


@pytest.mark.parametrize("file", SEEDS, ids=lambda file: file.name)
def test_seeds_that_ship_fit_the_schema(file):
    jsonschema.validate(json.loads(file.read_text()), SCHEMA, jsonschema.Draft202012Validator)


@pytest.mark.parametrize("file", sorted((ringfence.ROOT / "Seeds/default").glob("*.json")), ids=lambda file: file.stem)
def test_the_default_sandbox_has_the_accounts_that_ship(server, file):
    seed = json.loads(file.read_text())
    shipped = {
        (provider, *pair) for provider, part in seed.items() if isinstance(part, dict)
        for pair in part.get("account", {}).items()}
    known = server.sandbox_described("default")["credentials"]

    assert shipped <= {(provider, *pair) for provider, own in known.items() for pair in own.items()}


def test_an_export_fits_the_schema(sandbox):
    sandbox.seed(**scenario(match={"number": NUMBER}), **fault(), **device())

    export = requests.get(f"{sandbox.origin}/control/sandboxes/{sandbox.name}/export", timeout=10).json()

    jsonschema.validate(export, SCHEMA, jsonschema.Draft202012Validator)


@pytest.mark.parametrize("seed", [
    {}, {"$schema": "../schema.json"},
    {"subscribers": None, "scenarios": None, "faults": None, "twilio": None},
    subscriber(code=None, lineType=None, operator=None, country=None, mcc=None, mnc=None, reach=None),
    subscriber(code="4711", operator="Sandpiper", country="US", mcc="310", mnc="410", reach={"sms": False}),
    subscriber(operator="Plover", coversSilent=True, originalMcc="310", originalMnc="410", ported=True, portedAt="-3d",
               contract="Business", activatedAt="2020-01-31", deactivatedAt="2026-01-31T10:20:30.5Z", suspended=False),
    subscriber(subscriberPeriods=[{"from": "-1000d", "to": "-90d"}, {"from": "-1h30m", "to": None}], barring=["data"],
               forwarding=["unconditional", "busy"], imsi="00101012345678", imei="490154203237518", iccid="8" * 22),
    subscriber(simSwaps=["-2h", "2026-01-01"], deviceSwaps=[], reach={"data": False}, interference="tether",
               roaming={"on": True, "mcc": "208", "countries": ["FR"]}, risk={"score": 1000, "reasons": ["velocity"]},
               session={"on": False, "ip": "127.10.1.1", "port": 65535, "natIp": "203.0.113.7", "natPort": 1}),
    subscriber(consent={"*": "denied", "dpv:Fraud": "granted", "x": None}, whatsapp=False, rcs=False, email="a@b.test",
               preferredChannel="rcs", pushes="ignore", kyc={"givenName": "Ada", "gender": None}, optOut=["*", "Acme"],
               scenarios=[{"match": {"nth": 2}, "outcome": "answer", "keys": "1#"}]),
    subscriber(portedAt=None, deactivatedAt=None, imsi=None, imei=None, iccid=None, risk=None, email=None,
               preferredChannel=None, pushes=None, session={"ip": None, "port": None, "natIp": None, "natPort": None}),
    device(), device(app="com.your.app:1.2.0", platform="ios", pushToken="fcm-1", publicKey="MFkw"),
    device(app=None, platform=None, pushToken=None, publicKey=None, state=None, online=None),
    device(state="flaky:1000", online=False), device(number=None, pushToken="fcm-1"),
    {"devices": [{"provider": "fcm", "pushToken": "fcm-1", "state": "unregistered"}]},
    {"fcm": {"settings": {"tokens": "known-only", "strictBackground": True}, "serviceAccounts": None}},
    {"fcm": {"serviceAccounts": [{"projectId": "my-own-1", "clientEmail": "a@b", "publicKey": None}], "settings": None}},
    scenario(match={"channel": "call"}, outcome="submitFail:throttled"), scenario(outcome="answer", keys=""),
    scenario(match={"channel": "silent"}, outcome="userDenied"),
    scenario(match={"channel": "rcs"}, outcome="read"),
    scenario(outcome="absent", match=None, afterMs=0, err=0, times=1, hits=7),
    scenario(match={"number": "a@b.test", "sender": "Acme", "provider": "twilio", "nth": 1}, times=10**9),
    fault(provider="twilio", route="createVerification", number=NUMBER, nth=1, times=2, retryAfter=1, hits=1),
    fault(number="a@b.test", contains="an id", latencyMs=3_600_000),
    {"faults": [{"code": 60203}, {"code": "60203"}, {"latencyMs": 1}, {"damage": "reset", "status": None}]},
    account(), account(apiKeySid=KEY, apiKeySecret="1" * 32), account(apiKeySid=None, apiKeySecret=None),
    {"telesign": {"settings": {"account.source_ip": "", "account.host": "rest.example", "score.level_names": "a,b,c,d,e"}}},
    {"telesign": {"settings": {"account.callback_url": "HTTPS://a.test", "sms_verify.features": ["score"]}}},
    service_settings(CodeLength="8", LookupEnabled="TRUE", Push__ApnCredentialSid="", TtsName=7),
    service_settings(Push__FcmCredentialSid="CR" + "a" * 32, DefaultTemplateSid="HJ" + "A" * 32),
    service_settings(Passkeys__RelyingParty__Origins=["https://a.test"], Whatsapp__MsgServiceSid="MG" + "0" * 32),
    service_settings(Passkeys__RelyingParty__Origins="https://a.test,https://b.test", FriendlyName="Äcme 1234_-"),
    settings(publicBaseURL="http://proxy.test:8080"), settings(publicBaseURL=None, ttlSeconds=None),
    {"prelude": {"account": {"apiToken": "any", "sdkKey": "sdk_any"}, "settings": {"channels": ["sms", "viber"]}}},
    {"prelude": {"numbers": [{"number": NUMBER, "outcome": "flaky_after"}], "settings": None}},
    {"prelude": {"account": {"sdkKey": "********"}, "settings": {"fixedCode": "00000000", "silentRedirect": 307}}},
    {"prelude": {"allowList": [NUMBER], "blockList": [], "testNumbers": [{"number": NUMBER, "attemptCode": "4242"}]}},
    {"prelude": {"senderIds": [{"name": "A & B", "status": "rejected"}, {"name": NUMBER}], "templates": None}},
    {"prelude": {"templates": [{"id": "prelude:psd2", "category": None, "text": "{{a}}", "countries": ["FR"]}]}},
    {"prelude": {"inboundMessages": [{"id": "im_1", "from": NUMBER, "receivedAt": "2026-01-05T10:20:30.5+02:00"}]}},
    subscription(), subscription(messages={"stop_message": "Bye.", "help_message": None}, lines=[{"country": "US", "number": "38383"}]),
    subscription(members=[{"number": NUMBER, "state": "UNSUB", "source": "API", "reason": None, "at": None}]),
    {"prelude": {"settings": {"kycCountries": [], "templates": "seeded", "inboundMessages": None}}},
], ids=json.dumps)
def test_schema_and_sandbox_accept_valid_seeds(tmp_path, seed):
    accept(tmp_path, seed)


BROKEN = [
    ("subscriber", {"subscriber": []}), ("$schema", {"$schema": 1}), ("$.subscribers", {"subscribers": {}}),
    ("$.subscribers[0]", {"subscribers": [1]}),
    ("$.subscribers[0].number", {"subscribers": [{}]}), ("number", {"subscribers": [{"number": None}]}),
    *[("number", {"subscribers": [{"number": number}]})
      for number in ("12025550100", "+0202555", "+123456", "+1234567890123456", "+1202555010a", "")],
    ("code", subscriber(code="123")), ("code", subscriber(code="12345678901")), ("code", subscriber(code=1234)),
    ("operator", subscriber(operator=1)), ("country", subscriber(country=1)), ("mcc", subscriber(mcc=310)),
    ("mnc", subscriber(mnc=1)), ("reach", subscriber(reach=True)), ("reach.sms", subscriber(reach={"sms": "no"})),
    ("reach.call", subscriber(reach={"call": True})), ("linetype", subscriber(linetype="mobile")),
    *[(name, subscriber(**{name: value})) for name, value in [
        ("operator", ""), ("country", "us"), ("country", "USA"), ("mcc", "31"), ("mcc", "abc"), ("mnc", "1"),
        ("coversSilent", "yes"), ("originalMcc", "1"), ("ported", 1), ("portedAt", "3d"), ("portedAt", "2026-1-1"),
        ("contract", "PAYF"), ("activatedAt", "-3"), ("activatedAt", 5), ("subscriberPeriods", {}),
        ("deactivatedAt", "--3d"), ("barring", ["sms"]), ("barring", "smsIn"), ("forwarding", ["always"]),
        ("imsi", "1"), ("imei", "49015420323751"), ("iccid", "8" * 23), ("simSwaps", "-3d"), ("simSwaps", ["soon"]),
        ("interference", "rain"), ("risk", 7), ("whatsapp", "no"), ("preferredChannel", "fax"), ("pushes", "maybe"),
        ("email", "a"), ("email", "a@b@c"), ("optOut", [1]), ("kyc", []), ("scenarios", {}), ("session", True), ("devices", [])]],
    ("number", {"devices": [{"provider": "telesign"}]}), ("provider", {"devices": [{"number": NUMBER}]}),
    *[(name, device(**{name: value})) for name, value in [
        ("number", "12"), ("provider", 1), ("app", ""), ("app", "a" * 256), ("platform", "symbian"), ("pushToken", ""),
        ("publicKey", 7), ("colour", "red"), ("state", "gone"), ("state", "flaky:0"), ("state", "flaky:1001"),
        ("state", "flaky:01"), ("online", "no")]],
    ("pushToken", {"devices": [{"provider": "telesign", "number": None, "pushToken": None}]}),
    ("fcm.tokens", {"fcm": {"tokens": []}}), ("keys.account", {"keys": {"account": None}}),
    *[(name, {"fcm": {"settings": {name: value}}}) for name, value in [
        ("tokens", "closed"), ("strictBackground", 1), ("accessTokenSeconds", 0), ("accessTokenSeconds", 86401)]],
    *[(name, {"fcm": {"serviceAccounts": [{"projectId": "my-own-1", "clientEmail": "a@b", name: value}]}})
      for name, value in [
          ("projectId", "short"), ("projectId", "1-digit"), ("projectId", "Capital"), ("projectId", "a" * 31),
          ("clientEmail", "a"), ("clientEmail", "a@b@c"), ("clientEmail", "a @b"), ("clientEmail", "a" * 251 + "@b.c"), ("publicKey", 1), ("colour", "red")]],
    ("from", subscriber(subscriberPeriods=[{"to": "-3d"}])), ("to", subscriber(subscriberPeriods=[{"from": "-3d", "to": 1}])),
    ("mcc", subscriber(roaming={"mcc": "1"})), ("countries", subscriber(roaming={"countries": ["fr"]})),
    ("ip", subscriber(session={"ip": "127.0.0.256"})), ("ip", subscriber(session={"ip": "127.0.0"})),
    ("natPort", subscriber(session={"natPort": 65536})), ("port", subscriber(session={"port": 0})),
    ("score", subscriber(risk={"score": 1001})), ("kyc.shoe", subscriber(kyc={"shoe": "42"})),
    ("consent.any", subscriber(consent={"any": "maybe"})), ("keys", scenario(keys="A")), ("keys", scenario(keys="1" * 33)),
    *[("outcome", scenario(outcome=outcome, match={"channel": channel})) for outcome, channel in [
        ("busy", "sms"), ("deliver", "call"), ("read", "email"), ("filtered", "whatsapp"), ("match", "sms"),
        ("slow", "silent"), ("voicemail", "push"), ("memoryFull", "rcs")]],
    ("outcome", subscriber(scenarios=[{"outcome": "boom"}])),
    ("outcome", {"scenarios": [{}]}), ("match", scenario(match=[])),
    ("match.numbr", scenario(match={"numbr": NUMBER})), ("match.number", scenario(match={"number": 1})),
    ("match.sender", scenario(match={"sender": 1})), ("match.provider", scenario(match={"provider": 1})),
    ("after", scenario(after=5)),
    ("status", {"faults": [{}]}), ("status", {"faults": [{"status": None, "nth": 1}]}),
    ("provider", fault(provider=1)), ("route", fault(route=1)), ("number", fault(number=1)),
    *[("number", rule(number)) for number in ("banana", "12025550150", "+1 202 555 0150", "+1202*", "")
      for rule in (lambda it: fault(number=it), lambda it: scenario(match={"number": it}))],
    ("contains", fault(contains="")), ("times", fault(times=0)), ("times", scenario(times=0)),
    ("latencyMs", fault(latencyMs=3_600_001)),
    ("code", fault(code=1.5)), ("latency", fault(latency=5)),
    ("prelude", {"prelude": 1}), ("apiToken", {"prelude": {"account": {"apiToken": "a b"}}}),
    ("sdkKey", {"prelude": {"account": {"sdkKey": "key"}}}),
    ("number", {"prelude": {"numbers": [{"outcome": "challenged"}]}}),
    ("number", {"prelude": {"numbers": [{"number": "06", "outcome": "challenged"}]}}),
    ("outcome", {"prelude": {"numbers": [{"number": NUMBER}]}}),
    ("outcome", {"prelude": {"numbers": [{"number": NUMBER, "outcome": "sunny"}]}}),
    *[(name, {"prelude": {"settings": {name: value}}}) for name, value in (
        ("codeSize", 9), ("channels", []), ("channels", ["sms", "sms"]), ("channels", ["fax"]),
        ("fixedCode", "1234"), ("silentRedirect", 304), ("codePolicy", "any"), ("emailTargets", 1))],
    *[(name, {"prelude": {"settings": {name: value}}}) for name, value in (
        ("kycCountries", ["fr"]), ("kycCountries", "FR"), ("templates", "any"), ("callerNames", "yes"))],
    *[(name, {"prelude": {name: value}}) for name, value in (
        ("blockList", ["06"]), ("allowList", {}), ("testNumbers", [{"number": NUMBER, "attemptCode": "12"}]),
        ("senderIds", [{"name": "   "}]), ("senderIds", [{"name": "TWELVE-CHARS"}]),
        ("senderIds", [{"name": "A", "status": "good"}]), ("templates", [{"id": "a b"}]),
        ("templates", [{"id": "a", "countries": ["fr"]}]), ("inboundMessages", [{"id": "tx_1", "from": NUMBER}]),
        ("inboundMessages", [{"id": "im_1", "from": NUMBER, "receivedAt": "today"}]))],
    ("id", subscription(id="a/b")), ("callbackUrl", subscription(callbackUrl="example.com")),
    ("messages", subscription(messages={"hello": "a"})), ("lines[0].number", subscription(lines=[{"country": "US"}])),
    ("members[0].state", subscription(members=[{"number": NUMBER, "state": "IN", "source": "API"}])),
    ("messages", subscription(messages={"help_message": 1})),
    *[("apiKeys", {"telesign": {"accounts": [{"customerId": "0" * 8 + "-0000" * 3 + "-" + "0" * 12, "apiKeys": keys}]}})
      for keys in ([], ["a b"], "a")],
    *[(name, {"telesign": {"settings": {name: value}}}) for name, value in (
        ("account.host", "a b"), ("account.source_ip", "a" * 256), ("account.callback_url", "a.test"),
        ("score.level_names", "a,b"), ("sms_verify.features", ["score", "score"]),
        ("account.disabled_products", ["fax"]))],
    ("twilio", {"twilio": []}), ("service", {"twilio": {"service": []}}),
    ("accountSid", account(accountSid="AC1")), ("accountSid", account(accountSid=KEY)),
    ("authToken", {"twilio": {"account": {"accountSid": ACCOUNT}}}), ("authToken", account(authToken=1)),
    ("apiKeySid", account(apiKeySid="SK1", apiKeySecret="1")), ("apiKeySecret", account(apiKeySid=KEY)),
    ("apiKeySid", account(apiKeySecret="1")), ("apiKeySecret", account(apiKeySid=KEY, apiKeySecret=None)), ("token", account(token="1")),
    ("sid", {"twilio": {"services": [{"sid": "VA1", "settings": {"FriendlyName": "A"}}]}}),
    ("settings", {"twilio": {"services": [{"sid": SERVICE}]}}),
    *[("FriendlyName", service_settings(FriendlyName=name)) for name in ("", "a" * 31, "A/B", "A12345", "A,B")],
    *[(name, service_settings(**{name: value})) for name, value in [
        ("CodeLength", "11"), ("CodeLength", True), ("LookupEnabled", "yes"), ("Push__ApnCredentialSid", "CR1"),
        ("Push__FcmCredentialSid", "MG" + "0" * 32), ("DefaultTemplateSid", "HJ1"), ("Whatsapp__MsgServiceSid", "1"),
        ("Passkeys__AuthenticatorAttachment", "usb"), ("Passkeys__DiscoverableCredentials", "no"),
        ("Passkeys__UserVerification", "no"), ("Passkeys__RelyingParty__Origins", [1]),
        ("TtsName", {}), ("Codelength", 6), ("FriendlyName", ["A"]), ("FriendlyName", True),
        ("Passkeys__RelyingParty__Origins", 1)]],
    *[("publicBaseURL", settings(publicBaseURL=url)) for url in ("proxy.test", "http://", "http://proxy.test/", 1)],
    ("checkStatusCode", settings(checkStatusCode=202)), ("ttl", settings(ttl=600)), ("ttlSeconds", settings(ttlSeconds="600")), ("ttlSeconds", settings(ttlSeconds=600.5)),
]


@pytest.mark.parametrize("named, seed", BROKEN, ids=json.dumps)
def test_schema_and_sandbox_reject_invalid_seeds(tmp_path, named, seed):
    assert named.replace("__", ".") in refusal(tmp_path, seed)


def part(*path):
    """The schema at a path of a seed: without `$ref`, without the choice of null, and of an array its
    elements."""
    node = SCHEMA
    for name in (*path, None):
        while "properties" not in node:
            choices = [choice for choice in node.get("anyOf", []) if choice != {"type": "null"}]
            if "$ref" in node:
                node = SCHEMA["$defs"][node["$ref"].removeprefix("#/$defs/")]
            elif "items" in node:
                node = node["items"]
            elif len(choices) == 1:
                node = choices[0]
            else:
                break
        node = node["properties"][name] if name else node
    return node


def words(*path):
    """The values that the schema allows at a path of a seed."""
    return {word for word in part(*path)["enum"] if word}


@pytest.mark.parametrize("expected, seed", [
    (words("subscribers", "lineType"), subscriber(lineType="?")),
    (words("subscribers", "contract"), subscriber(contract="?")),
    (words("subscribers", "interference"), subscriber(interference="?")),
    (words("subscribers", "preferredChannel"), subscriber(preferredChannel="?")),
    (words("subscribers", "pushes"), subscriber(pushes="?")),
    (words("subscribers", "barring"), subscriber(barring=["?"])),
    (words("subscribers", "forwarding"), subscriber(forwarding=["?"])),
    (words("devices", "platform"), device(platform="?")),
    (words("scenarios", "match", "channel"), scenario(match={"channel": "?"})),
    (words("scenarios", "outcome"), scenario(outcome="?")),
    (words("faults", "damage"), fault(damage="?")),
    *[(words("twilio", "settings", name), settings(**{name: "?"})) for name in (
        "notFoundPathStyle", "customCodeWhenDisabled", "checkWithoutPending", "fetchAfterMaxAttempts",
        "attemptChannelCase", "lookupWhenDisabled")],
])
def test_the_schema_allows_the_values_of_the_sandbox(tmp_path, expected, seed):
    said = re.search("expected one of (.*);", refusal(tmp_path, seed)).group(1)

    assert set(said.split(", ")) == expected


def bounded(*path):
    """The members of an object of a seed that have bounds, and the bounds."""
    return [(name, kind["minimum"], kind["maximum"]) for name, member in part(*path)["properties"].items()
            for kind in (member, *member.get("anyOf", [])) if "minimum" in kind and name != "FriendlyName"]


BOUNDS = [
    *[(lambda **members: scenario(outcome="undeliverable", **members), *bounds) for bounds in bounded("scenarios")], *[(fault, *bounds) for bounds in bounded("faults")],
    *[(lambda **members: scenario(match=members), *bounds) for bounds in bounded("scenarios", "match")],
    *[(service_settings, *bounds) for bounds in bounded("twilio", "services", "settings")],
    *[(settings, *bounds) for bounds in bounded("twilio", "settings")],
]


@pytest.mark.parametrize("make, name, least, most", BOUNDS)
def test_the_schema_has_the_bounds_of_the_sandbox(tmp_path, make, name, least, most):
    for value in (least, most):
        accept(tmp_path, make(**{name: value}))
    for value in (least - 1, most + 1):
        assert name in refusal(tmp_path, make(**{name: value}))


def test_credentials_of_another_sandbox_are_not_generated_again(server):
    """A sandbox's credentials follow from its name, so a recreated sandbox could have the same ones as
    another."""
    first = server.sandbox(name="drawn")
    drawn = first.credentials
    first.delete()
    thief = server.sandbox(name="thief")
    thief.seed(
        twilio={"account": {key: drawn["twilio"][key] for key in (
            "accountSid", "authToken", "apiKeySid", "apiKeySecret")}},
        telesign={"accounts": [{"customerId": drawn["telesign"]["customerId"],
                                "apiKeys": [drawn["telesign"]["apiKey"]]}]},
        prelude={"account": drawn["prelude"]})

    again = server.sandbox(name="drawn")

    assert server.is_alive()
    for provider, name in (("twilio", "accountSid"), ("twilio", "apiKeySid"), ("telesign", "customerId"),
                           ("prelude", "apiToken"), ("prelude", "sdkKey")):
        assert again.credentials[provider][name] != drawn[provider][name]
    again.delete()
    thief.delete()
