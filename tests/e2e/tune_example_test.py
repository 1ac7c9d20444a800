"""The worked example of `workpool tune` that deploy/ ships, run small: a real database, a real daemon."""

import json
import os
import pathlib
import subprocess
import unittest

import harness

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "deploy" / "tune" / "run"
ENVIRONMENT = {**os.environ, "WORKPOOL_BIN": str(pathlib.Path(harness.WORKPOOLD).parent)}


class TuneExampleTest(unittest.TestCase):
    def run_example(self, *args):
        return subprocess.run([SCRIPT, "--rows", "2000", *args], env=ENVIRONMENT, text=True,
                              capture_output=True, timeout=120 * harness.TIME_FACTOR)

    def test_measures_queries_of_a_database(self):
        done = self.run_example("--sizes", "1,3", "--jobs", "6", "--runs", "2", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        report = json.loads(done.stdout)
        self.assertEqual((report["pool"], report["handler"], report["jobs"], report["failed"]),
                         ("queries", "query", 6, 0))
        self.assertEqual([size["workers"] for size in report["sizes"]], [1, 3])
        for size in report["sizes"]:
            for run in size["runs"]:
                self.assertGreater(run["seconds"], 0)
                self.assertLessEqual(run["active_peak"], size["workers"])

    def test_says_what_is_wrong_with_its_arguments(self):
        done = self.run_example("--rows", "many")
        self.assertEqual(done.returncode, 1)
        self.assertIn("--rows needs a number", done.stderr)
        done = self.run_example("--sizes", "0")
        self.assertEqual(done.returncode, 2)
        self.assertIn("--sizes", done.stderr)


if __name__ == "__main__":
    unittest.main()
