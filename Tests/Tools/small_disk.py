"""A small file system in a mount namespace, for servers on a full disk."""

import pathlib
import subprocess

import ringfence


class SmallDisk:
    """Ends with a process that holds the namespace. `is_mounted` is false where mounts are not allowed."""

    def __init__(self, folder, size):
        self.folder = folder
        script = f'mount -t tmpfs -o size={size},mode=700 none "$0" && echo mounted && exec cat'
        self.holder = subprocess.Popen(
            ["unshare", "-m", "sh", "-c", script, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL)
        self.is_mounted = self.holder.stdout.readline() == b"mounted\n"
        self.prefix = ("nsenter", "-m", "-t", str(self.holder.pid))
        self.path = pathlib.Path(f"/proc/{self.holder.pid}/root{folder}")

    def close(self):
        self.holder.stdin.close()
        self.holder.wait(10)
        self.holder.stdout.close()

    def serve(self, *flags, **named):
        return ringfence.Server("--data", self.folder / "data", *flags, prefix=self.prefix, **named)

    def fill(self):
        """Takes all room that is left, as another program would."""
        with open(self.path / "filler", "wb", buffering=0) as file:
            try:
                while True:
                    file.write(b"x" * 4096)
            except OSError:
                return

    def free(self):
        (self.path / "filler").unlink()
