"""The command-line client on a terminal: the view of `top` and the bar of a bulk post."""

import json
import re
import unittest

import harness
from harness import wait_for
from terminal import Terminal
from workpool.v1 import admin_pb2, job_pb2, workpool_pb2

CONFIG = '''
[pools.default]
workers = 1
[pools.tiny]
workers = 2
capacity = 10
'''
ESCAPE = "\x1b"
JOBS = 50


class TerminalTest(harness.TestCase):
    def setUp(self):
        self.daemon = self.start(CONFIG)

    def terminal(self, *arguments, **options):
        terminal = Terminal([harness.WORKPOOL, *arguments],
                            env={"WORKPOOL_SERVER": self.daemon.grpc_address}, **options)
        self.addCleanup(terminal.close)
        return terminal

    def post(self, handler, payload=b"", pool="tiny"):
        self.daemon.work.PostWork(workpool_pb2.PostWorkRequest(
            work=job_pb2.Work(handler=handler, payload=payload, pool=pool)))

    def bulk_file(self):
        file = self.daemon.folder / "jobs.jsonl"
        file.write_text("".join(json.dumps({"payload": str(i)}) + "\n" for i in range(JOBS)))
        return str(file)

    def bulk_into_a_paused_pool(self, **options):
        """Ten jobs of the file are queued, the others wait until the pool goes on."""
        self.daemon.admin.PausePool(admin_pb2.PausePoolRequest(pool="tiny"))
        return self.terminal("post", "noop", "--pool", "tiny", "--when-full", "wait",
                             "--file", self.bulk_file(), **options)

    def resume(self):
        self.daemon.admin.ResumePool(admin_pb2.ResumePoolRequest(pool="tiny"))

    @staticmethod
    def rows(screen):
        """The table that a screen shows: {pool: {heading: value}}; of two headings of the same
        name the first."""
        lines = [line.split() for line in screen.splitlines()]
        for number, words in enumerate(lines):
            if words[:1] == ["NAME"]:
                return {row[0]: dict(reversed(list(zip(words, row))))
                        for row in lines[number + 1:] if row}
        return {}

    def test_top_shows_each_pools_row_and_keeps_it_fresh(self):
        for _ in range(5):
            self.post("sleep", b"1h")
        top = self.terminal("top", "--interval", "100ms")

        def tiny_shows(active, queued):
            # The last screen may have come in part.
            row = self.rows(top.screens()[-2]).get("tiny") if len(top.screens()) > 2 else None
            return row and (row["ACTIVE"], row["QUEUED"]) == (active, queued)

        wait_for(lambda: tiny_shows("2", "3"), 20, "two active and three queued jobs")
        row = self.rows(top.screens()[-2])["tiny"]
        self.assertEqual((row["WORKERS"], row["CAPACITY"]), ("2", "10"))
        self.assertIn(self.daemon.grpc_address, top.screens()[-2])
        self.assertIn("default", self.rows(top.screens()[-2]))
        self.post("sleep", b"1h")
        wait_for(lambda: tiny_shows("2", "4"), 20, "a fourth queued job")
        top.process.terminate()
        top.wait()

    def test_top_into_a_pipe_is_plain_lines(self):
        done = self.daemon.command("top", "--interval", "100ms", "--count", "2")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn(ESCAPE, done.stdout + done.stderr)
        self.assertEqual(len(re.findall(r"^\S+ pool=tiny workers=2 active=0 queued=0 ", done.stdout,
                                        re.MULTILINE)), 2)

    def test_a_bulk_posts_bar_fills_and_leaves_the_summary(self):
        post = self.bulk_into_a_paused_pool()
        wait_for(lambda: f" 20% 10/{JOBS}  accepted 10  rejected 0" in post.text, 20,
                 "the bar of what is queued")
        self.resume()
        status, _ = post.wait()
        self.assertEqual(status, 0, post.text)
        *bars, last = post.screens()
        self.assertRegex(bars[-1], rf"\A\[#+\] 100% {JOBS}/{JOBS}  accepted {JOBS}  rejected 0  \d+/s\Z")
        self.assertRegex(last, rf"\A{JOBS} accepted, 0 rejected in \S+ \(\d+/s\)\r\n\Z")

    def test_a_bulk_posts_bar_keeps_out_of_what_is_piped(self):
        post = self.bulk_into_a_paused_pool(on=["stderr"])
        wait_for(lambda: "accepted 10" in post.text, 20, "the bar on the terminal")
        self.resume()
        status, piped = post.wait()
        self.assertEqual(status, 0, post.text)
        self.assertEqual(post.screens()[-1], "")  # the bar was taken away
        self.assertRegex(piped, rf"\A{JOBS} accepted, 0 rejected in \S+ \(\d+/s\)\n\Z")

    def test_without_a_terminal_there_is_no_bar(self):
        for on, arguments in (([], []), (["stdout"], []), (["stdout", "stderr"], ["--json"])):
            post = self.terminal("post", "noop", "--file", self.bulk_file(), *arguments, on=on)
            status, piped = post.wait()
            self.assertEqual(status, 0, post.text + piped)
            self.assertNotIn(ESCAPE, post.text + piped)
            self.assertNotIn("%", post.text + piped)
            self.assertEqual(len((post.text + piped).splitlines()), 1)


if __name__ == "__main__":
    unittest.main()
