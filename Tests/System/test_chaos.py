"""Chaos in the summary of `ringfence run`."""

import subprocess

import ringfence


def test_the_summary_of_run_lists_what_chaos_did():
    start = """curl -sX PUT $RINGFENCE_URL/control/chaos -H 'Content-Type: application/json' -d '{"rate":1,"seed":7}'"""
    script = f"{start}; curl -s $RINGFENCE_URL/v2/Services -u a:b"
    done = subprocess.run(
        [str(ringfence.binary()), "run", "--", "bash", "-c", script], capture_output=True, text=True, timeout=60,
        check=False)

    assert "chaos" in done.stderr and "seed 7: 1 of 1 chance" in done.stderr
