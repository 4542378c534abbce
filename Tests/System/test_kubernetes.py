"""The manifests of Docs/Examples/kubernetes, without a cluster. Source: issue 27, deliverable 6."""

import os
import pathlib
import shlex
import shutil
import subprocess

import kubernetes_validate
import pytest
import requests
import yaml

import ringfence
from hosting import PATH, free_port, needs, wait_for

EXAMPLE = ringfence.ROOT / "Docs/Examples/kubernetes"
SHARDS = ringfence.ROOT / "Docs/Examples/shards"
OBJECTS = [each for path in sorted(EXAMPLE.glob("*.yaml")) for each in yaml.safe_load_all(path.read_text())]


def named(kind, name):
    (found,) = [each for each in OBJECTS if (each["kind"], each["metadata"]["name"]) == (kind, name)]
    return found


STATEFUL, ROUTING = named("StatefulSet", "ringfence"), named("Deployment", "ringfence-routing")
SERVER = STATEFUL["spec"]["template"]["spec"]["containers"][0]
PROXY = ROUTING["spec"]["template"]["spec"]["containers"][0]


def fits(selector, labels):
    return all(labels.get(name) == value for name, value in selector.items())


# PodLifecycle, podManagementPolicy and ReadWriteOncePod are in all of them.
@pytest.mark.parametrize("version", ["1.29", "1.33"])
@pytest.mark.parametrize("manifest", OBJECTS, ids=lambda each: f"{each['kind']}-{each['metadata']['name']}")
def test_each_object_is_valid_and_has_no_unknown_field(manifest, version):
    kubernetes_validate.validate(manifest, version, strict=True)


def test_the_validation_finds_a_misspelt_field():
    wrong = yaml.safe_load(yaml.safe_dump(STATEFUL))
    wrong["spec"]["template"]["spec"]["containers"][0]["readinesProbe"] = {}
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(wrong, "1.33", strict=True)


def test_services_budgets_and_policies_select_pods_that_exist():
    pods = [each["spec"]["template"]["metadata"]["labels"] for each in (STATEFUL, ROUTING)]
    for number in range(STATEFUL["spec"]["replicas"]):
        pods.append({"statefulset.kubernetes.io/pod-name": f"ringfence-{number}"})
    for each in OBJECTS:
        spec = each["spec"]
        selector = {"Service": spec.get("selector"), "PodDisruptionBudget": spec.get("selector", {}).get("matchLabels"),
                    "NetworkPolicy": spec.get("podSelector", {}).get("matchLabels")}.get(each["kind"])
        assert selector is None or sum(fits(selector, labels) for labels in pods) == 1, each["metadata"]["name"]
    for workload in (STATEFUL, ROUTING):
        labels = workload["spec"]["template"]["metadata"]["labels"]
        assert fits(workload["spec"]["selector"]["matchLabels"], labels)


def test_ports_have_the_names_that_services_and_probes_use():
    for container in (SERVER, PROXY):
        names = {port["name"] for port in container["ports"]}
        probes = [probe for name, probe in container.items() if name.endswith("Probe")]
        assert probes and {(probe.get("httpGet") or probe["tcpSocket"])["port"] for probe in probes} <= names
    assert {each["port"] for each in named("Service", "ringfence")["spec"]["ports"]} == {5550}


def test_the_proxy_finds_each_shard_at_the_service_of_its_pod():
    addresses = {each["name"]: each["value"] for each in PROXY["env"]}
    script = SERVER["command"][2]
    (names,) = [shlex.split(line)[2:] for line in script.splitlines() if line.startswith("set --")]
    assert len(names) == STATEFUL["spec"]["replicas"]
    for number, name in enumerate(names):
        service = named("Service", f"ringfence-{name}")
        assert addresses[f"SHARD_{name.upper()}"] == f"ringfence-{name}:{service['spec']['ports'][0]['port']}"
        assert service["spec"]["selector"] == {"statefulset.kubernetes.io/pod-name": f"ringfence-{number}"}
    assert set((SHARDS / "shards.map").read_text().split()) >= set(names)


@needs("haproxy")
def test_haproxy_accepts_its_configuration_with_these_variables(tmp_path):
    shutil.copytree(SHARDS, tmp_path, dirs_exist_ok=True)
    variables = {each["name"]: each["value"] for each in PROXY["env"]}
    # The names of services are known in a cluster only.
    variables |= {name: f"127.0.0.1:{number}" for number, name in enumerate(sorted(variables), 5561) if name.startswith("SHARD_")
                  and name != "SHARD_PATIENCE"}
    haproxy = shutil.which("haproxy", path=PATH)
    done = subprocess.run([haproxy, "-c", *PROXY["args"][1:]], cwd=tmp_path, env=variables, text=True, capture_output=True,
                          check=False, timeout=60)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("number, shard", [(0, "ab"), (1, "cd"), (2, "ef")])
def test_each_pod_starts_its_shard(tmp_path, number, shard):
    """Runs the commands of the pod, with other folders and a free port."""
    volume, port = tmp_path / "volume", free_port()
    (prepare,) = STATEFUL["spec"]["template"]["spec"]["initContainers"]
    words = [word.replace("/volume", str(volume)) for word in prepare["command"]]
    own = {"10001": str(os.getuid())}
    subprocess.run([own.get(word, word) for word in words], check=True)
    programs = tmp_path / "bin"
    programs.mkdir()
    (programs / "ringfence").symlink_to(ringfence.binary())
    variables = {each["name"]: each.get("value", "k" * 64) for each in SERVER["env"]}
    variables |= {"HOSTNAME": f"ringfence-{number}", "PATH": f"{programs}:{os.environ['PATH']}", "RINGFENCE_SUPERVISE": "true"}
    command = [word.replace("/volume", str(volume)).replace("0.0.0.0:5550", f"127.0.0.1:{port}") for word in SERVER["command"]]
    process = subprocess.Popen(command, env=variables, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    try:
        admin = {"Authorization": f"Bearer {variables['RINGFENCE_ADMIN_TOKEN']}"}
        wait_for(f"http://127.0.0.1:{port}{SERVER['readinessProbe']['httpGet']['path']}")
        made = requests.post(f"http://127.0.0.1:{port}/control/sandboxes", json={"name": f"{shard}.team"}, headers=admin, timeout=10)
        assert made.status_code == 201 and made.json()["name"] == f"{shard}.team"
        assert requests.get(f"http://127.0.0.1:{port}/livez", timeout=10).ok
    finally:
        process.terminate()
        assert process.wait(20) == 0
    assert (volume / "data/ringfence.sqlite").exists()
    assert pathlib.Path(volume / "data/sandbox-token-key").read_text() == "k" * 64
