"""Every reason of the contract's tables, section 2 and the additions.

`CAUSES` has one function for each reason that needs a key or a certificate: it does what Apple documents
the reason for, without a fault. `Sources/Providers/APNs/Checks` shows the others. `FAULTS` are reasons inside
Apple's service, for which only a fault can stand. A reason of the contract that is nowhere fails a test.
"""

import re
import uuid

import pytest
import requests

import checks
import ringfence
from apns_client import TOPIC, SecureLine, Gateway, alert, key_pair, push_certificate, refused

CONTRACT = ringfence.ROOT / "Docs/Contracts/push-gateway.md"
# With the reason why no request can cause it.
FAULTS = {
    "IdleTimeout": (400, "Apple sends it when it closes an idle connection; no request causes it"),
    "InternalServerError": (500, "an error inside Apple's service"),
    "Shutdown": (503, "Apple's server shuts down"),
}
CAUSES = {}


def cause(reason, status):
    """Registers a function whose answer must have this reason."""
    def register(function):
        CAUSES[reason] = (status, function)
        return function
    return register


def documented():
    """The reasons of the contract: (status, reason). Those of the additions have no status of their own."""
    text = CONTRACT.read_text("utf-8")
    (table,) = re.findall(r"\| HTTP \| reasons \|\n\|---\|---\|\n(.*?)\n\n", text, re.S)
    found = set()
    for row in table.splitlines():
        statuses, reasons = [cell.strip() for cell in row.strip("|").split("|")]
        statuses = [int(one) for one in statuses.split(" / ")]
        parts = reasons.split(" / ")
        assert len(parts) in (1, len(statuses)), row
        for number, part in enumerate(parts):
            found |= {(statuses[number], reason.strip()) for reason in part.split(",")}
    added = re.findall(r"APNs reasons, [^|]*\| also ([^|]*)\|", text)
    assert {reason for line in added for reason in re.findall(r"`(\w+)`", line)} <= {reason for _, reason in found}
    return found


@pytest.fixture
def apns(sandbox, tmp_path):
    gateway = Gateway(sandbox)
    gateway.folder = tmp_path
    return gateway


def key_id(letter, apns):
    """Ten characters that no other sandbox of this server has, and neither this one."""
    own = apns.key["keyId"]
    return (letter if letter != own[0] else "0") + own[1:]


@cause("BadCertificate", 403)
def certificate_without_a_bundle_id(apns):
    return with_certificate(apns, "", ("production",))


@cause("BadCertificateEnvironment", 403)
def certificate_for_development(apns):
    return with_certificate(apns, TOPIC, ("development",))


@cause("Forbidden", 403)
def location_push_with_a_certificate(apns):
    return with_certificate(
        apns, TOPIC, ("production",), apns_topic=f"{TOPIC}.location-query", apns_push_type="location")


def with_certificate(apns, bundle, environments, **headers):
    """The answer to a client that shows a certificate, from a server with TLS."""
    listeners = ("--http", "127.0.0.1:0", "--https", "127.0.0.1:0", "--gateway", "off")
    with ringfence.Server("--data", apns.folder, "--auth", "open", listeners=listeners) as server:
        file = apns.folder / "push.pem"
        file.write_text("".join(push_certificate(bundle, environments)))
        with SecureLine(server, apns.folder / "authority.pem", file) as connection:
            return connection.post(alert(), **headers)


@cause("UnrelatedKeyIdInToken", 403)
def keys_of_two_teams_on_one_connection(apns):
    key, private, public = (key_id("B", apns), *key_pair())
    apns.sandbox.seed(apns={"keys": [{"teamId": "TEAM567890", "keyId": key, "publicKey": public}]})
    other = apns.provider_token(team="TEAM567890", key_id=key, key=private)
    assert apns.post(provider_token=other).status_code == 200
    with requests.Session() as apns.http:
        assert apns.post().status_code == 200
        return apns.post(provider_token=other)


@cause("BadEnvironmentKeyIdInToken", 403)
def key_for_development(apns):
    key, private, public = (key_id("C", apns), *key_pair())
    apns.sandbox.seed(apns={"keys": [
        {"teamId": apns.key["teamId"], "keyId": key, "publicKey": public, "environment": "development"}]})
    signed = apns.provider_token(key_id=key, key=private)
    assert apns.post(provider_token=signed, host="api.sandbox.push.apple.com").status_code == 200
    return apns.post(provider_token=signed)


def test_push_apns_every_reason_is_caused_or_excepted():
    causes = {(status, reason) for reason, (status, _) in {**CAUSES, **FAULTS}.items()}
    for last in (check.requests[-1] for check in checks.of("APNs")):
        found = re.match(r"([45]\d\d) (\w+)", last.expected)
        causes |= {(int(found[1]), found[2])} if found and not last.is_of_sandbox else set()
    assert causes == documented()
    assert not CAUSES.keys() & FAULTS.keys()


@pytest.mark.parametrize("reason", sorted(CAUSES))
def test_push_apns_reason(apns, reason):
    status, function = CAUSES[reason]

    assert "timestamp" not in refused(function(apns), status, reason)
    assert {attempt["error"] for attempt in apns.attempts()} <= {None, *CAUSES}


def test_push_20_ids_are_generated_in_upper_case(apns):
    answer = apns.post(alert())

    generated = answer.headers["apns-id"]
    assert generated == str(uuid.UUID(generated)).upper()
    assert "apns-unique-id" not in answer.headers
    for host in "api.sandbox.push.apple.com", "api.development.push.apple.com":
        assert uuid.UUID(apns.post(alert(), host=host).headers["apns-unique-id"])
