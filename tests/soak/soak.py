#!/usr/bin/python3
"""Everything at once on one daemon, for SOAK_SECONDS: posts, batches, commands, timeouts, cancels,
reloads, resizes, scrapes, clients that come and go. At rest afterwards the daemon is as large as it
was before, and its counters add up with each other and with what the clients were told."""

import collections
import os
import random
import re
import sys
import threading
import time
import unittest

import grpc

import harness
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

SECONDS = float(os.environ.get("SOAK_SECONDS", "60"))
# A sanitizer keeps freed memory for itself.
MEASURE_MEMORY = "TSAN_OPTIONS" not in os.environ and "ASAN_OPTIONS" not in os.environ
CONFIG = """
[pools.default]
workers = 4
capacity = 300
keep = { age = "15m", jobs = 500, bytes = "1MiB" }
keep_dead = { age = "15m", jobs = 100, bytes = "1MiB" }
[pools.small]
workers = 2
capacity = 5
keep = { age = "15m", jobs = 500, bytes = "1MiB" }
keep_dead = { age = "15m", jobs = 100, bytes = "1MiB" }
[handlers.copy]
pool = "small"
exec = ["/bin/sh", "-c", "cat; echo copied >&2"]
[handlers.late]
pool = "small"
exec = ["/bin/sh", "-c", "sleep 60 & sleep 60"]
timeout = "50ms"
kill_grace = "50ms"
"""


class Load:
    """Threads that each repeat one thing until told to stop; counts what each pool answered."""

    def __init__(self, daemon):
        self.daemon = daemon
        self.counts = collections.Counter()
        self.errors = []
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._threads = [threading.Thread(target=self._repeat, args=(step,)) for step in
                         (self.unary, self.unary, self.batch, self.commands, self.cancel,
                          self.reload, self.resize, self.scrape, self.come_and_go)]

    def run(self, seconds):
        for thread in self._threads:
            thread.start()
        self._stop.wait(seconds)
        self._stop.set()
        for thread in self._threads:
            thread.join()

    def _repeat(self, step):
        try:
            while not self._stop.is_set():
                step()
        except Exception as error:  # reported by the test, which fails on it
            self.errors.append(f"{step.__name__}: {error!r}")
            self._stop.set()

    def count(self, pool, accepted):
        with self._lock:
            self.counts[pool, "accepted" if accepted else "rejected"] += 1

    def post(self, stub, pool, handler, payload=b"", **fields):
        """The id, or None for a full pool."""
        work = job_pb2.Work(handler=handler, payload=payload, **fields)
        try:
            answer = stub.PostWork(workpool_pb2.PostWorkRequest(work=work))
        except grpc.RpcError as error:
            if error.code() != grpc.StatusCode.RESOURCE_EXHAUSTED:
                raise
            self.count(pool, False)
            return None
        self.count(pool, True)
        return answer.id

    def unary(self):
        handler = random.choice(["echo", "noop", "fail"])
        self.post(self.daemon.work, "default", handler, os.urandom(random.randrange(2000)),
                  priority=random.randrange(10))

    def batch(self):
        request = workpool_pb2.PostWorkBatchRequest()
        for _ in range(200):
            request.work.add(handler="noop", payload=b"x" * 64)
        for result in self.daemon.work.PostWorkBatch(request).results:
            self.count("default", not result.HasField("refusal"))

    def commands(self):
        self.post(self.daemon.work, "small", random.choice(["copy", "copy", "late"]), b"text")
        self._stop.wait(0.01)

    def cancel(self):
        job = self.post(self.daemon.work, "default", "sleep", b"20ms")
        if job:
            self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[job]))

    def reload(self):
        self._stop.wait(1)
        self.daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest())

    def resize(self):
        self._stop.wait(0.2)
        self.daemon.admin.ResizePool(admin_pb2.ResizePoolRequest(
            pool="default", workers=random.randrange(1, 9), capacity=random.randrange(100, 400)))

    def scrape(self):
        self._stop.wait(0.1)
        for (name, labels), value in self.daemon.metrics().items():
            if value < 0:
                raise AssertionError(f"{name} {labels} is {value}")

    def come_and_go(self):
        with grpc.insecure_channel(self.daemon.grpc_address) as channel:
            stub = harness.workpool_pb2_grpc.WorkPoolStub(channel)
            self.post(stub, "default", "echo", b"hello")


class SoakTest(unittest.TestCase):
    def setUp(self):
        self.daemon = harness.Daemon(CONFIG, server='grace = "10s"\nlog = { level = "warn" }')
        self.addCleanup(self.daemon.close)

    def rest(self):
        """Waits until nothing runs and nothing is connected but this test, then measures."""
        def idle():
            metrics = self.daemon.metrics()
            return metrics.sum("workpool_queued") + metrics.sum("workpool_active") == 0
        harness.wait_for(idle, 30, "an idle daemon")
        harness.wait_for(lambda: not self.children(), 10, "no child left")
        pid = self.daemon.process.pid
        with open(f"/proc/{pid}/status", encoding="ascii") as file:
            status = file.read()
        return {"rss_kib": int(re.search(r"VmRSS:\s+(\d+)", status)[1]),
                "threads": int(re.search(r"Threads:\s+(\d+)", status)[1]),
                "descriptors": len(os.listdir(f"/proc/{pid}/fd"))}

    def children(self):
        """The daemon's children; a sanitizer keeps one that names the functions in its reports."""
        pid = self.daemon.process.pid
        tasks = os.listdir(f"/proc/{pid}/task")
        pids = "".join(self.read(f"/proc/{pid}/task/{task}/children") for task in tasks).split()
        return [p for p in pids if not self.read(f"/proc/{p}/comm").startswith("llvm-symbolizer")]

    @staticmethod
    def read(path):
        try:
            with open(path, encoding="ascii") as file:
                return file.read()
        except FileNotFoundError:  # a thread that has ended
            return ""

    def load(self, seconds, counts):
        load = Load(self.daemon)
        load.run(seconds)
        self.assertEqual(load.errors, [], self.daemon.output()[-2000:])
        counts.update(load.counts)

    def check_growth(self, before, after):
        print(f"before {before}\nafter  {after}")
        self.assertLessEqual(after["descriptors"], before["descriptors"] + 8)
        self.assertLessEqual(after["threads"], before["threads"] + 8)
        if MEASURE_MEMORY:
            self.assertLess(after["rss_kib"], before["rss_kib"] * 1.5 + 8192)

    def check_sums(self, counts):
        metrics = self.daemon.metrics()
        print(dict(counts))
        for pool in ("default", "small"):
            accepted = metrics.value("workpool_accepted_total", pool=pool)
            rejected = metrics.sum("workpool_rejected_total", pool=pool)
            self.assertEqual(accepted, counts[pool, "accepted"], pool)
            self.assertEqual(rejected, counts[pool, "rejected"], pool)
            self.assertEqual(metrics.value("workpool_posted_total", pool=pool), accepted + rejected)
            finished = metrics.sum("workpool_finished_total", pool=pool)
            deleted = metrics.sum("workpool_deleted_total", pool=pool)
            self.assertEqual(accepted, finished + deleted, pool)

    def test_soak(self):
        counts = collections.Counter()
        self.load(max(3, SECONDS / 4), counts)  # fills what is kept, starts every thread
        before = self.rest()
        self.load(SECONDS * 3 / 4, counts)
        self.check_growth(before, self.rest())
        self.check_sums(counts)
        self.assertEqual(self.daemon.stop(), 0, self.daemon.output()[-5000:])
        self.assertNotIn("Sanitizer", self.daemon.output())


if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0]])
