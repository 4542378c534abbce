"""Folders of seeds: which are loaded, which are named, and what is reported."""

import pytest
import requests

import ringfence


@pytest.fixture
def stories(tmp_path):
    (tmp_path / "own.json").write_text('{"subscribers":[{"number":"+12025550123","code":"424242"}]}')
    (tmp_path / "typo.jsn").write_text("{}")
    (tmp_path / "README.md").write_text("Our seeds")
    for name in ("checkout", "empty"):
        (tmp_path / name).mkdir()
    (tmp_path / "checkout" / "numbers.json").write_text('{"subscribers":[{"number":"+12025550124","code":"434343"}]}')
    (tmp_path / "checkout" / "more").mkdir()
    return tmp_path


def test_seeds_that_are_not_loaded_are_reported(stories, tmp_path_factory):
    log = tmp_path_factory.mktemp("log") / "log"
    with ringfence.Server("--seeds", stories, log=log) as server:
        made = requests.post(f"{server.http}/control/sandboxes", json={"name": "a", "seeds": ["default", "checkout"]}, timeout=10).json()
        found = requests.get(made["urls"]["prefixed"] + "/control/subscribers/+12025550124", timeout=10).json()
    said = log.read_text()

    assert found["code"] == "434343"
    assert ('--seeds: the seed checkout is not loaded. Use --seed checkout, or POST /control/sandboxes '
            '{"seeds":["default","checkout"]}') in said
    assert f"--seeds: {stories}/typo.jsn is not read; seeds end in .json" in said
    assert f"--seeds: {stories}/checkout/more is not read" in said
    assert f"--seeds: {stories}/empty has no seed" in said
    assert "README" not in said and "own.json" not in said


def test_a_named_seed_is_loaded_after_the_default_one(stories, tmp_path_factory):
    log = tmp_path_factory.mktemp("log") / "log"
    with ringfence.Server("--seeds", stories, "--seed", "checkout", log=log) as server:
        codes = [requests.get(f"{server.http}/control/subscribers/+1202555012{end}", timeout=10).json()["code"] for end in "34"]

    assert codes == ["424242", "434343"]
    assert "is not loaded" not in log.read_text()


@pytest.mark.parametrize("flags, named", [
    (["--seeds", "/nope"], "--seeds: /nope: No such file or directory"),
    (["--seed", "checkout"], "--seed: expected the name of a subfolder of --seeds, but it has none; found checkout"),
])
def test_seed_options_are_named_in_errors(flags, named):
    assert named in ringfence.command("serve", *flags, expect=64)


def test_an_unknown_named_seed_is_refused(stories):
    said = ringfence.command("serve", "--seeds", stories, "--seed", "chekout", expect=64)

    assert "--seed: expected one of checkout, empty; found chekout" in said
