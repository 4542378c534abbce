"""Access tokens, entities, TOTP factors and their challenges by the official clients: each operation once
with success and once refused. What the server decides: Factors.http and Challenges.http in
Sources/Providers/Twilio/Checks."""

import datetime

import pytest

import sdk_requests
import totp
from twilio_errors import refused

IDENTITY = "user-00000001"
START = datetime.datetime(2026, 1, 5, 10, 20, 30, tzinfo=datetime.timezone.utc).timestamp()
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.fixture
def entity(service):
    return service.entities(IDENTITY)


def verified(entity):
    factor = entity.new_factors.create(friendly_name="Ana", factor_type="totp", binding_secret=SECRET)
    assert entity.factors(factor.sid).update(auth_payload=totp.code(SECRET, START)).status == "verified"
    return factor


def test_access_tokens(service, raw):
    answer = sdk_requests.NODE.send(
        "POST", f"{raw.service}/AccessTokens", raw.pair, {"Identity": IDENTITY, "FactorType": "push", "Ttl": "60"})
    created = service.access_tokens.create(
        identity=IDENTITY, factor_type="push", factor_friendly_name="Ana's phone", ttl=300)
    fetched = service.access_tokens(created.sid).fetch()

    assert answer.status == 201 and answer.json()["sid"].startswith("YK") and answer.json()["token"]
    assert (fetched.token, fetched.ttl, fetched.factor_friendly_name) == (created.token, 300, "Ana's phone")
    parts = created.token.split(".")
    assert len(parts) == 5 and parts[1] == "" and ":" not in created.token
    with refused(404, 20404):
        service.access_tokens("YK" + "0" * 32).fetch()
    with refused(400, 60305):
        service.access_tokens.create(identity="short", factor_type="push")


def test_entities(service):
    names = [f"user-{number:08}" for number in range(7)]
    for name in names:
        assert service.entities.create(identity=name).sid.startswith("YE")

    assert [entity.identity for entity in service.entities.list(page_size=3)] == names
    assert service.entities(names[0]).fetch().identity == names[0]
    assert service.entities(names[0]).delete()
    for refusal in (service.entities(names[0]).fetch, service.entities(names[0]).delete):
        with refused(404, 20404):
            refusal()
    with refused(409, 60301):
        service.entities.create(identity=names[1])
    with refused(400, 60373):
        service.entities.list(page_size=-1)


def test_factors(connect, entity):
    factor = verified(entity)
    assert connect.statuses == [201, 200]
    assert factor.binding["secret"] == SECRET and factor.sid.startswith("YF02")
    assert entity.factors(factor.sid).fetch().status == "verified"
    changed = entity.factors(factor.sid).update(friendly_name="Ana's tablet", config_time_step=60, config_alg="sha256")
    assert (changed.friendly_name, changed.config["time_step"], changed.config["alg"]) == ("Ana's tablet", 60, "sha256")
    others = [entity.new_factors.create(friendly_name=f"F{number}", factor_type="totp").sid for number in range(3)]
    assert [factor.sid for factor in entity.factors.list(page_size=2)] == [factor.sid, *others]

    with refused(409, 60317):
        entity.new_factors.create(friendly_name="Ana", factor_type="totp", binding_secret=SECRET)
    with refused(400, 60374):
        entity.factors.page(page_token="DN1")
    assert entity.factors(factor.sid).delete()
    for refusal in (entity.factors(factor.sid).fetch, entity.factors(factor.sid).update, entity.factors(factor.sid).delete):
        with refused(404, 20404):
            refusal()


def test_challenges(connect, entity):
    factor = verified(entity)
    right = entity.challenges.create(factor_sid=factor.sid, auth_payload=totp.code(SECRET, START))
    open_one = entity.challenges.create(
        factor_sid=factor.sid, expiration_date=datetime.datetime(2026, 1, 5, 11, 20, 30), details_message="Log in?",
        details_fields=[{"label": "a", "value": "b"}], hidden_details={"a": "b"})

    assert (right.status, open_one.status, connect.statuses[-2:]) == ("approved", "pending", [201, 201])
    assert right.date_responded is not None
    assert [found.sid for found in entity.challenges.list(page_size=1)] == [right.sid, open_one.sid]
    assert [found.sid for found in entity.challenges.list(status="pending", order="desc")] == [open_one.sid]
    assert entity.challenges(open_one.sid).fetch().details["fields"] == [{"label": "a", "value": "b"}]
    later = totp.code(SECRET, START + 30)
    assert entity.challenges(open_one.sid).update(auth_payload=later).status == "approved"

    with refused(403, 60322):
        entity.challenges(open_one.sid).update(auth_payload=later)
    with refused(404, 20404):
        entity.challenges("YC" + "0" * 32).fetch()
    with refused(400, 60300):
        entity.challenges.list(status="open")
    with refused(400, 60300):
        entity.challenges.create(factor_sid=factor.sid, details_fields=[{"label": "a"}])


def test_hundred_factors_of_a_person_are_the_limit(sandbox, entity):
    for number in range(100):
        factor = entity.new_factors.create(friendly_name=f"G{number}", factor_type="totp")
        entity.factors(factor.sid).update(auth_payload=totp.code(factor.binding["secret"], START))
    sandbox.advance("24h")

    with refused(400, 60315, "Reached max limit of 100 totp Factors associated per Entity"):
        entity.new_factors.create(friendly_name="More", factor_type="totp")
