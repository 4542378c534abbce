"""The older look-ups, and Score through each API, with the official clients: the Telesign contract, sections
10 and 11. Other rules are in Sources/Providers/Telesign/Checks."""

import pytest
from telesign.score import ScoreClient as StandardScoreClient

from telesign_clients import NUMBER, code_of, error_of

COMMON = {"reference_id", "resource_uri", "sub_resource", "errors", "status", "phone_type", "numbering", "location",
          "carrier", "blocklisting"}


@pytest.mark.parametrize("name, own", [
    ("standard", set()), ("live", {"live"}), ("score", {"risk"}), ("contact", {"contact"}),
    ("number_deactivation", {"number_deactivation"})])
def test_telesign_older_gets(telesign, name, own):
    telesign.sandbox.control("PUT", f"subscribers/+{NUMBER}", json={
        "kyc": {"givenName": "Ada", "familyName": "Lovelace"}})

    answer = telesign.rc.get(f"/v1/phoneid/{name}/{NUMBER}", ucid="ATCK")

    assert answer.status_code == 200, answer.body
    assert (answer.json["sub_resource"], answer.json["resource_uri"], answer.json["errors"]) == (name, None, [])
    assert answer.json["phone_type"]["code"] == "2"
    assert set(answer.json) == COMMON | own
    assert all(isinstance(answer.json[member], dict) for member in own)


def test_telesign_older_get_of_a_missing_contact(telesign):
    answer = telesign.rc.get(f"/v1/phoneid/contact/{NUMBER}", ucid="ATCK")

    assert error_of(answer) == -60001
    assert answer.json["errors"][0]["description"] == "Phone ID Contact data not found"


def test_telesign_older_gets_are_family_a(telesign):
    number = telesign.pc.standard("abc")
    nobody = telesign.other(customer="0").pc.standard(NUMBER)

    assert (number.status_code, error_of(number)) == (400, -10001)
    assert (nobody.status_code, error_of(nobody)) == (401, -30000)


def test_telesign_score_is_the_same_through_each_api(telesign):
    """A number has the same score through the standard client, the older JSON and the older path."""
    client = telesign._make(StandardScoreClient)
    fields = {"phone_number": NUMBER, "account_lifecycle_event": "sign-in"}
    older = telesign.rc.post("/intelligence", json_fields=fields)
    answers = [telesign.sc.score(NUMBER, "sign-in"), client.score(NUMBER, "sign-in"), older,
               telesign.rc.post(f"/v1/score/{NUMBER}", account_lifecycle_event="sign-in")]

    for answer in answers:
        assert (answer.status_code, code_of(answer)) == (200, 300)
    assert len({answer.json["risk"]["score"] for answer in answers}) == 1
    assert code_of(telesign.rc.post("/intelligence", json_fields={"phone_number": NUMBER})) == 12003
