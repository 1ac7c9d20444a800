"""Command handlers through the real daemon: processes, pipes, exits, stops."""

import os
import pathlib
import unittest

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

MIB = 1 << 20

CONFIG = '''
[pools.default]
workers = 8
capacity = 1000
[handlers.cat]
pool = "default"
exec = ["cat"]
[handlers.sum]
pool = "default"
exec = ["sha256sum"]
[handlers.sh]
pool = "default"
exec = ["sh"]
kill_grace = "200ms"
[handlers.true]
pool = "default"
exec = ["true"]
[handlers.missing]
pool = "default"
exec = ["no-such-program-here"]
[handlers.forbidden]
pool = "default"
exec = ["/etc/passwd"]
[handlers.nowhere]
pool = "default"
exec = ["true"]
cwd = "/no/such/folder"
[handlers.env]
pool = "default"
exec = ["env"]
env = { GREETING = "hello" }
'''


def alive(pid):
    """A process that still runs (a zombie does not)."""
    try:
        stat = pathlib.Path(f"/proc/{pid}/stat").read_text()
    except (FileNotFoundError, ProcessLookupError):
        return False
    return stat.rsplit(")", 1)[1].split()[0] != "Z"


def children(pid):
    found = []
    for entry in pathlib.Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                stat = (entry / "stat").read_text()
            except OSError:
                continue
            if stat.rsplit(")", 1)[1].split()[1] == str(pid):
                found.append(int(entry.name))
    return found


class CommandsTest(harness.TestCase):
    def setUp(self):
        self.daemon = self.start(CONFIG)

    def request(self, handler, payload=b"", timeout_ms=0, wait=True):
        request = workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler=handler, payload=payload), wait=wait)
        if timeout_ms:
            request.work.timeout.FromMilliseconds(timeout_ms)
        return request

    def run_job(self, handler, payload=b"", **options):
        request = self.request(handler, payload, **options)
        return self.daemon.work.PostWork(request, timeout=120).job

    def sh(self, script, **options):
        return self.run_job("sh", script.encode(), **options)

    def assert_idle(self):
        pool = self.daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool
        self.assertEqual((pool.queued, pool.active), (0, 0))

    def test_the_payload_goes_in_and_the_output_comes_back(self):
        payload = os.urandom(3 * MIB)
        self.assertEqual(self.run_job("cat", payload).result, payload)

    def test_an_exit_without_output_and_a_kill_from_outside(self):  # case 9
        self.assertEqual(self.run_job("true").state, job_pb2.JOB_STATE_SUCCEEDED)
        job = self.sh("kill -KILL $$")
        self.assertEqual(job.state, job_pb2.JOB_STATE_DEAD)
        self.assertIn("KILL", job.error.code + job.error.message)
        self.assert_idle()

    def test_exit_statuses(self):
        failed = self.sh("echo broken >&2; exit 3")
        self.assertEqual(failed.state, job_pb2.JOB_STATE_DEAD)
        self.assertFalse(failed.error.no_retry)
        self.assertIn("broken", failed.log)
        self.assertTrue(self.sh("exit 100").error.no_retry)

    def test_the_whole_group_is_gone_after_a_timeout(self):  # case 17
        pids = self.daemon.folder / "pids"
        job = self.sh(f"trap '' TERM; sleep 1000 & echo $$ $! > {pids}; wait; sleep 1000",
                      timeout_ms=500)
        self.assertEqual((job.state, job.error.code), (job_pb2.JOB_STATE_DEAD, "TIMEOUT"))
        for pid in pids.read_text().split():
            self.assertFalse(alive(pid), pid)

    def test_a_stopped_command_never_counts_as_a_success(self):
        job = self.sh("trap 'exit 0' TERM; while :; do sleep 0.01; done", timeout_ms=300)
        self.assertEqual((job.state, job.error.code), (job_pb2.JOB_STATE_DEAD, "TIMEOUT"))

    def test_200_timed_out_commands_leave_nothing(self):  # case 47
        self.sh("sleep 1000", timeout_ms=20)
        descriptors = f"/proc/{self.daemon.process.pid}/fd"
        before = len(os.listdir(descriptors))
        calls = [self.daemon.work.PostWork.future(self.request("sh", b"sleep 1000", 20))
                 for _ in range(200)]
        for call in calls:
            self.assertEqual(call.result(timeout=120).job.error.code, "TIMEOUT")
        self.assertEqual(children(self.daemon.process.pid), [])
        wait_for(lambda: len(os.listdir(descriptors)) <= before, what="descriptors as before")
        self.assert_idle()

    def test_pipes_never_deadlock(self):  # case 48
        flood = self.sh("head -c 10000000 /dev/zero; head -c 10000000 /dev/zero >&2")
        self.assertEqual(flood.state, job_pb2.JOB_STATE_SUCCEEDED)
        self.assertTrue(flood.result_truncated)
        self.assertEqual(flood.result_bytes, 3 * MIB)
        self.assertTrue(flood.log_truncated)
        deaf = self.run_job("true", b"x" * (3 * MIB))
        self.assertEqual(deaf.state, job_pb2.JOB_STATE_SUCCEEDED)
        slow = b"read line; sleep 0.2; cat | wc -c\n#" + b"y" * (2 * MIB)
        self.assertEqual(self.run_job("sh", slow).state, job_pb2.JOB_STATE_SUCCEEDED)

    def test_commands_that_cannot_start_say_why(self):  # case 49
        for handler, reason in (("missing", "No such file or directory"),
                                ("forbidden", "Permission denied"),
                                ("nowhere", "No such file or directory")):
            job = self.run_job(handler)
            self.assertEqual(job.state, job_pb2.JOB_STATE_DEAD)
            self.assertIn(reason, job.error.message)
        self.assert_idle()

    def test_the_environment_is_minimal_and_tells_the_job(self):
        daemon = self.start(CONFIG, env={"SECRET": "do not leak"})
        answer = daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="env", caller="tester",
                              metadata={"traceparent": "00-1-2-3"}), wait=True)).job
        env = dict(line.split("=", 1) for line in answer.result.decode().splitlines())
        self.assertNotIn("SECRET", env)
        self.assertEqual(env["GREETING"], "hello")
        self.assertEqual(env["WORKPOOL_JOB_ID"], str(answer.id))
        self.assertEqual((env["WORKPOOL_HANDLER"], env["WORKPOOL_POOL"]), ("env", "default"))
        self.assertEqual((env["WORKPOOL_CALLER"], env["WORKPOOL_ATTEMPT"]), ("tester", "1"))
        self.assertEqual(env["TRACEPARENT"], "00-1-2-3")

    def test_descriptors_of_the_daemon_stay_with_it(self):
        job = self.sh("ls /proc/self/fd | wc -l")
        self.assertLessEqual(int(job.result), 4)  # 0, 1, 2 and ls's own folder


if __name__ == "__main__":
    unittest.main()
