"""Clients that write under load, and what they were promised."""

import threading

import requests

CLIENTS = 8


class Load:
    """Clients that create and check verifications and remember what the server acknowledged."""

    def __init__(self, server, world, round_number):
        self.url = f"{server.http}/v2/Services/{world['serviceSid']}"
        self.pair = (world["accountSid"], world["authToken"])
        self.round = round_number
        self.pending, self.approved = {}, set()
        self.requests = threading.Semaphore(0)
        self.is_over = threading.Event()
        self.threads = [threading.Thread(target=self._work, args=(client,)) for client in range(CLIENTS)]
        for thread in self.threads:
            thread.start()

    def _work(self, client):
        session, count = requests.Session(), 0
        session.auth = self.pair
        try:
            while not self.is_over.is_set():
                count += 1
                number = f"+8613{self.round:02}{client}{count:06}"
                made = session.post(
                    f"{self.url}/Verifications", data={"To": number, "Channel": "sms"}, timeout=10)
                assert made.status_code == 201, made.text
                self.pending[number] = made.json()["sid"]
                if count % 3 == 0:
                    self._approve(session, number)
                self.requests.release()
        except requests.ConnectionError:
            return  # the server was killed

    def _approve(self, session, number):
        origin = self.url.split("/v2/")[0]
        code = session.get(f"{origin}/control/inbox/{number}/latest/code", timeout=10).text.strip()
        sid = self.pending.pop(number)  # until the answer is here, either state is right
        answer = session.post(f"{self.url}/VerificationCheck", data={"To": number, "Code": code}, timeout=10)
        assert answer.json()["status"] == "approved", answer.text
        self.approved.add(sid)

    def wait_for(self, acknowledged):
        for _ in range(acknowledged):
            assert self.requests.acquire(timeout=60), "no request was answered for a minute"

    def join(self):
        # A client without a request under way does not notice a crash.
        self.is_over.set()
        for thread in self.threads:
            thread.join(60)


def default_credentials(server):
    return server.sandbox_described("default")["credentials"]["twilio"]


def missing(server, world, load):
    """Acknowledged writes that are absent after a restart."""
    session = requests.Session()
    session.auth = (world["accountSid"], world["authToken"])
    lost = []
    for state, sids in ((200, load.pending.values()), (404, load.approved)):
        for sid in sids:
            answer = session.get(
                f"{server.http}/v2/Services/{world['serviceSid']}/Verifications/{sid}", timeout=10)
            if answer.status_code != state:
                lost.append((sid, state, answer.status_code))
    return lost
