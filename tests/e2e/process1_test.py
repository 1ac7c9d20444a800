"""The daemon as process 1, as in a container, by way of a PID namespace of its own."""

import os
import pathlib
import subprocess
import unittest

import harness
from commands_test import children
from harness import wait_for
from workpool.v1 import job_pb2, workpool_pb2

ALONE = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc"]
# Without root a user namespace is needed besides, which not every system permits.
WRAPPER = ALONE if os.geteuid() == 0 else ["unshare", "--user", "--map-root-user", *ALONE[1:]]
CONFIG = '''
[pools.default]
workers = 4
[handlers.orphan]
pool = "default"
exec = ["sh", "-c", "setsid sleep 0.2 & setsid sleep 0.1 & exit 0"]
'''


def permitted():
    return subprocess.run([*WRAPPER, "true"], capture_output=True).returncode == 0


@unittest.skipUnless(permitted(), "no PID namespace may be made here: only the unit test "
                                  "child_stop_test (OrphanTest) shows that orphans are reaped")
class Process1Test(harness.TestCase):
    def setUp(self):
        self.daemon = self.start(CONFIG, wrapper=WRAPPER, server='grace = "1h"')
        self.pid = wait_for(lambda: children(self.daemon.process.pid), what="its process")[0]

    def run_job(self, handler, payload=b""):
        return self.daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler=handler, payload=payload), wait=True), timeout=60).job

    def test_it_reaps_orphans_and_leaves_at_term(self):  # case 53
        status = pathlib.Path(f"/proc/{self.pid}/status").read_text()
        self.assertRegex(status, r"NSpid:.*\t1\n")
        for _ in range(20):
            self.assertEqual(self.run_job("orphan").state, job_pb2.JOB_STATE_SUCCEEDED)
        wait_for(lambda: not children(self.pid), what="every orphan has ended and is reaped")
        os.kill(self.pid, 15)
        self.assertEqual(self.daemon.wait(10), 0)

    def test_a_second_term_ends_the_wait(self):  # case 53
        self.daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="sleep", payload=b"1h")))
        os.kill(self.pid, 15)
        wait_for(lambda: self.daemon.http("/readyz")[0] == 503, what="the shutdown has begun")
        os.kill(self.pid, 15)
        self.assertEqual(self.daemon.wait(10), 0)


if __name__ == "__main__":
    unittest.main()
