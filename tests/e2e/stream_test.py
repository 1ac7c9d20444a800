"""PostWorkStream and the endless watches through the real daemon."""

import queue
import unittest

import grpc

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

SERVING, NOT_SERVING = b"\x08\x01", b"\x08\x02"


def waiting(payload=b"", handler="noop", **fields):
    return job_pb2.Work(handler=handler, payload=payload, when_full=job_pb2.WHEN_FULL_WAIT,
                        **fields)


class Stream:
    """A post stream whose requests are put one by one."""

    def __init__(self, stub):
        self._feed = queue.Queue()
        self.taken = 0  # requests that gRPC has taken off our hands
        self.call = stub.PostWorkStream(self._requests(), timeout=60 * harness.TIME_FACTOR)

    def _requests(self):
        while True:
            request = self._feed.get()
            if request is None:
                return
            yield request
            self.taken += 1

    def send(self, first, work=(), abandon=()):
        self._feed.put(workpool_pb2.PostWorkStreamRequest(first_sequence=first, work=work,
                                                          abandon=abandon))

    def half_close(self):
        self._feed.put(None)

    def read(self, count):
        """Results by sequence number until there are `count`."""
        results = {}
        while len(results) < count:
            for result in next(self.call).results:
                assert result.sequence not in results, result
                results[result.sequence] = result
        return results

    def rest(self):
        """The results that are still to come before the stream ends well."""
        return {r.sequence: r for answer in self.call for r in answer.results}


class StreamTest(harness.TestCase):
    def setUp(self):
        self.daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 2\n'
                                 '[pools.other]\nworkers = 1\n')
        self.pause()
        for _ in range(2):
            self.daemon.work.PostWork(workpool_pb2.PostWorkRequest(
                work=job_pb2.Work(handler="noop")))
        self.stream = Stream(self.daemon.work)
        self.addCleanup(self.stream.half_close)

    def pause(self):
        self.daemon.admin.PausePool(admin_pb2.PausePoolRequest(pool="default"))

    def resume(self):
        self.daemon.admin.ResumePool(admin_pb2.ResumePoolRequest(pool="default"))

    def pool(self):
        return self.daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool

    def waits(self, count):
        wait_for(lambda: self.pool().waiting_posts == count, what=f"{count} posts wait")

    def waits_for_good(self, count):
        """Also after the server has had every chance to read further."""
        self.waits(count)
        for _ in range(100):
            self.assertEqual(self.pool().waiting_posts, count)

    def test_it_is_not_read_beyond_the_window_and_all_are_answered(self):
        messages = 400  # 40 MB: more than the window of 8 MiB and what lies in sockets
        for number in range(messages):
            self.stream.send(number, [waiting(bytes(100_000))])
        # The 84th message exceeds 8 MiB and is the last that is read.
        self.waits(84)
        probe = workpool_pb2.PostWorkRequest(work=job_pb2.Work(handler="echo", pool="other",
                                                               payload=b"others"), wait=True)
        for _ in range(100):
            self.assertEqual(self.daemon.work.PostWork(probe).job.result, b"others")
        self.assertEqual(self.pool().waiting_posts, 84)
        self.assertLess(self.stream.taken, messages)
        self.resume()
        results = self.stream.read(messages)
        self.assertEqual([r for r in results.values() if r.HasField("refusal")], [])
        self.assertEqual(self.stream.taken, messages)
        wait_for(lambda: self.pool().finished == messages + 2, what="all have run")

    def test_the_window_in_items(self):
        for first in range(0, 4000, 100):
            self.stream.send(first, [waiting()] * 100)
        self.waits_for_good(1100)  # one message beyond 1000 items
        self.resume()
        self.assertEqual(set(self.stream.read(4000)), set(range(4000)))

    def test_the_window_is_a_setting(self):
        self.daemon = self.start('[pools.default]\nworkers = 1\ncapacity = 0\n',
                                 server='stream_window = { items = 10 }')
        self.pause()
        stream = Stream(self.daemon.work)
        for number in range(50):
            stream.send(number, [waiting()])
        self.waits_for_good(11)
        self.resume()
        self.assertEqual(len(stream.read(50)), 50)
        stream.half_close()

    def test_abandoned_items_end_and_the_others_go_on(self):
        self.stream.send(10, [waiting()] * 5)
        self.waits(5)
        self.stream.send(0, abandon=[11, 13, 99])
        gone = self.stream.read(2)
        self.assertEqual({s: r.refusal.code for s, r in gone.items()},
                         {11: grpc.StatusCode.CANCELLED.value[0],
                          13: grpc.StatusCode.CANCELLED.value[0]})
        self.assertEqual(self.pool().waiting_posts, 3)
        self.stream.send(11, [waiting()])  # its number is free again
        self.resume()
        results = self.stream.read(4)
        self.assertEqual({s: bool(r.id) for s, r in results.items()},
                         {10: True, 11: True, 12: True, 14: True})
        self.assertEqual(self.daemon.metrics().value("workpool_rejected_total", pool="default",
                                                     reason="cancelled"), 2)

    def test_the_waits_of_a_client_that_vanishes_are_forgotten(self):
        self.stream.send(0, [waiting()] * 50)
        self.waits(50)
        self.stream.call.cancel()
        self.waits(0)
        self.resume()
        wait_for(lambda: self.pool().finished == 2, what="only what was accepted runs")
        metrics = self.daemon.metrics()
        self.assertEqual(metrics.value("workpool_accepted_total", pool="default"), 2)
        self.assertEqual(metrics.value("workpool_rejected_total", pool="default",
                                       reason="cancelled"), 50)

    def test_a_half_closed_stream_ends_well_after_its_last_result(self):
        self.stream.send(0, [waiting()] * 20)
        self.stream.half_close()
        self.waits(20)
        self.assertFalse(self.stream.call.done())
        self.resume()
        self.assertEqual(set(self.stream.rest()), set(range(20)))
        self.assertEqual(self.stream.call.code(), grpc.StatusCode.OK)

    def test_a_full_pool_refuses_the_items_that_do_not_wait(self):
        self.stream.send(0, [job_pb2.Work(handler="noop"), waiting()])
        refusal = self.stream.read(1)[0].refusal
        self.assertEqual((refusal.code, refusal.reason),
                         (grpc.StatusCode.RESOURCE_EXHAUSTED.value[0], "QUEUE_FULL"))
        self.assertTrue(10 <= refusal.retry_after.ToMilliseconds() <= 5000, refusal)

    def test_a_drain_answers_the_items_that_wait(self):
        self.stream.send(0, [waiting()] * 3)
        self.waits(3)
        self.daemon.admin.DrainPool(admin_pb2.DrainPoolRequest(pool="default"))
        results = self.stream.read(3)
        self.assertEqual({r.refusal.reason for r in results.values()}, {"DRAINING"})


class WatchTest(harness.TestCase):
    def setUp(self):
        self.daemon = self.start('[pools.default]\nworkers = 4\ncapacity = 100\n[pools.other]\n')

    def watch(self, milliseconds=200, **fields):
        request = admin_pb2.WatchStatsRequest(**fields)
        request.interval.FromMilliseconds(milliseconds)
        call = self.daemon.admin.WatchStats(request, timeout=60 * harness.TIME_FACTOR)
        self.addCleanup(call.cancel)
        return call

    def batch(self, count, handler="noop", **fields):
        return self.daemon.work.PostWorkBatch(workpool_pb2.PostWorkBatchRequest(
            work=[job_pb2.Work(handler=handler, **fields)] * count)).results

    def test_peaks_are_those_of_the_interval(self):
        watch = self.watch(pool="default")
        first = next(watch).pools
        self.assertEqual([p.pool.name for p in first], ["default"])
        jobs = self.batch(24, "sleep", payload=b"1h")
        self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[r.id for r in jobs]))
        peaks = []
        for answer in watch:  # until the burst and a quiet interval after it have been reported
            now = answer.pools[0].pool
            peaks.append((now.queued_peak, now.active_peak))
            if peaks[-1] == (0, 0) and (20, 4) in peaks:
                break
            self.assertLess(len(peaks), 200, peaks)
        total = self.daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool
        self.assertEqual((total.queued_peak, total.active_peak), (20, 4))

    def test_each_watch_has_peaks_of_its_own(self):
        slow, quick = self.watch(1000), self.watch(100)
        next(slow), next(quick)
        jobs = self.batch(10, "sleep", payload=b"1h")
        self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[r.id for r in jobs]))
        for watch in (quick, slow):
            peaks = []
            for answer in watch:
                pools = {p.pool.name: p.pool for p in answer.pools}
                self.assertEqual(set(pools), {"default", "other"})
                peaks.append(pools["default"].queued_peak)
                if peaks[-1] == 0 and 6 in peaks:
                    break
                self.assertLess(len(peaks), 100, peaks)

    def test_rates(self):
        watch = self.watch(500, pool="default")
        before = next(watch).at.ToNanoseconds()
        self.batch(100)
        finished = 0.0
        for answer in watch:
            now = answer.at.ToNanoseconds()
            finished += answer.pools[0].finished_per_second * (now - before) / 1e9
            before = now
            if finished > 95:
                break
        self.assertLess(finished, 105)

    def test_intervals_and_pools_are_checked(self):
        for milliseconds in (99, 3_600_001, -5):
            self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", next,
                         self.watch(milliseconds))
        self.refused(grpc.StatusCode.NOT_FOUND, "UNKNOWN_POOL", next, self.watch(pool="none"))

    def test_health_can_be_watched(self):
        self.daemon = self.start('[pools.default]\n', server='grace = "60s"')
        self.batch(1, "sleep", payload=b"1h")
        health = self.daemon.channel().unary_stream("/grpc.health.v1.Health/Watch")
        watches = [health(b""), health(b"\x0a\x0cpool/default")]
        for watch in watches:
            self.assertEqual(next(watch), SERVING)
        self.daemon.send()
        for watch in watches:
            self.assertEqual(next(watch), NOT_SERVING)
        self.daemon.send()
        self.assertEqual(self.daemon.wait(10), 0)


if __name__ == "__main__":
    unittest.main()
