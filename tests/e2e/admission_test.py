"""Exact back-pressure through the real daemon: what is accepted, refused, and counted."""

import concurrent.futures
import threading
import time
import unittest

import grpc

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

REJECTIONS = ("capacity", "wait_timeout", "cancelled", "draining", "invalid", "store")


def post(handler="noop", **fields):
    return workpool_pb2.PostWorkRequest(work=job_pb2.Work(handler=handler, **fields))


def sleep(text, **fields):
    return post("sleep", payload=text.encode(), **fields)


def count_codes(futures):
    codes = {}
    for future in futures:
        code = future.code()
        codes[code] = codes.get(code, 0) + 1
    return codes


class AdmissionTest(harness.TestCase):
    def pool(self, daemon, name="default"):
        return daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool=name)).pool

    def busy(self, daemon, workers, pool="default"):
        """Occupies every worker of a pool; answers the ids."""
        ids = [daemon.work.PostWork(sleep("1h", pool=pool)).id for _ in range(workers)]
        wait_for(lambda: self.pool(daemon, pool).active == workers, what="all workers busy")
        return ids

    def assert_counts_add_up(self, daemon, pool, accepted, rejected):
        metrics = daemon.metrics()
        self.assertEqual(metrics.value("workpool_accepted_total", pool=pool), accepted)
        self.assertEqual(metrics.sum("workpool_rejected_total", pool=pool), rejected)
        self.assertEqual(metrics.value("workpool_posted_total", pool=pool), accepted + rejected)

    def test_of_64000_posts_exactly_the_capacity_is_accepted(self):
        daemon = self.start('[pools.default]\nworkers = 2\ncapacity = 5\n')
        self.busy(daemon, 2)
        clients, each = 64, 1000
        channels = [daemon.channel() for _ in range(clients)]
        start = threading.Barrier(clients)

        def client(channel):
            call = channel.unary_unary("/workpool.v1.WorkPool/PostWork",
                                       workpool_pb2.PostWorkRequest.SerializeToString,
                                       workpool_pb2.PostWorkResponse.FromString)
            start.wait()
            codes = {}
            for _ in range(each // 50):
                for code, n in count_codes([call.future(post()) for _ in range(50)]).items():
                    codes[code] = codes.get(code, 0) + n
            return codes

        total = {}
        with concurrent.futures.ThreadPoolExecutor(clients) as threads:
            for codes in threads.map(client, channels):
                for code, n in codes.items():
                    total[code] = total.get(code, 0) + n
        self.assertEqual(total, {grpc.StatusCode.OK: 5,
                                 grpc.StatusCode.RESOURCE_EXHAUSTED: clients * each - 5})
        now = self.pool(daemon)
        self.assertEqual((now.queued, now.active, now.queued_peak, now.active_peak), (5, 2, 5, 2))
        self.assert_counts_add_up(daemon, "default", 7, clients * each - 5)
        self.assertEqual(daemon.metrics().value("workpool_rejected_total", pool="default",
                                                reason="capacity"), clients * each - 5)

    def test_queue_full_says_when_to_try_again(self):
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 0\n')
        self.busy(daemon, 1)
        error = self.refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL",
                             daemon.work.PostWork, post())
        pushback = int(dict(error.trailing_metadata())["grpc-retry-pushback-ms"])
        self.assertTrue(10 <= pushback <= 5000, pushback)

    def test_capacity_0_accepts_exactly_what_can_start(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 0\n')
        futures = [daemon.work.PostWork.future(sleep("1h")) for _ in range(50)]
        self.assertEqual(count_codes(futures), {grpc.StatusCode.OK: 3,
                                                grpc.StatusCode.RESOURCE_EXHAUSTED: 47})

    def test_a_paused_pool_accepts_its_capacity_and_starts_nothing(self):  # case 33
        daemon = self.start('[pools.default]\nworkers = 4\ncapacity = 100\n')
        daemon.admin.PausePool(admin_pb2.PausePoolRequest(pool="default"))
        channels = [daemon.channel() for _ in range(64)]

        def client(channel):
            call = channel.unary_unary("/workpool.v1.WorkPool/PostWork",
                                       workpool_pb2.PostWorkRequest.SerializeToString,
                                       workpool_pb2.PostWorkResponse.FromString)
            return count_codes([call.future(post()) for _ in range(20)])

        accepted = 0
        with concurrent.futures.ThreadPoolExecutor(64) as threads:
            for codes in threads.map(client, channels):
                accepted += codes.get(grpc.StatusCode.OK, 0)
        self.assertEqual(accepted, 100)
        now = self.pool(daemon)
        self.assertEqual((now.queued, now.active, now.active_peak), (100, 0, 0))
        daemon.admin.ResumePool(admin_pb2.ResumePoolRequest(pool="default"))
        wait_for(lambda: self.pool(daemon).finished == 100, what="all run after the resume")
        self.assert_counts_add_up(daemon, "default", 100, 64 * 20 - 100)

    def test_a_hundred_waiting_posters_are_all_served(self):  # case 29
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 1\n')
        waiting = [daemon.work.PostWork.future(sleep("1ms", when_full=job_pb2.WHEN_FULL_WAIT))
                   for _ in range(100)]
        self.assertEqual(count_codes(waiting), {grpc.StatusCode.OK: 100})
        wait_for(lambda: self.pool(daemon).finished == 100, what="all finished")
        now = self.pool(daemon)
        self.assertEqual((now.waiting_posts, now.queued, now.active), (0, 0, 0))

    def test_a_job_that_posts_to_its_own_full_pool_gets_an_error(self):  # case 30
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 0\n'
                            '[handlers.sh]\npool = "default"\nexec = ["sh"]\n')
        script = (f"{harness.WORKPOOL} --server {daemon.grpc_address} post noop --when-full wait "
                  "--wait-timeout 2s 2>&1; echo status $?")
        job = daemon.work.PostWork(workpool_pb2.PostWorkRequest(work=job_pb2.Work(
            handler="sh", payload=script.encode()), wait=True), timeout=30).job
        self.assertIn(b"WAIT_TIMEOUT", job.result)
        self.assertTrue(job.result.endswith(b"status 6\n"), job.result)
        self.assertLess(job.run_time.ToMilliseconds(), 1000 + 2200 * harness.TIME_FACTOR)
        self.assertEqual(daemon.work.PostWork(workpool_pb2.PostWorkRequest(work=job_pb2.Work(
            handler="echo", payload=b"alive"), wait=True)).job.result, b"alive")

    def test_a_wait_for_room_ends_with_its_timeout(self):
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 0\n')
        self.busy(daemon, 1)
        waiting = post(when_full=job_pb2.WHEN_FULL_WAIT)
        waiting.work.wait_timeout.FromMilliseconds(100)
        self.refused(grpc.StatusCode.DEADLINE_EXCEEDED, "WAIT_TIMEOUT", daemon.work.PostWork,
                     waiting)
        self.assertEqual(daemon.metrics().value("workpool_rejected_total", pool="default",
                                                reason="wait_timeout"), 1)

    def test_a_wait_for_room_ends_before_the_calls_deadline(self):
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 0\n')
        self.busy(daemon, 1)
        self.refused(grpc.StatusCode.DEADLINE_EXCEEDED, "WAIT_TIMEOUT", daemon.work.PostWork,
                     post(when_full=job_pb2.WHEN_FULL_WAIT), timeout=2)

    def test_a_poster_that_leaves_never_holds_a_place(self):
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 1\n')
        first = self.busy(daemon, 1)[0]
        daemon.work.PostWork(post())
        leaver = daemon.work.PostWork.future(post(when_full=job_pb2.WHEN_FULL_WAIT))
        wait_for(lambda: self.pool(daemon).waiting_posts == 1, what="one waits")
        leaver.cancel()
        wait_for(lambda: self.pool(daemon).waiting_posts == 0, what="it is forgotten")
        daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[first]))
        wait_for(lambda: self.pool(daemon).finished == 2, what="the two others finish")
        self.assertEqual(daemon.metrics().value("workpool_rejected_total", pool="default",
                                                reason="cancelled"), 1)
        self.assert_counts_add_up(daemon, "default", 2, 1)

    def test_strict_priorities_and_fifo_within_each(self):  # case 37
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 100\n')
        daemon.admin.PausePool(admin_pb2.PausePoolRequest(pool="default"))
        posted = []
        for round_number in range(3):
            for priority in (0, 5, 9, 3):
                posted.append((-priority, round_number,
                               daemon.work.PostWork(sleep("1ms", priority=priority)).id))
        error = self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", daemon.work.PostWork,
                             post(priority=10))
        self.assertIn("priority", error.details())
        daemon.admin.ResumePool(admin_pb2.ResumePoolRequest(pool="default"))
        wait_for(lambda: self.pool(daemon).finished == 12, what="all finished")
        jobs = daemon.work.ListJobs(workpool_pb2.ListJobsRequest()).jobs
        ran = [job.id for job in sorted(jobs, key=lambda j: j.started_at.ToNanoseconds())]
        self.assertEqual(ran, [job_id for _, _, job_id in sorted(posted)])

    def test_each_pool_counts_for_itself(self):  # case 27
        daemon = self.start('[pools.a]\nworkers = 8\n[pools.b]\nworkers = 8\n')
        self.busy(daemon, 3, "a")
        self.busy(daemon, 5, "b")
        metrics = daemon.metrics()
        self.assertEqual(metrics.value("workpool_active", pool="a"), 3)
        self.assertEqual(metrics.value("workpool_active", pool="b"), 5)

    def test_a_waiting_poster_is_served_soon_after_resume(self):  # case 35
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 0\n')
        daemon.admin.PausePool(admin_pb2.PausePoolRequest(pool="default"))
        waiting = daemon.work.PostWork.future(post(when_full=job_pb2.WHEN_FULL_WAIT))
        wait_for(lambda: self.pool(daemon).waiting_posts == 1, what="one waits")
        daemon.admin.ResumePool(admin_pb2.ResumePoolRequest(pool="default"))
        self.assertTrue(waiting.result(timeout=10).id)

    def test_resize_serves_waits_at_once_and_shrinking_drops_nothing(self):
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 1\n')
        self.busy(daemon, 1)
        daemon.work.PostWork(sleep("1h"))
        waiting = daemon.work.PostWork.future(sleep("1h", when_full=job_pb2.WHEN_FULL_WAIT))
        wait_for(lambda: self.pool(daemon).waiting_posts == 1, what="one waits")
        daemon.admin.ResizePool(admin_pb2.ResizePoolRequest(pool="default", workers=3))
        waiting.result(timeout=10)
        wait_for(lambda: self.pool(daemon).active == 3, what="three run")
        daemon.admin.ResizePool(admin_pb2.ResizePoolRequest(pool="default", workers=1, capacity=0))
        now = self.pool(daemon)
        self.assertEqual((now.workers, now.configured_workers, now.active), (1, 1, 3))
        self.refused(grpc.StatusCode.RESOURCE_EXHAUSTED, "QUEUE_FULL", daemon.work.PostWork, post())
        daemon.admin.ResizePool(admin_pb2.ResizePoolRequest(pool="default", reset=True))
        self.assertEqual(self.pool(daemon).capacity, 1)

    def test_a_resize_with_a_duration_reverts(self):
        daemon = self.start('[pools.default]\nworkers = 1\n')
        request = admin_pb2.ResizePoolRequest(pool="default", workers=4)
        request.hold_for.FromMilliseconds(200)
        self.assertEqual(daemon.admin.ResizePool(request).pool.workers, 4)
        wait_for(lambda: self.pool(daemon).workers == 1, what="the resize reverts")

    def test_drain_refuses_posts_and_answers_when_empty(self):  # case 4
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 10\n')
        first = self.busy(daemon, 1)[0]
        daemon.work.PostWork(post())
        draining = daemon.admin.DrainPool.future(admin_pb2.DrainPoolRequest(pool="default"))
        wait_for(lambda: self.pool(daemon).draining, what="it drains")
        self.refused(grpc.StatusCode.UNAVAILABLE, "DRAINING", daemon.work.PostWork, post())
        self.assertFalse(draining.done())
        daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[first]))
        drained = draining.result(timeout=10).pool
        self.assertEqual((drained.queued, drained.active), (0, 0))
        daemon.admin.ResumePool(admin_pb2.ResumePoolRequest(pool="default"))
        daemon.work.PostWork(post())

    def test_purge_deletes_what_waits_and_leaves_what_runs(self):
        daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 10\n')
        self.busy(daemon, 1)
        ids = [daemon.work.PostWork(post()).id for _ in range(10)]
        watcher = daemon.work.WaitJob.future(workpool_pb2.WaitJobRequest(id=ids[0]))
        answer = daemon.admin.PurgePool(admin_pb2.PurgePoolRequest(pool="default"))
        self.assertEqual(answer.purged, 10)
        self.assertEqual(watcher.code(), grpc.StatusCode.NOT_FOUND)
        now = self.pool(daemon)
        self.assertEqual((now.queued, now.active), (0, 1))
        self.assertEqual(daemon.metrics().value("workpool_deleted_total", pool="default"), 10)

    def test_no_request_can_create_a_series(self):  # case 26
        daemon = self.start('[pools.default]\nworkers = 2\ncapacity = 100\n')
        daemon.work.PostWork(post())
        wait_for(lambda: self.pool(daemon).finished == 1, what="a first job finished")
        before = set(daemon.metrics())
        batch = workpool_pb2.PostWorkBatchRequest()
        for i in range(5000):
            batch.work.add(handler=f"unknown-{i}")
            batch.work.add(handler="noop", pool=f"unknown-{i}")
        for i in range(20):
            batch.work[i].metadata[f"key-{i}"] = "value"
        results = daemon.work.PostWorkBatch(batch).results
        self.assertEqual({r.refusal.reason for r in results}, {"UNKNOWN_HANDLER", "UNKNOWN_POOL"})
        metrics = daemon.metrics()
        self.assertEqual(set(metrics), before)
        self.assertEqual(metrics.value("workpool_posted_total", pool="unknown"), 10000)
        self.assertEqual(metrics.value("workpool_rejected_total", pool="unknown",
                                       reason="invalid"), 10000)

    def test_every_series_exists_from_the_first_scrape(self):
        metrics = self.start('[pools.a]\n[pools.b]\n').metrics()
        for pool in ("a", "b"):
            for name in ("workpool_queued", "workpool_active"):
                self.assertEqual(metrics.value(name, pool=pool), 0)
            for reason in REJECTIONS:
                self.assertEqual(metrics.value("workpool_rejected_total", pool=pool,
                                               reason=reason), 0)

    def test_readings_are_never_negative_and_zero_at_rest(self):
        daemon = self.start('[pools.default]\nworkers = 4\ncapacity = 64\n')
        stop = threading.Event()
        bad = []

        def read():
            while not stop.is_set():
                now = self.pool(daemon)
                if now.queued > 64 or now.active > 4:
                    bad.append(now)
                if now.posted != now.accepted + now.rejected + now.waiting_posts:
                    bad.append(now)
        reader = threading.Thread(target=read)
        reader.start()
        end = time.monotonic() + 60
        posted = 0
        while posted < 20000 and time.monotonic() < end:
            batch = workpool_pb2.PostWorkBatchRequest(
                work=[job_pb2.Work(handler="noop") for _ in range(200)])
            daemon.work.PostWorkBatch(batch)
            posted += 200
        stop.set()
        reader.join()
        self.assertEqual(bad, [])
        wait_for(lambda: self.pool(daemon).active == 0 and self.pool(daemon).queued == 0,
                 what="all is done")
        now = self.pool(daemon)
        self.assertEqual(now.accepted, now.finished)
        self.assertEqual(now.posted, posted)


if __name__ == "__main__":
    unittest.main()
