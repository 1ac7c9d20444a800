"""The monitoring files fit each other and the docs; promtool finds nothing to say about them."""

import re
import subprocess
import unittest

import deployed
import harness


def promtool(*args, text=None):
    return subprocess.run(["promtool", *args], cwd=deployed.PROMETHEUS, input=text, text=True,
                          capture_output=True, timeout=60)


class PromtoolTest(harness.TestCase):
    def accepts(self, *args):
        done = promtool(*args)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)

    def test_config_and_rules_are_valid(self):
        self.accepts("check", "config", "prometheus.yml")
        self.accepts("check", "rules", "--lint-fatal", "alerts.yml")

    def test_alerts_fire_when_they_should_and_only_then(self):
        self.accepts("test", "rules", "alerts_test.yml")

    def test_each_alert_has_a_test(self):
        tests = deployed.read_yaml(deployed.PROMETHEUS / "alerts_test.yml")["tests"]
        fired = {case["alertname"] for test in tests for case in test["alert_rule_test"]
                 if case["exp_alerts"]}
        self.assertEqual(fired, {rule["alert"] for rule in deployed.alert_rules()})

    def test_scrape_has_no_lint(self):
        daemon = self.start()
        _, scrape = daemon.http("/metrics")
        done = promtool("check", "metrics", text=scrape)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))


class DocsTest(harness.TestCase):
    def test_each_alert_is_explained(self):
        text = (deployed.DOCS / "monitoring.md").read_text(encoding="utf-8")
        anchors = {re.sub(r"[^a-z0-9-]", "", line.lstrip("# ").lower().replace(" ", "-"))
                   for line in text.splitlines() if line.startswith("#")}
        for rule in deployed.alert_rules():
            page, anchor = rule["annotations"]["runbook"].split("#")
            self.assertEqual(page, "docs/monitoring.md")
            self.assertIn(anchor, anchors)
            self.assertTrue(rule["annotations"]["summary"] and rule["annotations"]["description"])

    def test_each_metric_is_explained_and_each_explained_one_exists(self):
        _, scrape = self.start().http("/metrics")
        shown = set(re.findall(r"^# TYPE (\S+)", scrape, re.MULTILINE))
        text = (deployed.DOCS / "metrics.md").read_text(encoding="utf-8")
        explained = set(re.findall(r"^\| `((?:workpool|process)_\w+)`", text, re.MULTILINE))
        self.assertEqual(shown, explained)


class ComposeTest(unittest.TestCase):
    def setUp(self):
        self.compose = deployed.read_yaml(deployed.ROOT / "compose.yaml")
        self.services = self.compose["services"]

    def mounts(self, service):
        """{where in the container: what is mounted there}"""
        return {volume.split(":")[1]: volume.split(":")[0]
                for volume in self.services[service]["volumes"]}

    def test_what_is_mounted_exists(self):
        for service in ("prometheus", "grafana"):
            for source in self.mounts(service).values():
                if source.startswith("."):
                    self.assertTrue((deployed.ROOT / source).exists(), source)
                else:
                    self.assertIn(source, self.compose["volumes"])

    def test_every_port_is_on_loopback_and_every_service_is_checked(self):
        for name, service in self.services.items():
            self.assertIn("healthcheck", service, name)
            for port in service["ports"]:
                self.assertTrue(port.startswith("127.0.0.1:"), port)

    def test_parts_find_each_other(self):
        config = deployed.read_yaml(deployed.PROMETHEUS / "prometheus.yml")
        job = next(j for j in config["scrape_configs"] if j["job_name"] == "workpool")
        self.assertEqual(job["static_configs"][0]["targets"], ["workpool:7651"])
        folder = deployed.GRAFANA / "provisioning"
        source = deployed.read_yaml(folder / "datasources" / "prometheus.yml")["datasources"][0]
        self.assertEqual(source["url"], "http://prometheus:9090")
        provider = deployed.read_yaml(folder / "dashboards" / "workpool.yml")["providers"][0]
        mounts = self.mounts("grafana")
        self.assertEqual(mounts[provider["options"]["path"]], "./deploy/grafana/dashboards")
        self.assertEqual(mounts["/etc/grafana/provisioning"], "./deploy/grafana/provisioning")


class DashboardTest(unittest.TestCase):
    def test_panels_have_titles_and_ids_of_their_own_and_do_not_overlap(self):
        panels = deployed.dashboard()["panels"]
        self.assertEqual(len({panel["id"] for panel in panels}), len(panels))
        taken = {}
        for panel in panels:
            self.assertTrue(panel["title"])
            place = panel["gridPos"]
            self.assertLessEqual(place["x"] + place["w"], 24)
            for x in range(place["x"], place["x"] + place["w"]):
                for y in range(place["y"], place["y"] + place["h"]):
                    self.assertNotIn((x, y), taken, panel["title"])
                    taken[x, y] = panel["title"]

    def test_every_source_is_the_variable(self):
        text = (deployed.GRAFANA / "dashboards" / "workpool.json").read_text(encoding="utf-8")
        self.assertEqual(set(re.findall(r'"uid": "([^"]*)"', text)), {"${datasource}", "workpool"})
        names = [variable["name"] for variable in deployed.dashboard()["templating"]["list"]]
        self.assertEqual(names, ["datasource", "pool"])


if __name__ == "__main__":
    unittest.main()
