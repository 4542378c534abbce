"""Topics, with the requests of current and of older clients. Source: the push contract, 1.6 and check 29."""

import pytest
import requests
from firebase_admin import messaging

from fcm_client import INVALID, UNREGISTERED


# Tokens are what the other languages' clients and the contract have; the client would like `fid` instead.
pytestmark = pytest.mark.filterwarnings("ignore:.* is deprecated. Use .*fids? instead")


def test_push_29_topics(fcm):
    tokens = ["sbx-t1", "sbx-t2", "sbx-t3-gone"]

    added = messaging.subscribe_to_topic(tokens, "news", app=fcm.app)
    fcm.send(topic="news", data={"a": "b"})
    removed = messaging.unsubscribe_from_topic(["sbx-t1"], "news", app=fcm.app)
    fcm.send(topic="news", data={"a": "c"})

    assert (added.success_count, added.failure_count) == (2, 1)
    assert (added.errors[0].index, added.errors[0].reason) == (2, UNREGISTERED)
    assert removed.success_count == 1
    assert [push["data"]["a"] for push in fcm.pushes(token="sbx-t1")] == ["b"]
    assert [push["data"]["a"] for push in fcm.pushes(token="sbx-t2")] == ["b", "c"]


def test_push_29_topics_with_requests_of_older_clients(fcm):
    def change(word, *tokens, topic="/topics/news"):
        return requests.post(
            f"{fcm.sandbox.base}/iid/v1:{word}", json={"to": topic, "registration_tokens": tokens}, timeout=20,
            headers={"Authorization": f"Bearer {fcm.token()}", "access_token_auth": "true"})

    added = change("batchAdd", "sbx-t1", "sbx-t2-gone", "a b")
    fcm.send(topic="news", data={"a": "b"})
    removed = change("batchRemove", "sbx-t1")
    fcm.send(topic="news", data={"a": "c"})

    assert added.json() == {"results": [{}, {"error": "NOT_FOUND"}, {"error": INVALID}]}
    assert removed.json() == {"results": [{}]}
    assert [push["data"] for push in fcm.pushes()] == [{"a": "b"}]
    assert change("batchAdd", "sbx-t1", topic="news").status_code == 400
    assert change("batchAdd").status_code == 400


@pytest.mark.parametrize("condition, reached", [
    ("'news' in topics", {"sbx-t1", "sbx-t2"}), ("'news' in topics && 'sport' in topics", {"sbx-t2"}),
    ("'news' in topics && !('sport' in topics)", {"sbx-t1"}),
    ("'art' in topics || 'news' in topics && 'sport' in topics", {"sbx-t2"}),
])
def test_push_29_conditions(fcm, condition, reached):
    messaging.subscribe_to_topic(["sbx-t1", "sbx-t2"], "news", app=fcm.app)
    messaging.subscribe_to_topic(["sbx-t2", "sbx-t3"], "sport", app=fcm.app)

    fcm.send(condition=condition, data={"a": "b"})

    assert {push["to"] for push in fcm.pushes()} == reached
