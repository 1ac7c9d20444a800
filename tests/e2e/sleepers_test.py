"""The built-in sleep and commands hold a worker but no thread."""

import unittest

import many_active
from harness import wait_for
from many_active import MOST_THREADS
from workpool.v1 import job_pb2, workpool_pb2


class SleepersTest(many_active.TestCase):
    handler = "sleep"

    def test_all_workers_sleep_at_once(self):
        self.all_wait_at_once(most_bytes=2048)  # measured: 1040 to 1530

    def test_half_of_them_are_cancelled_and_half_time_out(self):
        self.half_are_cancelled_and_half_time_out()

    def test_they_end_with_the_daemon(self):
        self.start_pool(5000, server='grace = "100ms"\n')
        self.post(5000, b"1h")
        self.assertEqual(self.daemon.stop(), 0)
        log = "\n".join(self.daemon.log())
        self.assertRegex(log, r"jobs lost in shutdown.*\b5000\b")

    def test_commands_hold_no_thread_while_they_run(self):
        commands = 150
        self.start_pool(commands, '[handlers.wait]\npool = "default"\nexec = ["sh", "-c", '
                        '"echo up >> \\"$WORKPOOL_META_UP\\"; exec sleep 1000"]\n')
        up = self.daemon.folder / "up"
        work = job_pb2.Work(handler="wait", metadata={"up": str(up)})
        batch = workpool_pb2.PostWorkBatchRequest(work=[work] * commands)
        ids = [result.id for result in self.daemon.work.PostWorkBatch(batch).results]
        wait_for(lambda: up.exists() and len(up.read_text()) == 3 * commands, 60, "all run at once")
        self.assertEqual(self.pool().active, commands)
        self.assertLessEqual(self.status("Threads"), MOST_THREADS)
        self.cancel(ids)
        wait_for(lambda: self.pool().active == 0, 60, "an idle pool")


if __name__ == "__main__":
    unittest.main()
