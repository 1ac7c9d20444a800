"""A real Prometheus scrapes a real daemon under load: every query of the dashboard answers data,
every alert can be evaluated, and those that the load provokes fire."""

import json
import math
import os
import pathlib
import re
import subprocess
import tempfile
import threading
import unittest
import urllib.parse
import urllib.request

import deployed
import harness
import yaml

from workpool.v1 import job_pb2, workpool_pb2

CONFIG = """
[pools.default]
workers = 2
capacity = 5
[pools.other]
workers = 1
capacity = 1
"""
# What Grafana puts in for its variables, at a scrape a second.
VARIABLES = {"$__rate_interval": "10s", "$pool": ".*"}
LISTENING = re.compile(r'msg="Listening on" address=(127\.0\.0\.1:\d+)')


class Prometheus:
    """A running Prometheus with the shipped rules, which scrapes `target` each second."""

    def __init__(self, target):
        self._folder = tempfile.TemporaryDirectory(prefix="workpool-prometheus-")
        folder = pathlib.Path(self._folder.name)
        config = folder / "prometheus.yml"
        config.write_text(yaml.safe_dump(self._config(target)), encoding="utf-8")
        self.process = subprocess.Popen(
            ["prometheus", f"--config.file={config}", f"--storage.tsdb.path={folder / 'data'}",
             "--web.listen-address=127.0.0.1:0"],
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
            errors="replace", env={**os.environ, "GOMAXPROCS": "1"})
        self._log = harness.Output(self.process.stderr)
        self.address = harness.wait_for(self._listening, 60, "Prometheus listening")

    @staticmethod
    def _config(target):
        config = deployed.read_yaml(deployed.PROMETHEUS / "prometheus.yml")
        config["global"] = {"scrape_interval": "1s", "evaluation_interval": "1s"}
        config["rule_files"] = [str(deployed.PROMETHEUS / "alerts.yml")]
        jobs = [job for job in config["scrape_configs"] if job["job_name"] == "workpool"]
        jobs[0]["static_configs"][0]["targets"] = [target]
        config["scrape_configs"] = jobs
        return config

    def _listening(self):
        if self.process.poll() is not None:
            raise AssertionError("Prometheus ended:\n" + "\n".join(self._log.lines()))
        return next((match[1] for match in map(LISTENING.search, self._log.lines()) if match), None)

    def get(self, path, **parameters):
        url = f"http://{self.address}/api/v1/{path}?{urllib.parse.urlencode(parameters)}"
        with urllib.request.urlopen(url, timeout=30) as answer:
            return json.load(answer)["data"]

    def values(self, expression):
        """The numbers that a query answers; one that is not valid raises."""
        return [float(series["value"][1])
                for series in self.get("query", query=expression)["result"]]

    def close(self):
        self.process.kill()
        self.process.wait()
        self._log.join()
        self._folder.cleanup()


class Load:
    """Posts more than the pools take, until it is stopped: results, failures and rejections."""

    def __init__(self, daemon):
        self._work = daemon.work
        self._over = threading.Event()
        self.failure = None
        self._thread = threading.Thread(target=self._run)
        self._thread.start()

    def _run(self):
        jobs = [job_pb2.Work(handler=handler, payload=payload, pool=pool)
                for handler, payload in (("sleep", b"20ms"), ("echo", b"x"), ("fail", b"no"))
                for pool in ("default", "other") for _ in range(5)]
        request = workpool_pb2.PostWorkBatchRequest(work=jobs)
        try:
            while not self._over.wait(0.1):
                self._work.PostWorkBatch(request, timeout=30)
        except Exception as error:  # told in stop
            self.failure = error

    def stop(self):
        self._over.set()
        self._thread.join()
        if self.failure:
            raise AssertionError("the load could not be posted") from self.failure


class MonitoringTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.daemon = harness.Daemon(CONFIG)
        cls.addClassCleanup(cls.daemon.close)
        cls.prometheus = Prometheus(cls.daemon.http_address)
        cls.addClassCleanup(cls.prometheus.close)
        load = Load(cls.daemon)
        cls.addClassCleanup(load.stop)

    def has_data(self, expression):
        harness.wait_for(
            lambda: any(math.isfinite(value) for value in self.prometheus.values(expression)),
            60, f"data of {expression}")

    def test_every_query_of_the_dashboard_answers_data(self):
        queries = deployed.dashboard_queries()
        self.assertGreater(len(queries), 20)
        for title, expression in queries:
            for name, value in VARIABLES.items():
                expression = expression.replace(name, value)
            self.assertNotIn("$", expression)
            with self.subTest(title):
                self.has_data(expression)

    def test_the_dashboards_pool_variable_names_the_pools(self):
        query = deployed.dashboard()["templating"]["list"][1]["query"]["query"]
        metric, label = re.fullmatch(r"label_values\((\w+), (\w+)\)", query).groups()
        self.has_data(metric)
        names = self.prometheus.get(f"label/{label}/values", **{"match[]": metric})
        self.assertEqual(names, ["default", "other"])

    def test_every_alert_is_evaluated_over_metrics_that_exist(self):
        for rule in deployed.alert_rules():
            with self.subTest(rule["alert"]):
                self.prometheus.values(rule["expr"])
                for metric in re.findall(r"\b(?:workpool|process)_\w+|\bup\b", rule["expr"]):
                    self.has_data(metric)

        def healthy():
            rules = [rule for group in self.prometheus.get("rules")["groups"]
                     for rule in group["rules"]]
            return len(rules) == len(deployed.alert_rules()) and all(
                rule["health"] == "ok" for rule in rules)
        harness.wait_for(healthy, 60, "every rule evaluated")

    def test_rejections_raise_their_alert(self):
        def firing():
            return {alert["labels"]["pool"] for alert in self.prometheus.get("alerts")["alerts"]
                    if alert["labels"]["alertname"] == "WorkpoolRejecting"
                    and alert["state"] == "firing"} == {"default", "other"}
        harness.wait_for(firing, 60, "WorkpoolRejecting of both pools")

    def test_posts_add_up_in_what_prometheus_stored(self):
        self.has_data("workpool_posted_total")
        difference = """sum by (pool) (workpool_posted_total)
            - sum by (pool) (workpool_accepted_total)
            - sum by (pool) (workpool_rejected_total)
            - sum by (pool) (workpool_waiting_posts)"""
        self.assertEqual(self.prometheus.values(difference), [0, 0])


if __name__ == "__main__":
    unittest.main()
