"""What the server uses: memory, descriptors, processor time, and its longest turn."""

import os
import pathlib
import re
import statistics
import threading
import time

import requests


def wait(seconds):
    """A soak lasts a given time, unlike other tests."""
    threading.Event().wait(seconds)


class Gauge:
    """Samples the resident memory twice a second until it is stopped."""

    def __init__(self, server):
        self.server = server
        self.process = pathlib.Path(f"/proc/{server.process.pid}")
        self.samples = []  # (seconds since the start, KiB)
        self.start = time.monotonic()
        self.over = threading.Event()
        self.thread = threading.Thread(target=self._sample, daemon=True)
        self.thread.start()

    def _sample(self):
        while not self.over.wait(0.5):
            self.samples.append((time.monotonic() - self.start, self.server.resident_kib()))

    def stop(self):
        self.over.set()
        self.thread.join()

    def resident(self):
        """The median of each minute, in MiB."""
        minutes = {}
        for at, kib in self.samples:
            minutes.setdefault(int(at // 60), []).append(kib / 1024)
        # A last piece of a minute says little.
        return [statistics.median(values) for values in minutes.values() if len(values) >= 60 or len(minutes) == 1]

    def descriptors(self):
        return len(os.listdir(self.process / "fd"))

    def descriptors_after(self, expected, within=20):
        """Waits until connections that clients have closed are closed here too."""
        deadline = time.monotonic() + within
        while self.descriptors() > expected and time.monotonic() < deadline:
            wait(0.2)
        return self.descriptors()

    def processor_seconds(self):
        fields = (self.process / "stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


def answered(server):
    """The number of requests that the server counts itself."""
    text = requests.get(f"{server.http}/metrics", timeout=30).text
    return sum(int(count) for count in re.findall(r"^ringfence_requests_total\{.*\} (\d+)$", text, re.MULTILINE))


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]
