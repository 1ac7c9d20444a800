"""The monitoring files that deploy/ ships, as the tests read them."""

import json
import pathlib

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[3]
PROMETHEUS = ROOT / "deploy" / "prometheus"
GRAFANA = ROOT / "deploy" / "grafana"
DOCS = ROOT / "docs"


def read_yaml(path):
    return yaml.safe_load(path.read_text(encoding="utf-8"))


def alert_rules():
    groups = read_yaml(PROMETHEUS / "alerts.yml")["groups"]
    return [rule for group in groups for rule in group["rules"]]


def dashboard():
    return json.loads((GRAFANA / "dashboards" / "workpool.json").read_text(encoding="utf-8"))


def dashboard_queries():
    """(panel's title, expression) of every query."""
    return [(panel["title"], target["expr"])
            for panel in dashboard()["panels"] for target in panel.get("targets", [])]
