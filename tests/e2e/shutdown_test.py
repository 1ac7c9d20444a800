"""Signals and shutdown: what was answered OK is finished or named; the daemon leaves in time."""

import json
import queue
import re
import signal
import time
import unittest

import grpc

import harness
from commands_test import alive
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

LOST = re.compile(r"lost", re.IGNORECASE)


def work(handler="noop", **fields):
    return workpool_pb2.PostWorkRequest(work=job_pb2.Work(handler=handler, **fields))


class ShutdownTest(harness.TestCase):
    def config(self, workers=4, capacity=2000, handlers=""):
        return f"[pools.default]\nworkers = {workers}\ncapacity = {capacity}\n{handlers}"

    def pool(self, daemon):
        return daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool

    def post_many(self, daemon, count, handler, payload):
        batch = workpool_pb2.PostWorkBatchRequest(
            work=[job_pb2.Work(handler=handler, payload=payload) for _ in range(count)])
        results = daemon.work.PostWorkBatch(batch).results
        self.assertEqual([r.refusal.reason for r in results if r.refusal.reason], [])
        return [r.id for r in results]

    def test_1000_jobs_are_finished_within_the_grace(self):
        daemon = self.start(self.config(workers=8), server='grace = "60s"')
        ids = self.post_many(daemon, 1000, "sleep", b"5ms")
        waits = [daemon.work.WaitJob.future(workpool_pb2.WaitJobRequest(id=i)) for i in ids[::50]]
        daemon.send()
        for wait in waits:
            self.assertEqual(wait.result(timeout=60).job.state, job_pb2.JOB_STATE_SUCCEEDED)
        self.assertEqual(daemon.wait(), 0)
        self.assertEqual([line for line in daemon.log() if LOST.search(line)], [])

    def test_what_cannot_finish_is_named_as_lost(self):
        daemon = self.start(self.config(workers=2), server='grace = "1s"\nlog = { format = "json" }')
        ids = self.post_many(daemon, 1000, "sleep", b"1h")
        started = time.monotonic()
        self.assertEqual(daemon.stop(), 0)
        self.assertLess(time.monotonic() - started, 2 + 1 * harness.TIME_FACTOR)
        log = "\n".join(daemon.log())
        named = {i for i in ids if re.search(rf'"job":"?{i}\b', log)}
        self.assertEqual(len(named), 100)  # one line each up to the cap
        self.assertRegex(log, r"\b(900|1000)\b")  # and the count

    def test_posts_are_refused_while_it_drains(self):
        daemon = self.start(self.config(), server='grace = "60s"')
        job_id = daemon.work.PostWork(work("sleep", payload=b"1h")).id
        watcher = daemon.work.WaitJob.future(workpool_pb2.WaitJobRequest(id=job_id))
        daemon.send()

        def refused():
            try:
                daemon.work.PostWork(work())
            except grpc.RpcError as error:
                return error
            return None
        error = wait_for(refused, what="posts are refused")
        self.assertEqual(error.code(), grpc.StatusCode.UNAVAILABLE)
        self.assertEqual(dict(error.trailing_metadata()).get("workpool-reason"), "DRAINING")
        self.assertEqual(daemon.http("/readyz")[0], 503)
        self.assertEqual(daemon.http("/healthz")[0], 200)
        self.assertFalse(watcher.done())  # the job can still finish here
        daemon.send()
        self.assertEqual(daemon.wait(), 0)
        self.assertIn(watcher.code(), (grpc.StatusCode.UNAVAILABLE, grpc.StatusCode.OK))

    def test_a_second_signal_ends_the_wait(self):  # case 56
        daemon = self.start(self.config(), server='grace = "1h"')
        daemon.work.PostWork(work("sleep", payload=b"1h"))
        daemon.send()
        wait_for(lambda: daemon.http("/readyz")[0] == 503, what="the shutdown has begun")
        daemon.send()
        self.assertEqual(daemon.wait(10), 0)

    def test_term_term_int_are_the_documented_stages(self):  # case 56
        handlers = '[handlers.deaf]\npool = "default"\nexec = ["sh"]\nkill_grace = "1h"\n'
        daemon = self.start(self.config(workers=2, handlers=handlers),
                            server='grace = "1h"\nlog = { format = "json" }')
        told = daemon.folder / "told"
        script = f"trap 'echo TERM >> {told}' TERM; echo up >> {told}; while :; do sleep 0.02; done"
        ids = self.post_many(daemon, 2, "deaf", script.encode())
        ids += self.post_many(daemon, 20, "noop", b"")
        waits = {i: daemon.work.WaitJob.future(workpool_pb2.WaitJobRequest(id=i)) for i in ids}
        wait_for(lambda: told.exists() and told.read_text().count("up") == 2, what="both run")
        daemon.send(signal.SIGTERM)
        wait_for(lambda: daemon.http("/readyz")[0] == 503, what="posts are refused")
        self.assertEqual(self.pool(daemon).active, 2)
        self.assertNotIn("TERM", told.read_text())
        daemon.send(signal.SIGTERM)
        wait_for(lambda: "TERM" in told.read_text(), what="the second: handlers are told to stop")
        started = time.monotonic()
        daemon.send(signal.SIGINT)
        self.assertEqual(daemon.wait(), 0)
        self.assertLess(time.monotonic() - started, 1 * harness.TIME_FACTOR)
        # Every job is either known to its waiter as finished, or named.
        unfinished = [i for i, wait in waits.items() if wait.code() != grpc.StatusCode.OK]
        lines = [json.loads(line) for line in daemon.log() if LOST.search(line)]
        self.assertEqual(sorted(line["job"] for line in lines if "job" in line), unfinished)
        self.assertEqual([line["count"] for line in lines if "count" in line], [len(unfinished)])
        # The third did not wait for the KILL, which comes 500 ms after the TERM.
        active = [line["job"] for line in lines if line.get("state", "").upper() == "ACTIVE"]
        self.assertEqual(active, ids[:2])

    def test_a_deaf_handler_does_not_hold_it(self):  # case 15
        handlers = '[handlers.deaf]\npool = "default"\nexec = ["sh"]\nkill_grace = "1h"\n'
        daemon = self.start(self.config(handlers=handlers), server='grace = "500ms"')
        marker = daemon.folder / "marker"
        script = f"trap '' TERM; echo $$ > {marker}; while :; do sleep 1; done"
        daemon.work.PostWork(work("deaf", payload=script.encode()))
        wait_for(lambda: marker.exists() and marker.read_text().strip(), what="it runs")
        started = time.monotonic()
        daemon.stop()
        self.assertLess(time.monotonic() - started, 1.5 + 1 * harness.TIME_FACTOR)
        wait_for(lambda: not alive(int(marker.read_text())), what="its command is gone")

    def test_cancelled_jobs_do_not_delay_it(self):  # case 31
        daemon = self.start(self.config(workers=1), server='grace = "30s"')
        ids = self.post_many(daemon, 1001, "sleep", b"1h")
        answer = daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=ids))
        self.assertEqual(answer.cancelled, 1001)
        wait_for(lambda: self.pool(daemon).active == 0, what="the active one has ended")
        metrics = daemon.metrics()
        self.assertEqual(metrics.sum("workpool_finished_total", pool="default",
                                     state="cancelled"), 1001)
        started = time.monotonic()
        self.assertEqual(daemon.stop(), 0)
        self.assertLess(time.monotonic() - started, 5 * harness.TIME_FACTOR)

    def test_posts_racing_a_shutdown_are_run_or_refused(self):  # case 32
        daemon = self.start(self.config(workers=4, capacity=100000), server='grace = "60s"')
        call = daemon.work.PostWork
        futures = [call.future(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="noop"), wait=True)) for _ in range(500)]
        daemon.send()
        futures += [call.future(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="noop"), wait=True)) for _ in range(2000)]
        codes = {future.code() for future in futures}
        self.assertLessEqual(codes, {grpc.StatusCode.OK, grpc.StatusCode.UNAVAILABLE})
        for future in futures:
            if future.code() == grpc.StatusCode.OK:
                self.assertEqual(future.result().job.state, job_pb2.JOB_STATE_SUCCEEDED)
        self.assertEqual(daemon.wait(), 0)

    def test_100_idle_streams_do_not_hold_it(self):  # case 54, with streams that post
        daemon = self.start(self.config(), server='grace = "30s"')
        streams = []
        for _ in range(100):
            feed = queue.Queue()
            stream = daemon.work.PostWorkStream(iter(feed.get, None))
            feed.put(workpool_pb2.PostWorkStreamRequest(first_sequence=1,
                                                        work=[job_pb2.Work(handler="noop")]))
            streams.append((feed, stream))
        for _, stream in streams:
            self.assertEqual(len(next(stream).results), 1)
        watch = daemon.admin.WatchStats(admin_pb2.WatchStatsRequest())
        next(watch)
        started = time.monotonic()
        self.assertEqual(daemon.stop(), 0)
        self.assertLess(time.monotonic() - started, 10 * harness.TIME_FACTOR)
        for feed, _ in streams:
            feed.put(None)

    def test_stop_leaves_the_queue(self):
        daemon = self.start(self.config(workers=1), server='grace = "20s"\nshutdown = "stop"\n'
                                                          'log = { format = "json" }')
        ids = self.post_many(daemon, 5, "sleep", b"300ms")
        wait_for(lambda: self.pool(daemon).active == 1, what="the first runs")
        self.assertEqual(daemon.stop(), 0)
        lost = [json.loads(line) for line in daemon.log() if LOST.search(line)]
        self.assertEqual([line["job"] for line in lost if "job" in line], ids[1:])

    def test_interrupt_works_as_term(self):
        daemon = self.start(self.config())
        self.assertEqual(daemon.stop(signal.SIGINT), 0)


if __name__ == "__main__":
    unittest.main()
