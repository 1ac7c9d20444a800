"""A program on a pseudo terminal, as a user sees it."""

import fcntl
import os
import pty
import re
import struct
import subprocess
import termios
import threading

import harness

ERASES = re.compile(r"\x1b\[H\x1b\[2J|\r\x1b\[K")


class Terminal:
    """Runs `arguments` with the named streams ("stdout", "stderr") on a terminal of its own, wide
    enough that nothing is wrapped; the others are pipes, read when it has ended."""

    def __init__(self, arguments, on=("stdout", "stderr"), env=None):
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, 200, 0, 0))
        where = {name: slave if name in on else subprocess.PIPE for name in ("stdout", "stderr")}
        self.process = subprocess.Popen(arguments, stdin=subprocess.DEVNULL, text=True,
                                        env={**os.environ, **(env or {})}, **where)
        os.close(slave)
        self._text = ""
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        decoded = bytearray()
        while True:
            try:
                got = os.read(self._master, 65536)
            except OSError:  # EIO: nobody has the terminal open any more
                return
            if not got:
                return
            decoded += got
            self._text = decoded.decode(errors="replace")

    @property
    def text(self):
        """All that it has been sent."""
        return self._text

    def screens(self):
        """What stood there between one erasing and the next."""
        return ERASES.split(self._text)

    def wait(self, bound=60):
        """Its exit status, and what it wrote into pipes."""
        out, err = self.process.communicate(timeout=bound * harness.TIME_FACTOR)
        self._thread.join(10)
        return self.process.returncode, (out or "") + (err or "")

    def close(self):
        if self.process.poll() is None:
            self.process.kill()
            self.wait()
        os.close(self._master)
