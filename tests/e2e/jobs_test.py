"""Posting, following, listing and cancelling jobs through the real daemon."""

import threading
import unittest

import grpc

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

MIB = 1 << 20


def work(handler="echo", **fields):
    return job_pb2.Work(handler=handler, **fields)


class JobsTest(harness.TestCase):
    def setUp(self):
        self.daemon = self.start('[pools.default]\nworkers = 4\ncapacity = 20000\n')

    def post(self, *args, wait=False, **fields):
        return self.daemon.work.PostWork(
            workpool_pb2.PostWorkRequest(work=work(*args, **fields), wait=wait))

    def get(self, job_id, **fields):
        return self.daemon.work.GetJob(workpool_pb2.GetJobRequest(id=job_id, **fields)).job

    def wait_job(self, job_id):
        return self.daemon.work.WaitJob(workpool_pb2.WaitJobRequest(id=job_id), timeout=60).job

    def list(self, **filters):
        return self.daemon.work.ListJobs(workpool_pb2.ListJobsRequest(
            filter=workpool_pb2.JobFilter(**filters))).jobs

    def active(self, count):
        wait_for(lambda: len(self.list(states=[job_pb2.JOB_STATE_ACTIVE])) == count,
                 what=f"{count} active")

    def test_echo_answers_its_payload_byte_for_byte(self):
        payload = bytes(range(256)) * 64
        answer = self.post(payload=payload, wait=True, content_type="application/octet-stream",
                           caller="jobs-test", metadata={"traceparent": "00-ab-cd-01"})
        self.assertEqual(answer.job.state, job_pb2.JOB_STATE_SUCCEEDED)
        self.assertEqual(answer.job.result, payload)
        job = self.get(answer.id, with_payload=True)
        self.assertEqual((job.payload, job.caller, job.attempt), (payload, "jobs-test", 1))
        self.assertEqual(dict(job.metadata), {"traceparent": "00-ab-cd-01"})
        self.assertEqual(self.get(answer.id).payload, b"")
        self.assertLessEqual(job.accepted_at.ToNanoseconds(), job.started_at.ToNanoseconds())
        self.assertLessEqual(job.started_at.ToNanoseconds(), job.finished_at.ToNanoseconds())

    def test_ids_increase(self):
        ids = [self.post("noop").id for _ in range(20)]
        self.assertEqual(ids, sorted(set(ids)))
        self.assertGreaterEqual(ids[0], 1)

    def test_a_failing_job_ends_dead_with_its_message(self):
        job = self.post("fail", payload=b"no such image", wait=True).job
        self.assertEqual(job.state, job_pb2.JOB_STATE_DEAD)
        self.assertEqual((job.error.code, job.error.message), ("FAILED", "no such image"))
        self.assertEqual(self.daemon.metrics().value("workpool_jobs_dead", pool="default"), 1)

    def test_broken_error_text_is_made_valid_and_capped(self):  # case 43
        text = b"a\0b\xff\xfe" + b"x" * (2 * MIB)
        job = self.post("fail", payload=text, wait=True).job
        self.assertEqual(job.state, job_pb2.JOB_STATE_DEAD)
        self.assertTrue(job.error.message.startswith("a\ufffdb\ufffd"), job.error.message[:10])
        self.assertLessEqual(len(job.error.message.encode()), 16 * 1024)
        self.assertEqual(self.get(job.id, with_payload=True).payload, text)

    def test_payload_one_byte_over_the_limit(self):  # case 44
        self.assertEqual(self.post(payload=b"x" * (3 * MIB), wait=False).duplicate, False)
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "PAYLOAD_TOO_LARGE", self.post,
                     payload=b"x" * (3 * MIB + 1))
        with self.assertRaises(grpc.RpcError) as caught:  # over the transport's own limit
            self.post(payload=b"x" * (65 * MIB))
        self.assertEqual(caught.exception.code(), grpc.StatusCode.RESOURCE_EXHAUSTED)
        self.assertEqual(self.post(payload=b"alive", wait=True).job.result, b"alive")

    def test_odd_names_are_refused_with_the_rule(self):  # case 45
        for name in ("", "x" * 300, "../x", "a\0b", "имя", "😀", "a\r\nb"):
            for fields in ({"handler": name}, {"handler": "noop", "pool": name}):
                if not name and "pool" in fields:
                    continue  # no pool named: the handler's own
                error = self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                                     lambda f=fields: self.post(f.pop("handler"), **f))
                self.assertIn("1 to 100 of [A-Za-z0-9._-]", error.details())
        self.post("noop", wait=True)

    def test_unknown_names(self):
        self.refused(grpc.StatusCode.NOT_FOUND, "UNKNOWN_HANDLER", self.post, "missing")
        self.refused(grpc.StatusCode.NOT_FOUND, "UNKNOWN_POOL", self.post, "noop", pool="missing")
        self.refused(grpc.StatusCode.NOT_FOUND, "UNKNOWN_JOB", self.get, 1 << 40)

    def test_absurd_limits_are_refused_naming_the_field(self):  # case 22
        def refused_field(field, change):
            request = workpool_pb2.PostWorkRequest(work=work("noop"))
            change(request.work)
            error = self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                                 self.daemon.work.PostWork, request)
            self.assertIn(field, error.details())
        refused_field("priority", lambda w: setattr(w, "priority", 4294967295))
        refused_field("timeout", lambda w: w.timeout.FromSeconds(-1))
        refused_field("timeout", lambda w: setattr(w.timeout, "seconds", 1 << 62))
        refused_field("wait_timeout", lambda w: w.wait_timeout.FromSeconds(-1))
        refused_field("when_full", lambda w: setattr(w, "when_full", 77))
        refused_field("max_attempts", lambda w: setattr(w, "max_attempts", 0))
        refused_field("weight", lambda w: setattr(w, "weight", 0))
        refused_field("caller", lambda w: setattr(w, "caller", "c" * 101))
        refused_field("content_type", lambda w: setattr(w, "content_type", "c" * 101))
        refused_field("metadata", lambda w: w.metadata.update({str(i): "" for i in range(65)}))
        refused_field("metadata", lambda w: w.metadata.update({"k": "v" * (17 * 1024)}))

    def test_fields_of_later_versions_are_refused_by_name(self):
        def not_served(field, change):
            request = workpool_pb2.PostWorkRequest(work=work("noop"))
            change(request.work)
            error = self.refused(grpc.StatusCode.UNIMPLEMENTED, "NOT_SERVED",
                                 self.daemon.work.PostWork, request)
            self.assertIn(field, error.details())
        not_served("run_at", lambda w: w.run_at.GetCurrentTime())
        not_served("delay", lambda w: w.delay.FromSeconds(1))
        not_served("queue_ttl", lambda w: w.queue_ttl.FromSeconds(1))
        not_served("max_attempts", lambda w: setattr(w, "max_attempts", 2))
        not_served("backoff", lambda w: w.backoff.base.FromSeconds(1))
        not_served("unique_key", lambda w: setattr(w, "unique_key", "k"))
        not_served("unique_for", lambda w: w.unique_for.FromSeconds(1))

    def test_a_timeout_stops_the_handler_and_ends_dead(self):
        request = workpool_pb2.PostWorkRequest(work=work("sleep", payload=b"1h"), wait=True)
        request.work.timeout.FromMilliseconds(100)
        job = self.daemon.work.PostWork(request).job
        self.assertEqual((job.state, job.error.code), (job_pb2.JOB_STATE_DEAD, "TIMEOUT"))
        self.assertEqual(self.daemon.metrics().sum("workpool_attempts_total", pool="default",
                                                   outcome="timeout"), 1)

    def test_cancel_of_a_queued_and_of_an_active_job(self):
        running = [self.post("sleep", payload=b"1h").id for _ in range(4)]
        self.active(4)
        queued = self.post("noop").id
        answer = self.daemon.work.CancelJobs(
            workpool_pb2.CancelJobsRequest(ids=[queued, running[0], 1 << 40]))
        self.assertEqual((answer.cancelled, list(answer.not_found)), (2, [1 << 40]))
        self.assertEqual(self.get(queued).state, job_pb2.JOB_STATE_CANCELLED)
        self.assertEqual(self.wait_job(running[0]).state, job_pb2.JOB_STATE_CANCELLED)
        again = self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=[queued]))
        self.assertEqual(again.cancelled, 0)

    def test_cancel_needs_ids_a_filter_or_all(self):  # case 58
        for request in (workpool_pb2.CancelJobsRequest(),
                        workpool_pb2.CancelJobsRequest(filter=workpool_pb2.JobFilter())):
            self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                         self.daemon.work.CancelJobs, request)
        self.post("sleep", payload=b"1h")
        answer = self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(all=True))
        self.assertEqual(answer.cancelled, 1)

    def test_cancel_all_of_10000_while_posting_goes_on(self):  # case 57
        self.daemon.admin.PausePool(admin_pb2.PausePoolRequest(pool="default"))
        batch = workpool_pb2.PostWorkBatchRequest(
            work=[work("noop", caller="first") for _ in range(10000)])
        first = {r.id for r in self.daemon.work.PostWorkBatch(batch).results}
        stop = threading.Event()
        others = []

        def poster():
            while not stop.is_set():
                others.append(self.post("noop").id)
        thread = threading.Thread(target=poster)
        thread.start()
        wait_for(lambda: others, what="the other poster posts")
        answer = self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(all=True))
        stop.set()
        thread.join()
        cancelled = set()
        token = ""
        while True:
            page = self.daemon.work.ListJobs(workpool_pb2.ListJobsRequest(
                filter=workpool_pb2.JobFilter(states=[job_pb2.JOB_STATE_CANCELLED]),
                page_size=1000, page_token=token))
            cancelled.update(job.id for job in page.jobs)
            token = page.next_page_token
            if not token:
                break
        self.assertTrue(first <= cancelled)
        self.assertEqual(answer.cancelled, len(cancelled))
        self.assertEqual(len(self.list(states=[job_pb2.JOB_STATE_QUEUED])),
                         min(100, len(others) - (len(cancelled) - 10000)))

    def test_lists_page_by_id_and_filter(self):
        ids = [self.post("noop" if i % 2 else "echo").id for i in range(25)]
        for job_id in ids:
            self.wait_job(job_id)
        seen, token = [], ""
        while True:
            page = self.daemon.work.ListJobs(workpool_pb2.ListJobsRequest(page_size=10,
                                                                          page_token=token))
            seen += [job.id for job in page.jobs]
            token = page.next_page_token
            if not token:
                break
        self.assertEqual(seen, ids[::-1])
        self.assertEqual({job.handler for job in self.list(handler="echo")}, {"echo"})
        for request in (workpool_pb2.ListJobsRequest(page_token="nonsense"),
                        workpool_pb2.ListJobsRequest(page_size=0),
                        workpool_pb2.ListJobsRequest(page_size=1001)):
            self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                         self.daemon.work.ListJobs, request)

    def test_20000_finished_jobs_leave_nothing_queued(self):  # case 25
        for _ in range(2):
            batch = workpool_pb2.PostWorkBatchRequest(work=[work("noop")] * 10000)
            self.daemon.work.PostWorkBatch(batch)
        pool = lambda: self.daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool
        wait_for(lambda: pool().finished == 20000, 60, "all finished")
        metrics = self.daemon.metrics()
        self.assertEqual(metrics.value("workpool_queued", pool="default"), 0)
        self.assertEqual(metrics.value("workpool_active", pool="default"), 0)

    def test_run_answers_the_final_state(self):
        def run(handler, payload=b"", **call):
            return self.daemon.work.RunWork(
                workpool_pb2.RunWorkRequest(work=work(handler, payload=payload)), **call).job
        self.assertEqual(run("echo", b"hi").result, b"hi")
        self.assertEqual(run("fail", b"no").state, job_pb2.JOB_STATE_DEAD)

    def test_the_deadline_of_run_bounds_the_job(self):
        job = self.daemon.work.RunWork(workpool_pb2.RunWorkRequest(
            work=work("sleep", payload=b"1h", caller="bounded")), timeout=3).job
        self.assertEqual((job.state, job.error.code), (job_pb2.JOB_STATE_DEAD, "TIMEOUT"))

    def test_a_client_that_leaves_cancels_its_run_unless_detached(self):
        for detach, state in ((False, job_pb2.JOB_STATE_CANCELLED), (True, None)):
            call = self.daemon.work.RunWork.future(workpool_pb2.RunWorkRequest(
                work=work("sleep", payload=b"1h"), detach=detach))
            self.active(1)
            job_id = self.list(states=[job_pb2.JOB_STATE_ACTIVE])[0].id
            call.cancel()
            if state is not None:
                self.assertEqual(self.wait_job(job_id).state, state)
            else:
                self.post("noop", wait=True)
                self.assertEqual(self.get(job_id).state, job_pb2.JOB_STATE_ACTIVE)

    def test_calls_that_wait_hold_no_thread_of_the_server(self):
        calls = [self.daemon.work.RunWork.future(workpool_pb2.RunWorkRequest(
            work=work("sleep", payload=b"1h"))) for _ in range(500)]
        wait_for(lambda: len(self.list(states=[job_pb2.JOB_STATE_ACTIVE])) == 4, what="all busy")
        running = self.list(states=[job_pb2.JOB_STATE_ACTIVE])[0].id
        calls += [self.daemon.work.WaitJob.future(workpool_pb2.WaitJobRequest(id=running))
                  for _ in range(500)]
        for _ in range(100):
            self.daemon.admin.GetServerInfo(admin_pb2.GetServerInfoRequest(), timeout=30)
        self.assertFalse(any(call.done() for call in calls))
        self.daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(all=True))
        for call in calls:
            self.assertEqual(call.result(timeout=60).job.state, job_pb2.JOB_STATE_CANCELLED)

    def test_batches_answer_each_item_in_order(self):
        request = workpool_pb2.PostWorkBatchRequest(
            work=[work("noop"), work("missing"), work("noop", priority=11), work("echo")])
        results = self.daemon.work.PostWorkBatch(request).results
        self.assertEqual([r.refusal.reason for r in results],
                         ["", "UNKNOWN_HANDLER", "BAD_FIELD", ""])
        self.assertEqual([bool(r.id) for r in results], [True, False, False, True])
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                     self.daemon.work.PostWorkBatch, workpool_pb2.PostWorkBatchRequest())
        self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD", self.daemon.work.PostWorkBatch,
                     workpool_pb2.PostWorkBatchRequest(work=[work("noop")] * 10001))

    def test_streams_acknowledge_every_sequence_number(self):
        def messages():
            for first in range(0, 5000, 50):
                yield workpool_pb2.PostWorkStreamRequest(
                    first_sequence=first,
                    work=[work("noop" if i % 10 else "missing") for i in range(first, first + 50)])
        results = {}
        for answer in self.daemon.work.PostWorkStream(messages()):
            for result in answer.results:
                self.assertNotIn(result.sequence, results)
                results[result.sequence] = result.refusal.reason
        self.assertEqual(set(results), set(range(5000)))
        self.assertEqual({s for s, reason in results.items() if reason == "UNKNOWN_HANDLER"},
                         set(range(0, 5000, 10)))


if __name__ == "__main__":
    unittest.main()
