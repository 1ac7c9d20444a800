"""Weights of posts and max_active of handlers, through the real daemon and the command line."""

import json
import pathlib
import unittest

import grpc

import harness
from harness import wait_for
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

# A command that runs until the file that its payload names is there.
UNTIL_FILE = '''["sh", "-c", 'read -r file; until [ -e "$file" ]; do sleep 0.02; done']'''
CONFIG = '''
[pools.default]
workers = 4
capacity = 20
[handlers.limited]
pool = "default"
exec = {command}
max_active = {max_active}
[handlers.free]
pool = "default"
exec = {command}
'''
QUEUED = job_pb2.JOB_STATE_QUEUED
ACTIVE = job_pb2.JOB_STATE_ACTIVE
SUCCEEDED = job_pb2.JOB_STATE_SUCCEEDED


def config(max_active):
    return CONFIG.format(command=UNTIL_FILE, max_active=max_active)


class WeightsTest(harness.TestCase):
    def setUp(self):
        super().setUp()
        self.daemon = self.start(config(2))
        self.gates = 0

    def new_gate(self):
        self.gates += 1
        return pathlib.Path(self.daemon.folder, f"gate{self.gates}")

    def post(self, handler, gate, **fields):
        work = job_pb2.Work(handler=handler, payload=f"{gate}\n".encode(), **fields)
        return self.daemon.work.PostWork(workpool_pb2.PostWorkRequest(work=work)).id

    def job(self, number):
        return self.daemon.work.GetJob(workpool_pb2.GetJobRequest(id=number)).job

    def states(self, numbers):
        return [self.job(number).state for number in numbers]

    def becomes(self, numbers, *states):
        wait_for(lambda: self.states(numbers) == list(states), 30, f"{numbers} in {states}")

    def pool(self):
        return self.daemon.admin.GetPool(admin_pb2.GetPoolRequest(pool="default")).pool

    def test_a_heavy_job_waits_for_its_workers_and_is_not_overtaken(self):
        first, second = self.new_gate(), self.new_gate()
        running = self.post("free", first)
        heavy = self.post("free", second, weight=4)
        light = self.post("free", second)
        urgent = self.post("free", first, priority=9)
        self.becomes([running, heavy, light, urgent], ACTIVE, QUEUED, QUEUED, ACTIVE)
        self.assertEqual(self.daemon.metrics().value("workpool_workers_idle", pool="default"), 2)
        first.touch()
        self.becomes([running, heavy, light, urgent], SUCCEEDED, ACTIVE, QUEUED, SUCCEEDED)
        pool = self.pool()
        self.assertEqual((pool.active, pool.places_taken), (1, 4))
        self.assertEqual(self.job(heavy).weight, 4)
        self.assertEqual(self.daemon.metrics().value("workpool_active", pool="default"), 1)
        self.assertEqual(self.daemon.metrics().value("workpool_workers_idle", pool="default"), 0)
        second.touch()
        self.becomes([heavy, light], SUCCEEDED, SUCCEEDED)

    def test_more_than_the_pool_is_refused_and_counted(self):
        gate = self.new_gate()
        error = self.refused(grpc.StatusCode.INVALID_ARGUMENT, "BAD_FIELD",
                             self.post, "free", gate, weight=5)
        self.assertIn("weight: 5 is more than the 4 workers", error.details())
        metrics = self.daemon.metrics()
        self.assertEqual(
            metrics.value("workpool_rejected_total", pool="default", reason="invalid"), 1)
        self.assertEqual(metrics.value("workpool_posted_total", pool="default"), 1)

    def test_a_job_heavier_than_the_pool_has_become_runs_alone(self):
        first, second = self.new_gate(), self.new_gate()
        running = self.post("free", first)
        heavy = self.post("free", second, weight=3)
        heavier = self.post("free", second, weight=4)
        light = self.post("free", second)
        self.daemon.admin.ResizePool(admin_pb2.ResizePoolRequest(pool="default", workers=2))
        first.touch()
        self.becomes([running, heavy, heavier, light], SUCCEEDED, ACTIVE, QUEUED, QUEUED)
        second.touch()
        self.becomes([heavy, heavier, light], SUCCEEDED, SUCCEEDED, SUCCEEDED)

    def test_a_handler_at_its_limit_is_passed_over_and_a_reload_changes_it(self):
        gate = self.new_gate()
        limited = [self.post("limited", gate) for _ in range(4)]
        free = self.post("free", gate)
        self.becomes([*limited, free], ACTIVE, ACTIVE, QUEUED, QUEUED, ACTIVE)
        shown = {handler.name: handler.max_active for handler in
                 self.daemon.admin.ListHandlers(admin_pb2.ListHandlersRequest()).handlers}
        self.assertEqual((shown["limited"], shown["free"], shown["echo"]), (2, 0, 0))
        self.daemon.write_config(config(3))
        reloaded = self.daemon.admin.ReloadConfig(admin_pb2.ReloadConfigRequest())
        self.assertEqual(list(reloaded.applied), ["handler limited: changed"])
        self.becomes([*limited, free], ACTIVE, ACTIVE, ACTIVE, QUEUED, ACTIVE)
        gate.touch()
        self.becomes([*limited, free], *[SUCCEEDED] * 5)

    def test_the_command_line_posts_and_shows_them(self):
        ran = self.daemon.command("post", "echo", "--data", "x", "--weight", "3", "--wait")
        self.assertEqual((ran.returncode, ran.stdout), (0, "x\n"))
        jobs = self.daemon.folder / "jobs.jsonl"
        jobs.write_text('{"payload": "y", "weight": 2}\n', encoding="ascii")
        ran = self.daemon.command("post", "echo", "--file", str(jobs))
        self.assertEqual(ran.returncode, 0, ran.stderr)

        def weights():
            listed = json.loads(self.daemon.command("list", "--handler", "echo", "--json").stdout)
            return [job["weight"] for job in listed["jobs"]]
        self.assertEqual(weights(), [2, 3])
        ran = self.daemon.command("post", "echo", "--weight", "5")
        self.assertEqual(ran.returncode, 2, ran.stderr)
        self.assertIn("more than the 4 workers", ran.stderr)
        self.assertIn("MAX ACTIVE", self.daemon.command("handlers").stdout)


if __name__ == "__main__":
    unittest.main()
