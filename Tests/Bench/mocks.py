"""Starts the mocks that Ringfence's create is compared with: no vendor rules, no carrier, nothing on disk.
aiohttp is in the environment because aioapns needs it."""

import base64
import shutil
import subprocess
import sys

import kinds
import load

COMMANDS = {
    "Python (aiohttp)": (sys.executable, load.HERE / "peers/mock.py"),
    "Node": (shutil.which("node") or "node", load.HERE / "peers/mock.mjs"),
}
REQUEST = kinds.Request(
    "/v2/Services/VA00/Verifications",
    {"Authorization": "Basic " + base64.b64encode(b"AC00:secret").decode(), "Content-Type": kinds.FORM},
    "To=%2B{number}&Channel=sms")


class Mock:
    def __init__(self, name):
        port = load.free_port()
        self.process = subprocess.Popen([*load.pinned(load.SERVER_CORE), *COMMANDS[name], str(port)])
        self.pid = self.process.pid
        self.http = f"http://127.0.0.1:{port}"
        load.wait_until_open(("127.0.0.1", port))

    def stop(self):
        self.process.terminate()
        self.process.wait(10)
