"""The Grafana dashboard of Docs/Examples, and the metrics that it shows. Source: issue 27, deliverable 6."""

import json
import re

import requests

import ringfence

DASHBOARD = json.loads((ringfence.ROOT / "Docs/Examples/grafana/ringfence.json").read_text())
# The values that each label may have in a query.
SELECTOR = re.compile(r"(ringfence_\w+)(?:\{([^}]*)\})?")


def queries():
    return [target["expr"] for panel in DASHBOARD["panels"] for target in panel.get("targets", [])]


def metrics(server):
    """The metrics by name, with the names of the labels of their samples."""
    text = requests.get(f"{server.http}/metrics", timeout=10).text
    found = {name: set() for name in re.findall(r"^# TYPE (\w+)", text, re.M)}
    for name, labels in re.findall(r"^(\w+)\{(.*)\} ", text, re.M):
        found[name] |= set(re.findall(r'(\w+)="', labels))
    return found


def test_every_metric_of_the_dashboard_exists_with_its_labels(tmp_path):
    flags = ("--data", tmp_path / "data", "--backup", tmp_path / "backups")
    with ringfence.Server(*flags) as server:
        # A webhook whose receiver is not there, so that every metric has a sample.
        token = server.sandbox_described("default")["credentials"]["prelude"]["apiToken"]
        requests.post(f"{server.http}/v2/verification", headers={"Authorization": f"Bearer {token}"}, timeout=10, json={
            "target": {"type": "phone_number", "value": "+33639980050"},
            "options": {"callback_url": "http://127.0.0.1:9/"}}).raise_for_status()
        while not metrics(server)["ringfence_webhook_attempts_total"]:
            assert server.is_alive()
        existing = metrics(server)

    used = [match for query in queries() for match in SELECTOR.findall(query)]
    assert len(used) > 8
    for name, selector in used:
        assert name in existing, f"{name} is not in /metrics"
        unknown = set(re.findall(r"(\w+)\s*[=!]~?", selector)) - existing[name] - {"instance", "job"}
        assert not unknown, f"{name} has no label {unknown}"
    for query in queries():
        grouped = {label.strip() for labels in re.findall(r"by \(([^)]*)\)", query) for label in labels.split(",")}
        known = set().union(*(existing[name] for name, _ in SELECTOR.findall(query))) | {"instance", "job"}
        assert grouped <= known, query


def test_every_metric_is_on_the_dashboard():
    with ringfence.Server() as server:
        existing = set(metrics(server))
    assert existing == {name for query in queries() for name, _ in SELECTOR.findall(query)}


def test_panels_have_places_of_their_own_and_a_title():
    cells = [(x, y) for panel in DASHBOARD["panels"] for place in [panel["gridPos"]]
             for x in range(place["x"], place["x"] + place["w"]) for y in range(place["y"], place["y"] + place["h"])]
    assert len(cells) == len(set(cells)) and max(x for x, _ in cells) < 24
    assert all(panel["title"] for panel in DASHBOARD["panels"])
    assert len({panel["id"] for panel in DASHBOARD["panels"]}) == len(DASHBOARD["panels"])


def test_requests_are_counted_by_sandbox_and_removed_ones_give_their_place():
    def requests_by_sandbox():
        text = requests.get(f"{server.http}/metrics", timeout=10).text
        found = {}
        for name, count in re.findall(r'^ringfence_sandbox_requests_total\{sandbox="([^"]*)".*\} (\d+)', text, re.M):
            found[name] = found.get(name, 0) + int(count)
        return found

    with ringfence.Server() as server:
        for number in range(120):
            sandbox = server.sandbox(name=f"s{number}")
            sandbox.control("GET", "clock")
        full = requests_by_sandbox()
        for number in range(60):
            requests.delete(f"{server.http}/control/sandboxes/s{number}", timeout=10).raise_for_status()
        folded = requests_by_sandbox()
        server.sandbox(name="late").control("GET", "clock")
        later = requests_by_sandbox()

    # The default sandbox, in which others are created, has one of the hundred places.
    assert len(full) == 101 and full["(others)"] == 21 and full["s98"] == 1 and "s99" not in full
    assert folded["(others)"] == 81 and "s59" not in folded and folded["s60"] == 1
    assert later["late"] == 1
