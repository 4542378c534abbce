"""FCM with batches: the check P18 of the push contract, and the batches of the Python client."""

import json
import shutil

import pytest
from firebase_admin import messaging

import ringfence
import running
from fcm_client import UNREGISTERED

pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")
SCRIPT = ringfence.ROOT / "Tests/Tools/node_send_each.js"
# What the script prints, then the attempts at the sandbox.
STORY = """
project=ringfence-sandbox
node "$0" $project any "$1" && wget -qO- --no-proxy "$RINGFENCE_URL/control/pushes/attempts?limit=1000" 2>/dev/null ||
node -e 'fetch(process.env.RINGFENCE_URL + "/control/pushes/attempts?limit=1000").then(a => a.text()).then(console.log)'
"""


def send_each(messages):
    """What sendEach of the client for Node returns for these messages, and the attempts that the sandbox
    lists."""
    output = running.isolated("sh", "-c", STORY, SCRIPT, json.dumps(messages))
    batch, attempts = output.splitlines()
    return json.loads(batch), json.loads(attempts)["attempts"]


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_push_18_send_each_of_node(tmp_path):
    batch, attempts = send_each([
        {"token": "sbx-a", "notification": {"title": "Sign in?"}}, {"token": "sbx-b-gone"}, {"token": "sbx-c"}])

    assert (batch["successCount"], batch["failureCount"]) == (2, 1)
    assert [one["success"] for one in batch["responses"]] == [True, False, True]
    assert batch["responses"][1]["code"] == "messaging/registration-token-not-registered"
    assert batch["responses"][0]["messageId"].startswith("projects/ringfence-sandbox/messages/0:")
    assert sorted(attempt["status"] for attempt in attempts) == [200, 200, 404]


@pytest.mark.skipif(not shutil.which("node"), reason="Node is not installed")
def test_push_18_retries_and_parallel_streams_of_node():
    """More messages than one session may have streams, and one that succeeds at the second try."""
    messages = [{"token": f"sbx-{number}", "data": {"n": str(number)}} for number in range(300)]

    batch, attempts = send_each([*messages, {"token": "sbx-x-flaky1"}])

    assert (batch["successCount"], batch["failureCount"]) == (301, 0)
    statuses = [attempt["status"] for attempt in attempts]
    assert (statuses.count(200), statuses.count(503)) == (301, 1)
    assert len({one["messageId"] for one in batch["responses"]}) == 301


def test_push_18_batches_of_python(fcm):
    messages = [messaging.Message(token=token, data={"a": "b"}) for token in ("sbx-a", "sbx-b-gone", "sbx-c")]

    batch = messaging.send_each(messages, app=fcm.app)
    multicast = messaging.send_each_for_multicast(
        messaging.MulticastMessage(tokens=["sbx-a", "sbx-b-gone", "sbx-c"], data={"a": "b"}), app=fcm.app)
    dry = messaging.send_each(messages, dry_run=True, app=fcm.app)

    for answer in batch, multicast, dry:
        assert (answer.success_count, answer.failure_count) == (2, 1)
        assert [one.success for one in answer.responses] == [True, False, True]
        assert isinstance(answer.responses[1].exception, messaging.UnregisteredError)
    assert len(fcm.pushes(token="sbx-a")) == len(fcm.pushes(token="sbx-c")) == 2
    assert [attempt["error"] for attempt in fcm.attempts(token="sbx-b-gone")] == [UNREGISTERED] * 3


@pytest.mark.skipif(not shutil.which("nghttp"), reason="nghttp2-client is not installed")
def test_push_01_nghttp(tmp_path):
    body = tmp_path / "body.json"
    body.write_text(json.dumps({"message": {"token": "sbx-a", "data": {"a": "b"}}}))

    output = running.isolated(
        "nghttp", "-v", "-m", "10", "-d", body, "-H", "authorization: Bearer any",
        "https://fcm.googleapis.com/v1/projects/ringfence-sandbox/messages:send")

    assert output.count(":status: 200") == 10 and "projects/ringfence-sandbox/messages/0:" in output
