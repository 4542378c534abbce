"""Restrictions of an account, product by product: the last rows of the Telesign contract's section 2.5, and
the limits of sections 4.9, 7.1, 9.1 and 15."""

import pytest

from telesign_clients import NUMBER, OTHER_KEY, code_of, error_of
from telesign_flows import BODIES, CREATE, MESSAGE, SMS, number_of, omni

# One request of each product, and its family (2.5).
PRODUCTS = {
    "verify": ("C", lambda telesign: telesign.create()),
    "silent": ("D", lambda telesign: telesign.rc.post("/silent/initiate", json_fields={"phone_number": NUMBER})),
    "sms_verify": ("A", lambda telesign: telesign.vc.sms(NUMBER)),
    "voice_verify": ("A", lambda telesign: telesign.vc.voice(NUMBER)),
    "smart_verify": ("A", lambda telesign: telesign.vc.smart(NUMBER, "BACF")),
    "app_verify": ("A", lambda telesign: telesign.av.initiate(NUMBER)),
    "messaging": ("B", lambda telesign: telesign.mc.message(NUMBER, "hi", "OTP")),
    "omnichannel": ("C", lambda telesign: telesign.mc.omniMessage(omni())),
    "voice": ("B", lambda telesign: telesign.voice.call(NUMBER, "hi", "ARN")),
    "phoneid": ("B", lambda telesign: telesign.pc.phoneid(NUMBER)),
    "intelligence": ("B", lambda telesign: telesign.sc.score(NUMBER, "create")),
    "telebureau": ("A", lambda telesign: telesign.tb.create_event(NUMBER, "other", "2026-11-20T08:00:00Z")),
}
each_product = pytest.mark.parametrize("product", PRODUCTS)


def ask(telesign, product):
    """The family of a product, and the response to a valid request for it."""
    family, request = PRODUCTS[product]
    return family, request(telesign)


def number(family, answer):
    """The error code, which each family has at another place."""
    return error_of(answer) if family == "A" else code_of(answer)


@each_product
def test_telesign_account_rate_limit_of_a_product(telesign, product):
    """Off by default. A request over the limit has no effect."""
    for _ in range(3):
        assert ask(telesign, product)[1].status_code == 200
    telesign.switch(**{f"rate__{product}": 2})
    telesign.advance("1s")
    statuses = [ask(telesign, product)[1].status_code for _ in range(2)]
    before = len(telesign.inbox())

    family, over = ask(telesign, product)

    assert (statuses, over.status_code) == ([200, 200], 429)
    assert number(family, over) == {"A": -40007, "B": 10019, "C": 3204, "D": 10019}[family]
    assert len(telesign.inbox()) == before
    telesign.advance("1s")
    assert ask(telesign, product)[1].status_code == 200


@each_product
def test_telesign_account_with_a_disabled_product(telesign, product):
    others = [name for name in PRODUCTS if name != product]
    telesign.switch(account__disabled_products=[product])

    family, answer = ask(telesign, product)

    assert answer.status_code == 401, answer.body
    # The contract names no code for Silent Verify; the sandbox answers as for an unknown caller.
    expected = {"verify": 3906, "omnichannel": 3206, "silent": 40002}
    assert number(family, answer) == expected.get(product, {"A": -20002, "B": 10011}.get(family))
    assert {ask(telesign, other)[1].status_code for other in others} == {200}


@pytest.mark.parametrize("state, legacy, flat, fine", [
    ("suspended", -30001, 10010, 3406), ("not_activated", -30002, 10010, 3400)])
def test_telesign_account_suspended_or_not_activated(telesign, state, legacy, flat, fine):
    telesign.switch(account__state=state)

    assert error_of(telesign.vc.sms(NUMBER)) == legacy
    assert code_of(telesign.mc.message(NUMBER, "hi", "OTP")) == flat
    assert code_of(telesign.create()) == 3400
    telesign.switch(auth__fine_grained_34xx=True)
    assert code_of(telesign.create()) == fine


def test_telesign_account_fine_grained_34xx(telesign):
    telesign.switch(auth__fine_grained_34xx=True)
    kind, body = BODIES[CREATE]

    found = [code_of(telesign.raw("POST", CREATE, {"Content-Type": kind, **headers}, body))
             for headers in ({}, {"Authorization": "Bearer x"})]
    found.append(code_of(telesign.other(customer="0").create()))
    found.append(code_of(telesign.other(key=OTHER_KEY, auth_method="Basic").create()))

    assert found == [3405, 3412, 3410, 3411]


@pytest.mark.parametrize("resource, expected, fine", [(SMS, -10009, -10009), (MESSAGE, 10014, 10014), (CREATE, 3400, 3409)])
def test_telesign_account_restricted_to_an_address(telesign, resource, expected, fine):
    kind, body = BODIES[resource]
    headers = {**telesign.basic, "Content-Type": kind}
    telesign.switch(account__source_ip="127.0.0.1")
    assert telesign.raw("POST", resource, headers, body).status_code == 200
    telesign.switch(account__source_ip="192.0.2.7")

    answer = telesign.raw("POST", resource, headers, body)

    assert number_of(resource, answer) == expected
    # Family A answers 500 here, as for -30008 and -10033; otherwise 501 (2.5).
    assert code_of(answer) == {SMS: 500, MESSAGE: 10014, CREATE: 3400}[resource]
    telesign.switch(auth__fine_grained_34xx=True)
    assert number_of(resource, telesign.raw("POST", resource, headers, body)) == fine


@pytest.mark.parametrize("resource, expected", [(SMS, -10001), (MESSAGE, 10035), (CREATE, 3400)])
def test_telesign_account_restricted_to_a_host(telesign, resource, expected):
    """Full-service and self-service accounts have different hosts (1.1). Any other host is the sandbox's."""
    kind, body = BODIES[resource]
    telesign.switch(account__host="rest-ww.telesign.com")

    def ask_at(host):
        return telesign.raw("POST", resource, {"Host": host, **telesign.basic, "Content-Type": kind}, body)

    assert ask_at("rest-ww.telesign.com").status_code == 200
    assert ask_at("127.0.0.1:5550").status_code == 200
    assert number_of(resource, ask_at("rest-api.telesign.com")) == expected


@pytest.mark.parametrize("product, code", [
    ("sms_verify", -10030), ("voice_verify", -10030), ("messaging", 10030), ("voice", 10030), ("phoneid", 10030)])
def test_telesign_account_without_money(telesign, product, code):
    telesign.switch(account__funds=False)

    family, answer = ask(telesign, product)

    assert (answer.status_code, number(family, answer)) == (402, code)
    assert telesign.inbox() == []


def test_telesign_account_is_as_it_was_seeded_after_a_reset(telesign):
    telesign.switch(account__state="suspended")
    telesign.replace_keys(OTHER_KEY)

    telesign.sandbox.control("POST", "reset")

    assert code_of(telesign.vc.sms(NUMBER)) == 290
