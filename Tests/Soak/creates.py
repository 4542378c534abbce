"""Creates verifications at a fixed rate in a separate process, and prints how long each took.

A process, because the other clients' threads would delay its clock. Ends when standard input is closed.
"""

import base64
import http.client
import json
import select
import sys
import time
import urllib.parse


def main():
    port, service, user, password, rate = sys.argv[1:]
    pair = base64.b64encode(f"{user}:{password}".encode()).decode()
    headers = {"Authorization": f"Basic {pair}", "Content-Type": "application/x-www-form-urlencoded"}
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=30)
    spans, due = [], time.perf_counter()
    while not select.select([sys.stdin], [], [], max(0, due - time.perf_counter()))[0]:
        due = max(due + 1 / float(rate), time.perf_counter() - 1)
        body = urllib.parse.urlencode({"To": f"+8613999{len(spans):06}", "Channel": "sms"})
        start = time.perf_counter()
        connection.request("POST", service, body, headers)
        answer = connection.getresponse()
        answer.read()
        spans.append(round((time.perf_counter() - start) * 1000, 3))
        assert answer.status == 201, answer.status
    json.dump(spans, sys.stdout)


main()
