"""Conformance checks of `senders.md` section 7 with the official client: each operation of SMS that it has
succeeds once and is refused once. What else needs a receiver is here, too; the other checks are in
Sources/Providers/Sinch/Checks/SMS.http and SMSReports.http."""

import base64
import functools
import hashlib
import hmac
import json

import pytest
import requests
from sinch.domains.authentication.exceptions import AuthenticationException
from sinch.domains.sms.exceptions import SMSException

import receiver
import ringfence
import sinch_client

NUMBER = "12025550100"
UNKNOWN = "01FC66621XHDBN119Z8PMV1QPQ"
LATER = "2026-01-05T11:20:30Z"


Refused = functools.partial(sinch_client.Refused, SMSException, "code")


@pytest.fixture(params=["project", "plan"])
def sms(request, sandbox):
    """The client, with the project's access key and with the plan's token."""
    return sinch_client.connect_sms(sandbox, request.param).sms


@pytest.fixture
def project(sandbox):
    return sinch_client.connect_sms(sandbox, "project").sms


def send(sms, body="Your code is 482913", to=(NUMBER,), **more):
    return sms.batches.send(body=body, to=list(to), from_="12025550199", delivery_report=more.pop("report", "none"), **more)


def texts(sandbox, number=NUMBER):
    return [message["text"] for message in sandbox.control("GET", f"inbox/+{number}").json()["messages"]]


def test_sinch_xs1_a_batch_is_sent(sandbox, sms):
    sent = send(sms, client_reference="c1")
    assert (sent.to, sent.from_, sent.type, len(sent.id)) == ([NUMBER], "12025550199", "mt_text", 26)
    assert sandbox.control("GET", f"inbox/+{NUMBER}/latest/code").text.strip() == "482913"

    with Refused(400, "syntax_invalid_parameter_format"):
        send(sms, to=["banana"])


def test_sinch_xs2_parameters(sandbox, project):
    send(project, "Hi ${name}", [NUMBER, "12025550101"], parameters={"name": {NUMBER: "Ann", "default": "there"}})
    assert (texts(sandbox), texts(sandbox, "12025550101")) == (["Hi Ann"], ["Hi there"])


def test_sinch_xs4_a_wrong_key(sandbox):
    client = sinch_client.connect_sms(sandbox, "project", secret="wrong")
    with pytest.raises(AuthenticationException) as refused:
        send(client.sms)
    assert refused.value.http_response.status_code == 401


def test_sinch_an_expired_token_is_renewed(sandbox, project):
    send(project)
    sandbox.advance("1h")
    assert send(project).id


def test_sinch_dry_run(project):
    options = {"body": "x" * 200, "to": [NUMBER], "from_": "Shop", "delivery_report": "none"}
    found = project.batches.send_dry_run(per_recipient=True, number_of_recipients=10, **options)
    assert (found.number_of_recipients, found.number_of_messages, found.per_recipient[0]["number_of_parts"]) == (1, 2, 2)
    with Refused(400, "syntax_constraint_violation"):
        project.batches.send_dry_run(**{**options, "to": []})


def test_sinch_batches_for_later(sandbox, project):
    sent = send(project, "Later", send_at=LATER)
    assert project.batches.get(sent.id).id == sent.id
    assert project.batches.update(sent.id, body="Sooner", to_add=["12025550101"]).body == "Sooner"
    replaced = project.batches.replace(sent.id, body="New", to=[NUMBER], from_="Shop", send_at=LATER)
    assert (replaced.id, replaced.body, replaced.to) == (sent.id, "New", [NUMBER])
    assert project.batches.cancel(sent.id).id == sent.id
    listed = project.batches.list(page_size=1)
    assert (listed.result.count, listed.result.batches[0].id) == (1, sent.id)
    sandbox.advance("2h")
    assert texts(sandbox) == []

    done = send(project)
    with Refused(403, "batch_already_dispatched"):
        project.batches.update(done.id, body="x")
    with Refused(403, "batch_already_dispatched"):
        project.batches.replace(done.id, body="x", to=[NUMBER], from_="Shop")
    with Refused(404, "not_found"):
        project.batches.get(UNKNOWN)
    with Refused(404, "not_found"):
        project.batches.cancel(UNKNOWN)
    with Refused(400, "syntax_constraint_violation"):
        project.batches.list(page_size=101)


def test_sinch_delivery_feedback(project):
    sent = send(project, feedback_enabled=True)
    assert project.batches.send_delivery_feedback(sent.id, [NUMBER])
    with Refused(400, "syntax_constraint_violation"):
        project.batches.send_delivery_feedback(sent.id, ["12025550101"])


def test_sinch_delivery_reports(sandbox, project):
    sent = send(project)
    sandbox.advance("1s")
    report = project.delivery_reports.get_for_batch(sent.id, type_="full", code=[], status=[])
    assert report.statuses == [{"code": 0, "count": 1, "recipients": [NUMBER], "status": "Delivered"}]
    assert project.delivery_reports.get_for_number(sent.id, NUMBER).status == "Delivered"
    listed = project.delivery_reports.list(page_size=10)
    assert [each.recipient for each in listed.result.delivery_reports] == [NUMBER]

    with Refused(404, "not_found"):
        project.delivery_reports.get_for_batch(sent.id, type_="long", code=[], status=[])
    with Refused(404, "not_found"):
        project.delivery_reports.get_for_number(sent.id, "12025550101")
    with Refused(400, "syntax_constraint_violation"):
        project.delivery_reports.list(page_size=0)


def test_sinch_statuses_that_a_scenario_names(sandbox, project):
    (options,) = sandbox.control("GET", "faults/options", params={"provider": "sinch"}).json()["providers"]
    names = [status["name"] for status in options["statuses"] if status["channels"] == ["sms"]]
    names.remove("Successful")  # of Verification
    assert {"Delivered", "Rejected", "Expired", "Aborted", "402", "413"} < set(names)
    for name in [*names, "Failed"]:
        scenario = {"match": {"channel": "sms"}, "providerStatus": {"sinch": name}}
        sandbox.control("PUT", "scenarios", json={"scenarios": [scenario]})
        sent = send(project)
        sandbox.advance("10m")
        found = project.delivery_reports.get_for_number(sent.id, NUMBER)
        assert name in (found.status, str(found.code))


def test_sinch_xs10_inbound_messages(sandbox, project):
    send(project, client_reference="c1")
    sandbox.control("POST", f"inbox/+{NUMBER}/reply", json={"text": "Yes"})
    found, = project.inbounds.list(page_size=10).result.inbounds
    assert (found.body, found.from_, found.to, found.type) == ("Yes", NUMBER, "12025550199", "mo_text")
    # The client cannot read any answer: it names members that its own type does not have.
    with pytest.raises(TypeError, match="origin_number"):
        project.inbounds.get(found.id)

    with Refused(404, "not_found"):
        project.inbounds.get(UNKNOWN)
    with Refused(400, "syntax_constraint_violation"):
        project.inbounds.list(page_size=101)


def seed_plan(sandbox, **options):
    plan = {"id": sandbox.credentials["sinch"]["servicePlanId"], "token": "********", **options}
    sandbox.control("POST", "seed", json={"sinch": {"plans": [plan]}})


def test_sinch_xs11_errors_of_the_receiver_are_repeated(sandbox, project):
    """A 500 after 5 seconds, and a 400 never."""
    with receiver.Receiver(answers=(500, 400)) as hook:
        seed_plan(sandbox, callbackUrl=hook.url)
        send(project, report="summary")
        sandbox.advance("4s")
        assert len(hook.all()) == 1
        sandbox.advance("2s")
        sandbox.advance("1h")
        assert len(hook.all()) == 1
    webhook, = sandbox.control("GET", "webhooks").json()["webhooks"]
    assert [attempt["status"] for attempt in webhook["attempts"]] == [500, 400]
    assert webhook["state"] == "failed"


def test_sinch_xs12_callbacks_are_signed(sandbox, project):
    """The rule of the client for Node."""
    with receiver.Receiver() as hook:
        seed_plan(sandbox, callbackUrl=hook.url, hmacSecret="shared secret")
        send(project, report="per_recipient_final")
        sandbox.advance("1s")
        _, headers, body = hook.next()
    headers = {name.lower(): value for name, value in headers.items()}
    name = "x-sinch-webhook-signature"
    text = body + f".{headers[name + '-nonce']}.{headers[name + '-timestamp']}".encode()
    signature = base64.b64encode(hmac.new(b"shared secret", text, hashlib.sha256).digest()).decode()
    assert (headers[name], headers[name + "-algorithm"]) == (signature, "HmacSHA256")
    assert json.loads(body)["status"] == "Delivered"


def test_sinch_a_batch_survives_a_crash(tmp_path):
    """The rest of it is sent after the restart, and each number has one text."""
    numbers = [f"1{area}5550{ending}" for area in range(201, 211) for ending in range(100, 200)]
    with ringfence.Server("--data", tmp_path) as server:
        own = server.sandbox_described("default")["credentials"]["sinch"]
        sent = requests.post(
            f"{server.http}/xms/v1/{own['servicePlanId']}/batches", headers={"Authorization": f"Bearer {own['apiToken']}"},
            json={"to": numbers, "from": "Shop", "body": "Read me. " * 30}, timeout=10)
        server.kill()
    assert sent.status_code == 201

    with ringfence.Server("--data", tmp_path) as server:
        found = requests.get(f"{server.http}/control/messages?limit=1000", timeout=60).json()["messages"]
    assert sorted(message["to"] for message in found) == sorted(f"+{number}" for number in sent.json()["to"])


def test_sinch_secrets_of_plans_are_masked(sandbox):
    seed_plan(sandbox, hmacSecret="shared secret")
    for path in ("records/sinch", f"sandboxes/{sandbox.name}/export"):
        assert "shared secret" not in sandbox.control("GET", path).text
