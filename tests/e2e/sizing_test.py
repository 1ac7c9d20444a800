"""How many workers a pool has: elastic pools, pools that the daemon sizes, and `workpool tune`."""

import json
import os
import signal
import subprocess
import threading
import unittest

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2


def pool_of(daemon, name="default"):
    return daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool=name)).pool


class ElasticTest(harness.TestCase):
    def test_as_many_jobs_run_as_there_may_be(self):
        daemon = self.start('[pools.default]\nworkers = { min = 2, max = 12, idle = "50ms" }\n'
                            'capacity = 1000\n')
        ids = [daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler="sleep", payload=b"1h"))).id for _ in range(12)]
        wait_for(lambda: pool_of(daemon).active == 12, what="all workers busy")
        self.assertIn("2..12", daemon.command("pools").stdout)
        daemon.work.CancelJobs(workpool_pb2.CancelJobsRequest(ids=ids))
        wait_for(lambda: pool_of(daemon).active == 0, what="all have ended")

    def test_a_resize_fixes_the_size_and_a_reload_changes_the_range(self):
        daemon = self.start('[pools.default]\nworkers = { min = 2, max = 12 }\n')
        daemon.command("resize", "default", "--workers", "5")
        pool = json.loads(daemon.command("pools", "default", "--json").stdout)
        self.assertEqual((pool["workers"], pool["workers_resized"], pool["min_workers"]),
                         (5, True, 2))
        daemon.command("resize", "default", "--reset")
        self.assertEqual(pool_of(daemon).workers, 12)
        daemon.write_config('[pools.default]\nworkers = { min = 3, max = 20, idle = "5s" }\n')
        self.assertIn("workers elastic 2 to 12, idle 30s -> elastic 3 to 20, idle 5s",
                      daemon.command("reload").stdout)
        self.assertEqual(pool_of(daemon).workers, 20)


class AutoTest(harness.TestCase):
    def keep_busy(self, daemon, handler, payload):
        """Posts until the test ends, so that there is always a job that waits."""
        stop = threading.Event()

        def feed():
            while not stop.is_set():
                if pool_of(daemon).queued > 200:
                    stop.wait(0.02)
                    continue
                daemon.work.PostWorkBatch(workpool_pb2.PostWorkBatchRequest(
                    work=[job_pb2.Work(handler=handler, payload=payload)] * 200))
        thread = threading.Thread(target=feed)
        thread.start()

        def end():
            stop.set()
            thread.join()
        self.addCleanup(end)
        return end

    def test_finds_a_size_and_follows_when_the_jobs_change(self):
        lock = '["flock", "lock", "sleep", "0.005"]'
        daemon = self.start(
            '[pools.default]\nworkers = { auto = true, min = 1, max = 12 }\ncapacity = 1000\n'
            f'[handlers.serial]\npool = "default"\nexec = {lock}\ncwd = "/tmp"\n')
        series = {"pool": "default", "reason": "more"}
        self.assertEqual(daemon.metrics().value("workpool_sizing_decisions_total", **series), 0)
        # Jobs that only wait: the more at once the better.
        end = self.keep_busy(daemon, "sleep", b"20ms")
        wait_for(lambda: pool_of(daemon).workers >= 10, bound=120, what="it grows")
        self.assertGreater(daemon.metrics().value("workpool_sizing_decisions_total", **series), 0)
        self.assertRegex(daemon.command("pools").stdout, r"1\d \(auto 1\.\.12\)")
        decision = json.loads(daemon.command("pools", "default", "--json").stdout)
        self.assertEqual(decision["sizing"], "auto")
        self.assertIn("reason", decision["sizing_decision"])
        # Jobs that wait for each other: more than one at once is of little use.
        end()
        daemon.admin.PurgePool(admin_pb2.PurgePoolRequest(pool="default"))
        self.keep_busy(daemon, "serial", b"")
        wait_for(lambda: pool_of(daemon).workers <= 3, bound=240, what="it shrinks")
        wait_for(lambda: any("workers instead of" in line for line in daemon.log()), bound=240,
                 what="it tells its log")


class TuneTest(harness.TestCase):
    def tune(self, daemon, *args):
        return subprocess.Popen(
            [harness.WORKPOOL, "tune", "default", "sleep", *args], stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, text=True,
            env={**os.environ, "WORKPOOL_SERVER": daemon.grpc_address})

    def test_names_the_smallest_size_that_is_as_good_as_the_best(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 100\n')
        done = daemon.command("tune", "default", "sleep", "--data", "100ms", "--sizes", "2,12,24",
                              "--jobs", "12", "--runs", "2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertGreater(report["cores"], 0)
        self.assertEqual([size["workers"] for size in report["sizes"]], [2, 12, 24])
        for run in report["sizes"][0]["runs"]:
            self.assertEqual(run["active_peak"], 2)
            self.assertLessEqual(run["queued_peak"], 10)
            self.assertGreaterEqual(run["seconds"], 0.6)
        # Peaks are those of the run: the one before had twelve at once.
        self.assertLessEqual(report["sizes"][2]["runs"][0]["queued_peak"], 12)
        self.assertIn(report["smallest_good_workers"], (12, 24))
        self.assert_left_as_found(daemon, 30)

    def running(self, daemon):
        process = self.tune(daemon, "--data", "1h", "--sizes", "7", "--jobs", "9")
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        wait_for(lambda: pool_of(daemon).active == 7, what="it runs")
        return process

    def assert_left_as_found(self, daemon, bound):
        wait_for(lambda: (lambda pool: (pool.workers, pool.workers_resized, pool.active,
                                        pool.queued) == (3, False, 0, 0))(pool_of(daemon)),
                 bound, "the pool is as it was")

    def test_a_signal_puts_the_size_back(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 100\n')
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            process = self.running(daemon)
            process.send_signal(number)
            self.assertEqual(process.wait(30 * harness.TIME_FACTOR), -number)
            self.assertEqual(pool_of(daemon).workers, 3)
            self.assert_left_as_found(daemon, 30)

    def test_a_killed_one_leaves_nothing_behind(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 100\n')
        self.running(daemon).kill()
        self.assert_left_as_found(daemon, 60)

    def test_an_operators_size_outlives_a_killed_one(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 100\n')
        self.assertEqual(daemon.command("resize", "default", "--workers", "5").returncode, 0)
        self.running(daemon).kill()
        wait_for(lambda: pool_of(daemon).workers == 5, 60, "the operator's size is back")
        self.assertTrue(pool_of(daemon).workers_resized)

    def test_a_size_that_somebody_sets_meanwhile_stays(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 100\n')
        process = self.running(daemon)
        self.assertEqual(daemon.command("resize", "default", "--workers", "5").returncode, 0)
        process.send_signal(signal.SIGTERM)
        _, complaint = process.communicate(timeout=30 * harness.TIME_FACTOR)
        self.assertIn("was set to 7 workers and has 5 by now", complaint)
        self.assertEqual(pool_of(daemon).workers, 5)

    def test_a_daemon_that_does_not_answer_does_not_hold_it_up(self):
        daemon = self.start('[pools.default]\nworkers = 3\ncapacity = 100\n')
        process = self.running(daemon)
        daemon.process.send_signal(signal.SIGSTOP)
        self.addCleanup(daemon.process.send_signal, signal.SIGCONT)
        process.send_signal(signal.SIGTERM)
        _, complaint = process.communicate(timeout=30 * harness.TIME_FACTOR)
        self.assertEqual(process.returncode, -signal.SIGTERM)
        self.assertIn("pool default could not be put back and goes back by itself", complaint)


if __name__ == "__main__":
    unittest.main()
