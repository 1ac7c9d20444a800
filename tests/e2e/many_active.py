"""What the tests of jobs that hold a worker but no thread share."""

import os
import re

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

SANITIZED = "TSAN_OPTIONS" in os.environ or "ASAN_OPTIONS" in os.environ
WORKERS = 5_000 if SANITIZED else 50_000
# gRPC's own, the loop, the ports and so on are some twenty.
MOST_THREADS = 40


class TestCase(harness.TestCase):
    """`handler` waits as long as its payload says."""
    handler = ""
    options = {}

    def start_pool(self, workers=WORKERS, handlers="", **options):
        self.daemon = self.start(f"[pools.default]\nworkers = {workers}\ncapacity = 0\n"
                                 f'keep = {{ age = "15m", jobs = 1000, bytes = "4MiB" }}\n{handlers}',
                                 **self.options, **options)

    def pool(self):
        return self.daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool

    def finished(self, state):
        return self.daemon.metrics().sum("workpool_finished_total", handler=self.handler, state=state)

    def stuck(self):
        return self.daemon.metrics().value("workpool_workers_stuck", pool="default")

    def status(self, key):
        with open(f"/proc/{self.daemon.process.pid}/status", encoding="ascii") as status:
            return int(re.search(rf"^{key}:\s+(\d+)", status.read(), re.MULTILINE)[1])

    def post(self, jobs, payload, **fields):
        """Posts so many; answers their ids. None may be refused."""
        ids = []
        while len(ids) < jobs:
            work = job_pb2.Work(handler=self.handler, payload=payload, **fields)
            batch = workpool_pb2.PostWorkBatchRequest(work=[work] * min(10_000, jobs - len(ids)))
            for result in self.daemon.work.PostWorkBatch(batch).results:
                self.assertEqual(result.refusal.reason, "")
                ids.append(result.id)
        return ids

    def cancel(self, ids):
        cancelled = 0
        for i in range(0, len(ids), 10_000):
            request = workpool_pb2.CancelJobsRequest(ids=ids[i:i + 10_000])
            cancelled += self.daemon.work.CancelJobs(request).cancelled
        return cancelled

    def rest(self, **finished):
        """Waits until all have ended, so many in each state."""
        wait_for(lambda: self.pool().active == 0, 90, "an idle pool")
        # A place is free a moment before its job's end is counted.
        wait_for(lambda: sum(self.finished(state) for state in finished) >= sum(finished.values()), 10,
                 f"{finished} are counted")
        self.assertEqual({state: self.finished(state) for state in finished}, finished)

    def all_wait_at_once(self, most_bytes):
        """Every worker has one, at most so much memory each; then every worker has one that ends."""
        self.start_pool()
        self.post(1000, b"1ms")
        self.rest(succeeded=1000)
        threads = self.status("Threads")
        before = self.status("VmRSS") * 1024
        ids = self.post(WORKERS, b"1h")
        self.assertEqual(self.pool().active, WORKERS)
        self.assertLessEqual(self.status("Threads"), MOST_THREADS)
        if not SANITIZED:
            each = (self.status("VmRSS") * 1024 - before) / WORKERS
            print(f"{each:.0f} bytes an active job; {threads} threads at first, "
                  f"{self.status('Threads')} with {WORKERS} active")
            self.assertLess(each, most_bytes)
        self.assertEqual(self.cancel(ids), WORKERS)
        self.rest(cancelled=WORKERS)
        self.post(WORKERS, b"2s")
        self.rest(succeeded=WORKERS + 1000)

    def half_are_cancelled_and_half_time_out(self):
        self.start_pool()
        ids = self.post(WORKERS // 2, b"1h")
        late = self.post(WORKERS // 2, b"1h", timeout={"seconds": 2})
        self.assertEqual(self.cancel(ids), len(ids))
        self.rest(cancelled=len(ids), dead=len(late))
        self.assertLessEqual(self.status("Threads"), MOST_THREADS)
        self.assertEqual(self.stuck(), 0)
