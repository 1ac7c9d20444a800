"""Short of threads, descriptors or room for output: one line and a status, never an abort."""

import os
import signal
import subprocess
import time
import unittest

import grpc

import harness
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

POOL = "[pools.default]\nworkers = 3\n"
TRUE = '[handlers.true]\npool = "default"\nexec = ["true"]\n'
# The system counts threads by user and lets root have any number.
USER = 60000 + os.getpid() % 5000
AS_USER = ["setpriv", f"--reuid={USER}", f"--regid={USER}", "--clear-groups"]


class LimitsTest(harness.TestCase):
    def start_as_user(self, wrapper=(), **options):
        daemon = self.start(POOL + TRUE, server='grace = "20s"', wait_ready=False, wrapper=[
            *wrapper, *(AS_USER if os.geteuid() == 0 else []),
            "sh", "-c", 'until [ -r "$3" ]; do :; done; exec "$@"', "sh"], **options)
        daemon.config_path.chmod(0o644)
        daemon.folder.chmod(0o755)
        return daemon

    def refuses(self, daemon, *words):
        self.assertEqual(daemon.wait(), 1, daemon.output())
        self.assertEqual(daemon.stdout.lines(), [])
        self.assertEqual(len(daemon.log()), 1, daemon.output())
        for word in ("cannot start", *words):
            self.assertIn(word, daemon.log()[0])

    def starve(self, daemon):
        subprocess.run([*(AS_USER if os.geteuid() == 0 else []), "prlimit", "--nproc=1:1", "--pid",
                        str(daemon.process.pid)], check=True)

    def test_every_number_of_threads_serves_or_is_refused(self):
        # Never an abort in between. Whoever runs this as an ordinary user has threads already.
        numbers = (1, 2, 3, 8, 12, 14, 16, 18, 20, 22, 24, 28) if os.geteuid() == 0 else (1,)
        for number in numbers:
            with self.subTest(threads=number):
                daemon = self.start_as_user(["prlimit", f"--nproc={number}:{number}"])
                try:
                    daemon.wait_ready()
                except AssertionError:
                    self.refuses(daemon, "threads")
                    continue
                self.assertGreater(number, 8)
                daemon.work.PostWork(workpool_pb2.PostWorkRequest(
                    work=job_pb2.Work(handler="echo"), wait=True))
                daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest())
                self.assertEqual(daemon.stop(bound=5), 0, daemon.output())

    def test_a_serving_daemon_that_gets_no_more_threads(self):
        def reload(daemon):
            daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest(), timeout=10)

        def drain(daemon):
            daemon.admin.DrainPool(admin_pb2.DrainPoolRequest(pool="default"), timeout=10)

        def resize(daemon):
            daemon.admin.ResizePool(admin_pb2.ResizePoolRequest(pool="default", workers=9),
                                    timeout=10)

        def hang_up(daemon):
            daemon.send(signal.SIGHUP)
            harness.wait_for(lambda: any("reloaded" in line for line in daemon.log()))

        def command(daemon):
            try:
                daemon.work.PostWork(workpool_pb2.PostWorkRequest(
                    work=job_pb2.Work(handler="true"), wait=True), timeout=10)
            except grpc.RpcError as error:
                self.fail(error)
        def nothing(daemon):
            pass
        for act in (reload, drain, resize, hang_up, command, nothing):
            with self.subTest(act=act.__name__):
                daemon = self.start_as_user()
                daemon.wait_ready()
                daemon.work.PostWork(workpool_pb2.PostWorkRequest(
                    work=job_pb2.Work(handler="sleep", payload=b"100ms")))
                self.starve(daemon)
                act(daemon)
                begin = time.monotonic()
                self.assertEqual(daemon.stop(), 0, daemon.output())
                self.assertLess(time.monotonic() - begin, 10 * harness.TIME_FACTOR)

    def test_every_limit_of_descriptors_serves_or_is_refused(self):
        for number in (4, 8, 16, 24, 32, 40, 47, 48, 56):
            with self.subTest(descriptors=number):
                daemon = self.start(POOL + TRUE, wait_ready=False,
                                    wrapper=["prlimit", f"--nofile={number}:{number}"])
                if number < 48:
                    if number > 4:  # with four it has not even its libraries
                        self.refuses(daemon, "open files", f"is {number},", "48")
                    continue
                daemon.wait_ready()
                for handler in ("echo", "true"):
                    done = daemon.work.PostWork(workpool_pb2.PostWorkRequest(
                        work=job_pb2.Work(handler=handler), wait=True), timeout=20)
                    self.assertEqual(done.job.state, job_pb2.JOB_STATE_SUCCEEDED, done)
                self.assertEqual(daemon.http("/readyz")[0], 200)
                self.assertEqual(daemon.stop(), 0, daemon.output())

    @unittest.skipIf("ASAN_OPTIONS" in os.environ or "TSAN_OPTIONS" in os.environ,
                     "a sanitizer reserves terabytes")
    def test_a_small_address_space_is_refused(self):
        for mib in (150, 200, 300, 400, 1023):
            with self.subTest(mib=mib):
                daemon = self.start(POOL, wait_ready=False,
                                    wrapper=["prlimit", f"--as={mib << 20}"])
                self.refuses(daemon, "address space", f"is {mib} MiB", "1024 MiB")

    def test_output_that_is_lost_is_a_failure(self):
        for option in ("--print-config", "--check-config", "--version", "--help"):
            for end in (">/dev/full", ">&-"):
                with self.subTest(option=option, end=end):
                    done = subprocess.run(["sh", "-c", f'"$0" "$1" {end}', harness.WORKPOOLD,
                                           option], text=True, capture_output=True, timeout=60)
                    self.assertEqual(done.returncode, 1, done.stderr)
                    self.assertRegex(done.stderr, r"^workpoold: cannot write to stdout: [^\n]+\n$")
            done = subprocess.run([harness.WORKPOOLD, option], text=True, capture_output=True,
                                  timeout=60)
            self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_closed_standard_descriptors_are_not_used_for_others(self):
        for closed in ("<&-", "2>&-", "<&- 2>&-"):
            with self.subTest(closed=closed):
                daemon = self.start(POOL, wrapper=["sh", "-c", f'exec "$@" {closed}', "sh"])
                for number in (0, 1, 2):
                    target = os.readlink(f"/proc/{daemon.process.pid}/fd/{number}")
                    self.assertRegex(target, r"^(/dev/null|pipe:)")
                self.assertEqual(daemon.stop(), 0)

    def test_signals_that_ask_for_nothing_are_ignored(self):
        daemon = self.start(POOL + TRUE)
        numbers = [signal.SIGUSR1, signal.SIGUSR2, signal.SIGALRM, signal.SIGVTALRM, signal.SIGPROF,
                   signal.SIGIO, signal.SIGPWR, signal.SIGXFSZ, signal.SIGPIPE, signal.SIGRTMIN,
                   signal.SIGRTMAX]
        for number in numbers:
            daemon.send(number)
        done = daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="true"), wait=True), timeout=20)
        self.assertEqual(done.job.state, job_pb2.JOB_STATE_SUCCEEDED)
        self.assertEqual(daemon.stop(), 0, daemon.output())


if __name__ == "__main__":
    unittest.main()
