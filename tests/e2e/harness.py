"""Runs the real workpoold and talks to it as a stock client would. For unittest files.

    class EchoTest(harness.TestCase):
        def test_echo(self):
            daemon = self.start('[pools.default]\\nworkers = 2\\n')
            answer = daemon.work.PostWork(...)

A daemon listens on free ports, is found by its ready line, and is killed when its test ends. No
test sleeps: it waits for a condition with `wait_for`, whose time is only a bound on a hang.
"""

import os
import pathlib
import re
import signal
import subprocess
import tempfile
import threading
import time
import unittest
import urllib.error
import urllib.request

import grpc

from workpool.v1 import admin_pb2_grpc, workpool_pb2_grpc

WORKPOOLD = os.environ["WORKPOOLD"]
WORKPOOL = os.environ["WORKPOOL"]
# Instrumented binaries are slow: tests/run widens every bound there.
TIME_FACTOR = float(os.environ.get("WORKPOOL_TIME_FACTOR", "1"))
READY = re.compile(r"^workpoold ready grpc=(\S+) http=(\S+)$")
SAMPLE = re.compile(r"^(\w+)(?:\{(.*)\})? (\S+)$")
LABEL = re.compile(r'(\w+)="((?:[^"\\]|\\.)*)"')


def wait_for(condition, bound=10.0, what="the condition"):
    """Calls `condition` until it answers something true, which is returned; fails at the bound."""
    deadline = time.monotonic() + bound * TIME_FACTOR
    while True:
        answer = condition()
        if answer:
            return answer
        if time.monotonic() > deadline:
            raise AssertionError(f"{what} did not hold within {bound * TIME_FACTOR:g} s")
        time.sleep(0.01)


class Metrics(dict):
    """One scrape: {(name, ((label, value), ...sorted)): number}."""

    @classmethod
    def parse(cls, text):
        metrics = cls()
        for line in text.splitlines():
            match = SAMPLE.match(line)
            if match:
                labels = tuple(sorted(LABEL.findall(match[2] or "")))
                metrics[match[1], labels] = float(match[3])
        return metrics

    def value(self, name, **labels):
        """The one series with exactly these labels; a missing one is a KeyError."""
        return self[name, tuple(sorted(labels.items()))]

    def sum(self, name, **labels):
        """The sum of the series that have at least these labels."""
        wanted = set(labels.items())
        return sum(v for (n, have), v in self.items() if n == name and wanted <= set(have))


class Output:
    """The lines of a stream, read as they come so that the writer never blocks."""

    def __init__(self, stream):
        self._lines = []
        self._stream = stream
        self._thread = threading.Thread(target=self._read, daemon=True)
        self._thread.start()

    def _read(self):
        with self._stream:
            for line in self._stream:
                self._lines.append(line.rstrip("\n"))

    def lines(self):
        return list(self._lines)

    def join(self):
        self._thread.join(10)


class Daemon:
    """A running workpoold. `config` is TOML without [server]; `server` holds lines of [server];
    `program` is another that has handlers of its own."""

    def __init__(self, config="", server="", args=(), env=None, wrapper=(), wait_ready=True,
                 program=WORKPOOLD):
        self._folder = tempfile.TemporaryDirectory(prefix="workpool-e2e-")
        self.folder = pathlib.Path(self._folder.name)
        self.config_path = self.folder / "workpool.toml"
        self.write_config(config, server)
        self._channels = []
        self.process = subprocess.Popen(
            [*wrapper, program, "--config", str(self.config_path), *args],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            errors="replace", env={**os.environ, **(env or {})})
        self.stdout = Output(self.process.stdout)
        self.stderr = Output(self.process.stderr)
        self.grpc_address = self.http_address = None
        if wait_ready:
            try:
                self.wait_ready()
            except BaseException:
                self.close()
                raise

    def write_config(self, config="", server=""):
        """Replaces the config file; a key that `server` sets is not given a default here."""
        lines = [server] if server else []
        for key in ("listen", "http"):
            if not re.search(rf"^\s*{key}\s*=", server, re.MULTILINE):
                lines.append(f'{key} = "127.0.0.1:0"')
        text = "[server]\n" + "\n".join(lines) + "\n" + config
        self.config_path.write_text(text, encoding="utf-8")

    def wait_ready(self, bound=30):
        def ready():
            for line in self.stdout.lines():
                match = READY.match(line)
                if match:
                    return match
            if self.process.poll() is not None:
                raise AssertionError(f"workpoold ended before it was ready:\n{self.output()}")
            return None
        match = wait_for(ready, bound, "the ready line")
        self.grpc_address, self.http_address = match[1], match[2]

    def output(self):
        """All that it has written, for messages."""
        return "\n".join(self.stdout.lines() + self.stderr.lines())

    def log(self):
        """The lines of its log so far."""
        return self.stderr.lines()

    def channel(self, options=()):
        """A connection of its own, closed with the daemon."""
        own = (("grpc.use_local_subchannel_pool", 1), *options)
        channel = grpc.insecure_channel(self.grpc_address, options=own)
        self._channels.append(channel)
        return channel

    @property
    def work(self):
        """The WorkPool service's stub; all calls through it share one connection."""
        if not hasattr(self, "_work"):
            self._work = workpool_pb2_grpc.WorkPoolStub(self.channel())
        return self._work

    @property
    def admin(self):
        if not hasattr(self, "_admin"):
            self._admin = admin_pb2_grpc.AdminStub(self.channel())
        return self._admin

    def http(self, path):
        """(status, body) of a GET on the HTTP port."""
        try:
            with urllib.request.urlopen(f"http://{self.http_address}{path}", timeout=30) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()

    def metrics(self):
        status, body = self.http("/metrics")
        if status != 200:
            raise AssertionError(f"/metrics answered {status}: {body}")
        return Metrics.parse(body)

    def command(self, *args, input=None, bound=60):
        """Runs the command-line client against this daemon; a CompletedProcess with text."""
        return subprocess.run([WORKPOOL, *args], input=input, text=True, capture_output=True,
                              timeout=bound * TIME_FACTOR,
                              env={**os.environ, "WORKPOOL_SERVER": self.grpc_address})

    def send(self, number=signal.SIGTERM):
        self.process.send_signal(number)

    def wait(self, bound=60):
        """Its exit status (negative: the signal that killed it)."""
        status = self.process.wait(bound * TIME_FACTOR)
        self.stdout.join()
        self.stderr.join()
        return status

    def stop(self, number=signal.SIGTERM, bound=60):
        """Signals, waits, answers the exit status."""
        if self.process.poll() is None:
            self.send(number)
        return self.wait(bound)

    def close(self):
        """Leaves nothing behind, whatever state the test left it in."""
        for channel in self._channels:
            channel.close()
        if self.process.poll() is None:
            self.process.kill()
        self.wait()
        self._folder.cleanup()


class TestCase(unittest.TestCase):
    def start(self, config="", **options):
        daemon = Daemon(config, **options)
        self.addCleanup(daemon.close)
        return daemon

    def refused(self, code, reason, call, *args, **kwargs):
        """Asserts that a call is refused with a code and a workpool-reason; answers the error."""
        with self.assertRaises(grpc.RpcError) as caught:
            call(*args, **kwargs)
        error = caught.exception
        self.assertEqual(error.code(), code, error.details())
        self.assertEqual(dict(error.trailing_metadata()).get("workpool-reason"), reason)
        return error
