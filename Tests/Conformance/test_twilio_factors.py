"""Conformance checks 25 to 30 of the Twilio Verify contract, section 18: one test for each number. Then other
operations on entities, TOTP factors and their challenges."""

import datetime
import urllib.parse

import pytest
import requests

import sdk_requests
import totp
from ringfence import different
from twilio_errors import refused

IDENTITY = "user-00000001"
START = datetime.datetime(2026, 1, 5, 10, 20, 30, tzinfo=datetime.timezone.utc).timestamp()
SECRET = "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ"


@pytest.fixture
def entity(service):
    return service.entities(IDENTITY)


def generator(entity, **more):
    """A new TOTP factor, with a known secret."""
    return entity.new_factors.create(friendly_name="Ana", factor_type="totp", binding_secret=SECRET, **more)


def verified(entity, **more):
    factor = generator(entity, **more)
    digits = more.get("config_code_length", 6)
    assert entity.factors(factor.sid).update(auth_payload=totp.code(SECRET, START, digits=digits)).status == "verified"
    return factor


def test_twilio_25_totp_factor_has_secret_and_uri(connect, service, entity):
    factor = entity.new_factors.create(friendly_name="Ana", factor_type="totp")

    uri = urllib.parse.urlsplit(factor.binding["uri"])
    query = dict(urllib.parse.parse_qsl(uri.query))
    assert (uri.scheme, uri.netloc) == ("otpauth", "totp")
    issuer = service.fetch().friendly_name
    assert urllib.parse.unquote(uri.path) == f"/{issuer}:Ana"
    assert query == {"secret": factor.binding["secret"], "issuer": issuer, "algorithm": "SHA1", "digits": "6", "period": "30"}
    assert factor.sid.startswith("YF02") and factor.status == "unverified"
    assert factor.config == {"alg": "sha1", "skew": 1, "code_length": 6, "time_step": 30}
    assert entity.fetch().identity == IDENTITY
    assert connect.statuses[0] == 201


def test_twilio_26_wrong_code_leaves_the_factor_unverified(connect, entity):
    factor = generator(entity)

    answer = entity.factors(factor.sid).update(auth_payload=different(totp.code(SECRET, START)))

    assert (connect.statuses[-1], answer.status) == (200, "unverified")


def test_twilio_27_right_code_verifies_the_factor(entity):
    factor = generator(entity)

    assert entity.factors(factor.sid).update(auth_payload=totp.code(SECRET, START)).status == "verified"
    assert entity.factors(factor.sid).fetch().status == "verified"


def test_twilio_28_right_code_approves_a_challenge_and_a_wrong_one_does_not(connect, entity):
    factor = verified(entity)
    code = totp.code(SECRET, START)

    right = entity.challenges.create(factor_sid=factor.sid, auth_payload=code)
    wrong = entity.challenges.create(factor_sid=factor.sid, auth_payload=different(code))

    assert (right.status, wrong.status) == ("approved", "pending")
    assert right.sid.startswith("YC02") and right.date_responded is not None
    assert connect.statuses[-2:] == [201, 201]
    # A later code of the same factor is a new one.
    assert entity.challenges(wrong.sid).update(auth_payload=totp.code(SECRET, START + 30)).status == "approved"


def test_twilio_29_unverified_factor_gets_no_challenge(entity):
    factor = generator(entity)

    with refused(403, 60318):
        entity.challenges.create(factor_sid=factor.sid)


def test_twilio_30_access_token_expires(sandbox, raw):
    url = f"{raw.service}/AccessTokens"
    answer = sdk_requests.NODE.send(
        "POST", url, raw.pair, {"Identity": IDENTITY, "FactorType": "push", "Ttl": "60"})

    token = answer.json()
    assert answer.status == 201 and token["sid"].startswith("YK") and token["token"]
    assert (token["ttl"], token["entity_identity"]) == (60, IDENTITY)
    sandbox.advance("61s")
    refusal = requests.post(
        f"{raw.service}/Entities/{IDENTITY}/Factors", auth=("token", token["token"]), timeout=20,
        data={"FriendlyName": "Phone", "FactorType": "push"})
    assert (refusal.status_code, refusal.json()["code"]) == (401, 20003)


def test_access_token_can_be_fetched(service):
    created = service.access_tokens.create(
        identity=IDENTITY, factor_type="push", factor_friendly_name="Ana's phone", ttl=300)

    fetched = service.access_tokens(created.sid).fetch()

    assert (fetched.token, fetched.ttl, fetched.factor_friendly_name) == (created.token, 300, "Ana's phone")
    parts = created.token.split(".")
    assert len(parts) == 5 and parts[1] == "" and ":" not in created.token
    with refused(404, 20404):
        service.access_tokens("YK" + "0" * 32).fetch()


@pytest.mark.parametrize("parameters", [
    {"identity": "short", "factor_type": "push"}, {"identity": IDENTITY, "factor_type": "totp"},
    {"identity": IDENTITY, "factor_type": "push", "ttl": 59}, {"identity": IDENTITY, "factor_type": "push", "ttl": 301}])
def test_bad_access_token_parameters_are_60305(service, parameters):
    with refused(400, 60305):
        service.access_tokens.create(**parameters)


def test_entities_are_created_listed_and_deleted(service):
    names = [f"user-{number:08}" for number in range(7)]
    for name in names:
        assert service.entities.create(identity=name).sid.startswith("YE")

    assert [entity.identity for entity in service.entities.list(page_size=3)] == names
    with refused(409, 60301):
        service.entities.create(identity=names[0].upper())
    assert service.entities(names[0]).delete()
    with refused(404, 20404):
        service.entities(names[0]).fetch()
    with refused(400, 60300):
        service.entities.create(identity="a_b_c_d_e_f")


def test_entity_takes_its_factors_and_challenges_with_it(service, entity):
    factor = verified(entity)
    challenge = entity.challenges.create(factor_sid=factor.sid)

    assert entity.delete()
    service.entities.create(identity=IDENTITY)

    assert entity.factors.list() == [] and entity.challenges.list() == []
    for gone in (entity.factors(factor.sid), entity.challenges(challenge.sid)):
        with refused(404, 20404):
            gone.fetch()


def test_links_of_lists_have_the_identity_in_lower_case_and_work(service):
    entity = service.entities("User-ABCD-1234")
    factors = [entity.new_factors.create(friendly_name=f"F{number}", factor_type="totp") for number in range(5)]

    page = entity.factors.page(page_size=2)

    assert "/Entities/user-abcd-1234/Factors?" in page.next_page_url
    assert [factor.sid for factor in entity.factors.list(page_size=2)] == [factor.sid for factor in factors]
    assert factors[0].identity == "User-ABCD-1234"


def test_factor_can_be_changed_and_deleted(entity):
    factor = verified(entity)

    changed = entity.factors(factor.sid).update(
        friendly_name="Ana's tablet", config_time_step=60, config_skew=0, config_code_length=8, config_alg="sha256")

    assert changed.friendly_name == "Ana's tablet" and changed.status == "verified"
    assert changed.config == {"alg": "sha256", "skew": 0, "code_length": 8, "time_step": 60}
    code = totp.code(SECRET, START, step=60, digits=8, algorithm="sha256")
    assert entity.challenges.create(factor_sid=factor.sid, auth_payload=code).status == "approved"
    assert entity.factors(factor.sid).delete()
    with refused(404, 20404):
        entity.factors(factor.sid).fetch()


@pytest.mark.parametrize("time, algorithm, digits, code", [
    (59, "sha1", 6, "287082"), (59, "sha1", 8, "94287082"), (59, "sha256", 6, "247374"),
    (1111111109, "sha1", 6, "081804"), (1111111109, "sha1", 8, "07081804"), (1111111109, "sha256", 6, "756375"),
    (1234567890, "sha1", 6, "005924"), (1234567890, "sha1", 8, "89005924"), (1234567890, "sha256", 6, "829826")])
def test_vectors_of_section_19_3(server, connect, time, algorithm, digits, code):
    at = datetime.datetime.fromtimestamp(time, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    sandbox = server.sandbox(clock=at)
    service = connect(sandbox).verify.v2.services(sandbox.credentials["twilio"]["serviceSid"])
    factor = generator(service.entities(IDENTITY), config_alg=algorithm, config_code_length=digits)

    assert service.entities(IDENTITY).factors(factor.sid).update(auth_payload=code).status == "verified"
    assert totp.code(SECRET, time, digits=digits, algorithm=algorithm) == code
    sandbox.delete()


def test_used_code_is_refused_once_a_challenge_has_used_it(sandbox, entity):
    factor = verified(entity)
    code = totp.code(SECRET, START)
    assert entity.challenges.create(factor_sid=factor.sid, auth_payload=code).status == "approved"

    replayed = entity.challenges.create(factor_sid=factor.sid, auth_payload=code)

    assert replayed.status == "pending"
    sandbox.advance("30s")
    assert entity.challenges(replayed.sid).update(auth_payload=code).status == "pending"
    assert entity.challenges(replayed.sid).update(auth_payload=totp.code(SECRET, START + 30)).status == "approved"
    with refused(403, 60322):
        entity.challenges(replayed.sid).update(auth_payload=totp.code(SECRET, START + 60))


def test_code_counts_within_its_skew_only(entity):
    factor = verified(entity)

    for steps, status in ((-2, "pending"), (2, "pending"), (-1, "approved"), (1, "approved")):
        code = totp.code(SECRET, START + 30 * steps)
        assert entity.challenges.create(factor_sid=factor.sid, auth_payload=code).status == status, steps


def test_code_of_a_phone_whose_clock_is_five_minutes_behind_is_wrong(sandbox, entity):
    factor = verified(entity)
    sandbox.advance("5m")

    challenge = entity.challenges.create(factor_sid=factor.sid, auth_payload=totp.code(SECRET, START + 30))

    assert challenge.status == "pending"
    assert "not the factor's code" in sandbox.journal(provider="twilio")[-1]["why"]


def test_sixth_code_of_a_challenge_is_60308(entity):
    factor = verified(entity)
    challenge = entity.challenges.create(factor_sid=factor.sid)
    wrong = different(totp.code(SECRET, START))
    for _ in range(5):
        assert entity.challenges(challenge.sid).update(auth_payload=wrong).status == "pending"

    with refused(429, 60308):
        entity.challenges(challenge.sid).update(auth_payload=totp.code(SECRET, START))
    assert entity.challenges(challenge.sid).fetch().status == "pending"


def test_sixth_code_of_a_factor_is_60310(entity):
    factor = generator(entity)
    for _ in range(5):
        entity.factors(factor.sid).update(auth_payload=different(totp.code(SECRET, START)))

    with refused(429, 60310):
        entity.factors(factor.sid).update(auth_payload=totp.code(SECRET, START))
    assert entity.factors(factor.sid).fetch().status == "unverified"


def test_short_codes_allow_ten_challenges_a_day(sandbox, entity):
    factor = verified(entity, config_code_length=4)
    for _ in range(10):
        entity.challenges.create(factor_sid=factor.sid)

    with refused(429, 60312):
        entity.challenges.create(factor_sid=factor.sid)
    sandbox.advance("24h")
    assert entity.challenges.create(factor_sid=factor.sid).status == "pending"


def test_longer_codes_allow_fifty_challenges_an_hour_and_a_hundred_a_day(sandbox, entity):
    factor = verified(entity)
    for _ in range(2):
        for _ in range(50):
            entity.challenges.create(factor_sid=factor.sid)
        with refused(429, 60312):
            entity.challenges.create(factor_sid=factor.sid)
        sandbox.advance("1h")

    with refused(429, 60312):
        entity.challenges.create(factor_sid=factor.sid)


def test_unverified_factor_is_removed_after_a_day(sandbox, entity):
    factor, kept = generator(entity), entity.new_factors.create(friendly_name="B", factor_type="totp")
    entity.factors(kept.sid).update(auth_payload=totp.code(kept.binding["secret"], START))

    sandbox.advance("23h59m59s")
    assert len(entity.factors.list()) == 2
    sandbox.advance("1s")

    assert [factor.sid for factor in entity.factors.list()] == [kept.sid]
    with refused(404, 20404):
        entity.factors(factor.sid).fetch()


def test_same_secret_twice_is_60317(entity):
    generator(entity)

    with refused(409, 60317):
        generator(entity)


def test_bad_secret_is_60314(entity):
    with refused(400, 60314):
        entity.new_factors.create(friendly_name="Ana", factor_type="totp", binding_secret="0189")


@pytest.mark.parametrize("parameters, code, text", [
    ({"factor_type": "totp", "friendly_name": ""}, 60300, "Missing required parameter FriendlyName in the post body"),
    ({"factor_type": "totp", "friendly_name": "A" * 65}, 60300, ""), ({"factor_type": "voice"}, 60300, ""),
    ({"factor_type": "passkeys"}, 60369, ""), ({"factor_type": "totp", "config_skew": 3}, 60300, ""),
    ({"factor_type": "totp", "config_time_step": 19}, 60300, ""), ({"factor_type": "totp", "config_code_length": 9}, 60300, ""),
    ({"factor_type": "totp", "config_alg": "md5"}, 60300, ""), ({"factor_type": "totp", "metadata": {"a": 1}}, 60300, ""),
    ({"factor_type": "push", "binding_public_key": "MFkw"}, 60314, "")])
def test_bad_factor_parameters_are_refused_and_create_no_entity(service, entity, parameters, code, text):
    with refused(400, code, text):
        entity.new_factors.create(**{"friendly_name": "Ana", **parameters})

    assert service.entities.list() == []


def test_hundred_factors_a_day_is_the_limit(sandbox, entity):
    sids = [entity.new_factors.create(friendly_name=f"F{number}", factor_type="totp").sid for number in range(100)]
    assert entity.factors(sids[0]).delete()

    with refused(429, 60326):
        entity.new_factors.create(friendly_name="More", factor_type="totp")
    secrets = {}
    sandbox.advance("24h")
    for number in range(100):
        factor = entity.new_factors.create(friendly_name=f"G{number}", factor_type="totp")
        secrets[factor.sid] = factor.binding["secret"]
    for sid, secret in secrets.items():
        entity.factors(sid).update(auth_payload=totp.code(secret, START + 86_400))
    sandbox.advance("24h")
    with refused(400, 60315, "Reached max limit of 100 totp Factors associated per Entity"):
        entity.new_factors.create(friendly_name="More", factor_type="totp")


@pytest.mark.parametrize("parameters", [
    {"expiration_date": datetime.datetime(2026, 1, 5, 11, 20, 31)},
    {"expiration_date": datetime.datetime(2026, 1, 5, 10, 20, 30)}, {"details_message": "a" * 257},
    {"details_fields": [{"label": "a" * 37, "value": "b"}]}, {"details_fields": [{"label": "a"}]},
    {"details_fields": [{"label": "a", "value": "b"}] * 21}, {"hidden_details": {"a": 1}},
    {"hidden_details": {"a": "b" * 1024}}, {"auth_payload": "12"}, {"auth_payload": "12345a"}])
def test_bad_challenge_parameters_are_60300(entity, parameters):
    factor = verified(entity)

    with refused(400, 60300):
        entity.challenges.create(factor_sid=factor.sid, **parameters)
    assert entity.challenges.list() == []


def test_challenges_are_filtered_and_ordered(sandbox, service, entity):
    first, second = verified(entity), entity.new_factors.create(friendly_name="B", factor_type="totp")
    entity.factors(second.sid).update(auth_payload=totp.code(second.binding["secret"], START))
    old = [entity.challenges.create(factor_sid=first.sid).sid for _ in range(3)]
    sandbox.advance("6m")
    new = [entity.challenges.create(factor_sid=factor.sid).sid for factor in (first, second, first, second)]
    entity.challenges(new[0]).update(auth_payload=totp.code(SECRET, START + 360))

    def sids(**filters):
        return [challenge.sid for challenge in entity.challenges.list(page_size=2, **filters)]

    assert sids() == old + new
    assert sids(order="desc") == (old + new)[::-1]
    assert sids(status="expired") == old
    assert sids(status="approved") == new[:1]
    assert sids(status="pending", order="desc") == new[:0:-1]
    assert sids(factor_sid=second.sid) == [new[1], new[3]]
    assert sids(factor_sid=first.sid, status="pending") == [new[2]]
    with refused(400, 60300):
        entity.challenges.list(status="open")
    with refused(400, 60373):
        entity.challenges.list(page_size=-1)
    with refused(400, 60374):
        entity.challenges.page(page_token="DN1")


def test_expired_totp_challenge_is_60323(sandbox, entity):
    factor = verified(entity)
    challenge = entity.challenges.create(factor_sid=factor.sid)
    sandbox.advance("301s")

    assert entity.challenges(challenge.sid).fetch().status == "expired"
    with refused(403, 60323):
        entity.challenges(challenge.sid).update(auth_payload=totp.code(SECRET, START + 301))
