"""Chaos: the same seed twice brings the same bytes, another seed others."""

import subprocess

import requests

import ringfence

NUMBERS = [f"+120255501{ending}" for ending in range(70, 99)]


def answers(server, seed):
    """What a client gets that sends codes to many numbers; None where the connection breaks."""
    sandbox = server.sandbox(name="chaotic")
    sandbox.control("PUT", "chaos", json={"rate": 0.3, "seed": seed})
    own = sandbox.credentials["twilio"]
    url = f"{sandbox.base}/v2/Services/{own['serviceSid']}/Verifications"

    def send(number):
        try:
            answer = requests.post(
                url, data={"To": number, "Channel": "sms"}, auth=(own["accountSid"], own["authToken"]), timeout=20)
            return answer.status_code, answer.content
        except requests.RequestException:
            return None

    found = [send(number) for number in NUMBERS]
    chosen = sandbox.control("GET", "chaos").json()["failures"]
    sandbox.delete()
    return found, chosen


def test_the_same_seed_brings_the_same_bytes(server):
    first, second, other = answers(server, 7), answers(server, 7), answers(server, 8)

    assert first == second
    assert first != other
    assert len(first[1]) > 3


def test_the_summary_of_run_lists_what_chaos_did():
    start = """curl -sX PUT $RINGFENCE_URL/control/chaos -H 'Content-Type: application/json' -d '{"rate":1,"seed":7}'"""
    script = f"{start}; curl -s $RINGFENCE_URL/v2/Services -u a:b"
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--", "bash", "-c", script], capture_output=True, text=True, timeout=60,
        check=False)

    assert "chaos" in done.stderr and "seed 7: 1 of 1 chance" in done.stderr
