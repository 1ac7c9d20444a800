"""The command-line client against the real daemon, as the README shows it."""

import hashlib
import json
import pathlib
import unittest

import harness
from harness import wait_for

CONFIG = '''
[pools.default]
workers = 2
capacity = 1000
[pools.tiny]
workers = 1
capacity = 2
[handlers.checksum]
pool = "default"
exec = ["sha256sum"]
'''


class CommandLineTest(harness.TestCase):
    def setUp(self):
        self.daemon = self.start(CONFIG)

    def run_ok(self, *args, **options):
        done = self.daemon.command(*args, **options)
        self.assertEqual(done.returncode, 0, done.stderr + done.stdout)
        return done.stdout

    def status(self, *args, **options):
        done = self.daemon.command(*args, **options)
        return done.returncode, done.stderr

    def test_post_echo_prints_the_result(self):
        self.assertEqual(self.run_ok("post", "echo", "--data", "hello", "--wait").rstrip("\n"),
                         "hello")
        answer = json.loads(self.run_ok("post", "echo", "--data", "hello", "--wait", "--json"))
        self.assertEqual((answer["state"], answer["result"]), ("SUCCEEDED", "hello"))
        self.assertTrue(answer["id"].isdigit())

    def test_run_checksum_of_a_file(self):
        file = pathlib.Path(__file__)
        answer = self.run_ok("run", "checksum", "--file", str(file))
        self.assertEqual(answer.split()[0], hashlib.sha256(file.read_bytes()).hexdigest())

    def test_get_wait_list_cancel(self):
        job_id = self.run_ok("post", "sleep", "--data", "1h").strip()
        wait_for(lambda: "ACTIVE" in self.run_ok("get", job_id), what="it runs")
        self.assertIn(job_id, self.run_ok("list"))
        self.run_ok("cancel", job_id)
        code, _ = self.status("wait", job_id)
        self.assertEqual(code, 1)
        self.assertEqual(json.loads(self.run_ok("get", job_id, "--json"))["state"], "CANCELLED")

    def test_exit_statuses(self):
        self.assertEqual(self.status("post", "fail", "--data", "no", "--wait")[0], 1)
        self.assertEqual(self.status("post")[0], 2)
        self.assertEqual(self.status("nonsense")[0], 2)
        self.assertEqual(self.status("post", "noop", "--server", "127.0.0.1:1")[0], 3)
        self.assertEqual(self.status("get", "99999")[0], 5)
        self.assertEqual(self.status("post", "missing")[0], 5)
        self.run_ok("pause", "tiny")
        for _ in range(2):
            self.run_ok("post", "noop", "--pool", "tiny")
        code, message = self.status("post", "noop", "--pool", "tiny")
        self.assertEqual(code, 4)
        self.assertIn("QUEUE_FULL", message)
        self.run_ok("resume", "tiny")
        self.run_ok("drain", "tiny")
        self.assertEqual(self.status("post", "noop", "--pool", "tiny")[0], 6)

    def test_a_filter_for_a_pool_that_is_not_there_says_so(self):
        for command in ("list", "cancel"):
            self.assertEqual(self.status(command, "--pool", "tinny"), (
                0, 'workpool: nothing matched: there is no pool "tinny"; the pools are "default", '
                '"tiny"\n'))
            self.assertEqual(self.status(command, "--pool", "tiny"),
                             (0, "workpool: nothing matched\n"))

    def test_a_post_that_needs_a_pool_is_told_which_there_are(self):
        daemon = self.start("[pools.images]\n[pools.tiny]\n")
        done = daemon.command("post", "echo")
        self.assertEqual(done.returncode, 5)
        self.assertIn('pool: must be one of "images", "tiny"', done.stderr)

    def test_usage_errors_name_what_where_and_the_rule(self):
        for arguments, message in {
                ("lst",): 'there is no command "lst", did you mean "list"? (see workpool --help)',
                ("post", "echo", "--dta", "x"):
                    'post has no option "--dta", did you mean "--data"? (see workpool post --help)',
                ("post", "echo", "--data", "two", "words"):
                    'post has no place for "words"; a value with spaces needs quotes '
                    '(see workpool post --help)',
                ("post", "echo", "--when-full", "reject", "--wait-timeout", "1s"):
                    "--wait-timeout: bounds the wait for room, so it does not go with "
                    "--when-full reject (see workpool post --help)"}.items():
            self.assertEqual(self.status(*arguments), (2, f"workpool: {message}\n"))

    def test_says_why_a_job_was_stopped(self):
        code, message = self.status("post", "sleep", "--data", "1h", "--timeout", "50ms", "--wait")
        self.assertEqual(code, 1)
        self.assertTrue(message.endswith("TIMEOUT: stopped after its timeout of 50ms\n"), message)

    def test_pools_shows_what_an_operator_needs(self):
        table = self.run_ok("pools")
        for word in ("default", "tiny", "queued", "active", "capacity", "accepted", "rejected"):
            self.assertIn(word, table.lower())
        pools = json.loads(self.run_ok("pools", "--json"))
        self.assertEqual({pool["name"] for pool in pools["pools"]}, {"default", "tiny"})

    def test_resize_pause_resume_purge(self):
        self.run_ok("resize", "tiny", "--workers", "3", "--capacity", "7")
        self.assertIn("7", self.run_ok("pools"))
        self.run_ok("pause", "tiny")
        self.run_ok("post", "noop", "--pool", "tiny")
        self.assertIn("1", self.run_ok("purge", "tiny"))
        self.run_ok("resize", "tiny", "--reset")
        self.assertEqual(self.status("resize", "none", "--workers", "1")[0], 5)
        self.assertEqual(self.status("resize", "tiny", "--workers", "0")[0], 2)

    def test_bulk_post_from_json_lines(self):
        file = self.daemon.folder / "jobs.jsonl"
        file.write_text("".join(json.dumps({"payload": str(i)}) + "\n" for i in range(500)))
        answer = json.loads(self.run_ok("post", "noop", "--file", str(file), "--json"))
        self.assertEqual((answer["accepted"], answer["rejected"]), (500, 0))
        self.run_ok("pause", "tiny")
        full = self.daemon.command("post", "noop", "--pool", "tiny", "--file", str(file), "--json")
        self.assertEqual(full.returncode, 4)
        answer = json.loads(full.stdout)
        self.assertEqual((answer["accepted"], answer["rejected"]), (2, 498))
        self.assertEqual((answer["refused"][0]["line"], answer["refused"][0]["reason"]),
                         (3, "QUEUE_FULL"))
        file.write_text('{"payload": "1"}\n{"payolad": "2"}\n')
        code, message = self.status("post", "noop", "--file", str(file))
        self.assertEqual(code, 2)
        self.assertIn("jobs.jsonl:2", message)

    def test_bench_reports_what_it_did(self):
        answer = json.loads(self.run_ok("bench", "noop", "--jobs", "20000", "--batch", "100",
                                        "--json"))
        self.assertEqual(answer["accepted"] + answer["rejected"], 20000)
        self.assertEqual(answer["finished"], answer["accepted"])
        for key in ("finished_per_second", "post_p50_us", "post_p99_us"):
            self.assertGreater(answer[key], 0)

    def test_handlers_and_top(self):
        self.assertIn("checksum", self.run_ok("handlers"))
        first = self.run_ok("top", "--count", "1", "--json").splitlines()[0]
        self.assertIn("default", first)


if __name__ == "__main__":
    unittest.main()
