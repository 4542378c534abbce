"""Conformance checks 48 to 51 of the Prelude contract, additions: texts of messages, advice about retries,
and errors as the provider's error page has them."""

import re

import pytest

MOBILE = "+33639980050"
RATE_LIMITED = "+33639980022"  # its last digits choose the scenario err_too_many_attempts
INVALID_NUMBER = "The provided phone number is invalid. Provide a valid E.164 phone number."
UUID = r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}"


@pytest.fixture
def create(prelude_raw):
    def create(number=MOBILE, **options):
        body = {"target": {"type": "phone_number", "value": number}, "options": options}
        return prelude_raw("POST", "/v2/verification", json=body)

    return create


@pytest.fixture
def text(create, sandbox):
    """The text and the code of a new message."""

    def text(**options):
        answer = create(**options)
        assert answer.status_code == 200, answer.text
        message = sandbox.control("GET", f"inbox/{MOBILE}/latest").json()
        return message["text"], message["code"]

    return text


def test_prelude_48_android_texts_end_with_the_hash(text):
    shown, code = text(app_realm={"platform": "android", "value": "FA+9qCX9VSu"})

    assert shown == f"Your verification code is: {code}\nFA+9qCX9VSu"


def test_prelude_48_web_texts_end_with_the_line_of_webotp(text):
    shown, code = text(app_realm={"platform": "web", "value": "shop.example"})

    assert shown.splitlines()[-1] == f"@shop.example #{code}"


def test_prelude_48_only_sms_has_the_line(text):
    shown, code = text(app_realm={"platform": "web", "value": "shop.example"}, preferred_channel="whatsapp")

    assert shown == f"Your verification code is: {code}"


def test_prelude_48_the_newest_request_decides(text):
    first, _ = text(app_realm={"platform": "android", "value": "FA+9qCX9VSu"}, locale="fr")
    second, code = text(channels=["sms"])

    assert "FA+9qCX9VSu" in first
    assert second == f"Your verification code is: {code}"


@pytest.mark.parametrize("locale, start", [
    ("fr-FR", "Votre code de vérification est : "), ("fr", "Votre code"), ("es-MX", "Tu código de verificación es: "),
    ("de-AT", "Ihr Bestätigungscode lautet: "), ("pt-BR", "Seu código de verificação é: "),
    ("IT", "Il tuo codice di verifica è: "), ("en-GB", "Your verification code is: "),
    ("ja-JP", "Your verification code is: "), (None, "Your verification code is: ")])
def test_prelude_49_locale_chooses_the_language(text, locale, start):
    shown, code = text(**({"locale": locale} if locale else {}))

    assert shown.startswith(start) and shown.endswith(code), shown


def test_prelude_49_payments_are_translated_too(text):
    shown, code = text(
        locale="fr-FR", template_id="prelude:psd2",
        variables={"amount": "12.50", "currency": "EUR", "recipient": "ACME"})

    assert shown == f"12.50 EUR à ACME. Votre code de vérification est : {code}"


@pytest.mark.parametrize("retries", [False, True])
def test_prelude_50_rate_limits_by_number_and_by_fault_are_the_same(create, sandbox, retries):
    sandbox.seed(prelude={"settings": {"retryRateLimits": retries}})
    by_number = create(RATE_LIMITED)
    faults = []
    for fault in {"code": "too_many_attempts"}, {"status": 429}:
        sandbox.faults({"provider": "prelude", "route": "createVerification", **fault})
        faults.append(create())

    def shown(answer):
        kept = {name: value for name, value in answer.headers.items() if name not in ("X-Request-Id", "Date")}
        return answer.status_code, kept, {**answer.json(), "request_id": None}

    assert by_number.status_code == 429
    assert by_number.headers.get("x-should-retry") == (None if retries else "false")
    assert [shown(fault) for fault in faults] == [shown(by_number)] * 2


def test_prelude_51_an_error_is_as_on_the_providers_page(create):
    answer = create("06")

    error = answer.json()
    assert (answer.status_code, error["code"], error["type"]) == (400, "invalid_phone_number", "bad_request")
    assert error["message"] == INVALID_NUMBER
    assert re.fullmatch(UUID, error["request_id"])
    assert error["request_id"] == answer.headers["X-Request-Id"]


def test_prelude_51_the_journal_has_the_details(prelude_raw, sandbox):
    error = prelude_raw("POST", "/v2/verification", json={"target": 5}).json()

    assert error["code"] == "invalid_request"
    assert sandbox.journal(route="createVerification")[-1]["why"].startswith("$.target: expected ")


def test_prelude_51_request_ids_of_answers(create):
    ids = [create().json()["request_id"] for _ in range(2)]

    assert all(re.fullmatch(UUID, one) for one in ids) and len(set(ids)) == 2


def test_prelude_51_a_region_that_the_customer_blocked(create, sandbox):
    sandbox.faults({"provider": "prelude", "code": "region_blocked_by_customer"})

    answer = create()

    assert (answer.status_code, answer.json()["code"]) == (400, "region_blocked_by_customer")
