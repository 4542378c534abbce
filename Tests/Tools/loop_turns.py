"""Long turns of the server's event loop, which its log has. No other request is answered in one."""

import dataclasses
import re

LOGGED = ("--log-level", "debug")  # flags of a server whose log has them


@dataclasses.dataclass
class Turn:
    """A turn over 40 ms, in ms."""

    duration: float
    waited: float  # for the disk, or for a processor
    line: str

    @property
    def worked(self):
        return self.duration - self.waited


def in_text(log):
    lines = re.findall(r"one turn of the event loop took .*", log)
    return [Turn(*(float(each) * 1000 for each in re.search(r"took ([\d.]+) .* waited ([\d.]+) ", line).groups()), line)
            for line in lines]


def in_log(path):
    """Longest first."""
    return sorted(in_text(path.read_text()), key=lambda turn: -turn.duration)
