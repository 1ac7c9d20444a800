"""Coroutines as handlers, in a daemon that has its own (async_daemon.cc)."""

import os
import unittest

import harness
import many_active
from harness import wait_for
from workpool.v1 import job_pb2, workpool_pb2

MEMORY = 4096  # bytes an active coroutine, all told; measured: 3160


class AsyncTest(many_active.TestCase):
    handler = "nap"
    options = {"program": os.environ["ASYNC_DAEMON"]}

    def run_work(self, handler, payload=b"", **fields):
        work = job_pb2.Work(handler=handler, payload=payload, **fields)
        return self.daemon.work.RunWork(workpool_pb2.RunWorkRequest(work=work),
                                        timeout=60 * harness.TIME_FACTOR).job

    def test_results_and_exceptions(self):
        self.start_pool(2)
        self.assertEqual(self.run_work("nap", b"10ms").result, b"woke")
        job = self.run_work("throw", b"oops")
        self.assertEqual((job.state, job.error.message), (job_pb2.JOB_STATE_DEAD, "oops"))
        job = self.run_work("nap", b"1h", timeout={"nanos": 10_000_000})
        self.assertEqual((job.state, job.error.code), (job_pb2.JOB_STATE_DEAD, "TIMEOUT"))

    def test_all_workers_wait_at_once(self):
        self.all_wait_at_once(MEMORY)

    def test_half_of_them_are_cancelled_and_half_time_out(self):
        self.half_are_cancelled_and_half_time_out()

    def test_one_that_never_ends_is_stuck_and_left_behind(self):
        self.start_pool(2, '[handlers.deaf]\npool = "default"\nkill_grace = "10ms"\n',
                        server='grace = "200ms"\n')
        self.daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="deaf", timeout={"nanos": 1_000_000})))
        wait_for(lambda: self.stuck() == 1, 30, "a stuck worker")
        self.assertEqual(self.pool().active, 1)
        # It would wait for an hour, or for the 30 s of a server that says nothing of its grace.
        self.assertEqual(self.daemon.stop(bound=20), 0)
        self.assertIn("leaving while handlers still run", "\n".join(self.daemon.log()))


if __name__ == "__main__":
    unittest.main()
