"""The package for JavaScript: its own suite with node:test, Jest, its types, and what is generated for it."""

import concurrent.futures
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import requests

import ringfence
import snippets

sys.path.insert(0, str(ringfence.ROOT / "Distribution"))
import dist  # noqa: E402

PACKAGE = ringfence.ROOT / "Sources/Clients/javascript"
RECIPES = list(snippets.programs(ringfence.ROOT / "Docs/Recipes/javascript.md"))
JEST = pathlib.Path("/usr/share/nodejs/jest/bin/jest.js")
MOCHA = pathlib.Path("/usr/share/nodejs/mocha/bin/mocha.js")
JEST_LOADER = ringfence.ROOT / "Tests/Tools/debian_jest.cjs"

pytestmark = [
    pytest.mark.timeout(300),
    pytest.mark.skipif(not shutil.which("node"), reason="no node here: `make languages` installs it")]

TYPED = """
import { Ringfence, Sandbox, api } from "ringfence";
import setup = require("ringfence/setup");
import { sandboxed } from "ringfence/jest";

export const test = sandboxed(async (sandbox: Sandbox) => {
  const code: string = await sandbox.code("+12025550100", { provider: "twilio", within: 1 });
  const message: api.Message = await sandbox.message("+12025550100");
  for await (const exchange of sandbox.journal) message.text + exchange.why + code;
  await sandbox.fail("text-lost", { to: "+12025550100", times: 1 });
  await sandbox.phone("+12025550100").event("simSwap", { at: "-2h" });
  const stop = await setup();
  await stop();
  // @ts-expect-error
  await sandbox.fail("text-lots");
  // @ts-expect-error
  await sandbox.code("+12025550100", { provder: "twilio" });
  // @ts-expect-error
  await sandbox.phone("+12025550100").event("simSwop");
  // @ts-expect-error
  await Ringfence.start({ frsh: true });
}, { clock: new Date() });
"""

# Entries for runners that are not installed, with types that have what the entries use. Those of Node 18.0
# have no `TestContext`.
TYPED_RUNNERS = {
    "node.d.ts": """
        declare module "node:test" {
          interface Context { readonly name: string }
          export function test(name: string, body: (t: Context, done: (result?: any) => void) => any): void;
        }
        """,
    "node_modules/vitest/package.json": '{ "name": "vitest", "type": "module", "exports": "./index.js" }',
    "node_modules/vitest/index.d.ts": """
        export interface TestContext { task: { name: string } }
        export interface TestAPI<T> { (name: string, body: (context: TestContext & T) => unknown): void }
        """,
    "node_modules/@playwright/test/package.json": '{ "name": "@playwright/test" }',
    "node_modules/@playwright/test/index.d.ts": """
        export interface PlaywrightTestArgs { page: { goto(url: string): Promise<void> } }
        export interface PlaywrightTestOptions {}
        export interface PlaywrightWorkerArgs {}
        export interface PlaywrightWorkerOptions {}
        export interface TestType<T, W> { (name: string, body: (given: T & W) => unknown): void }
        export declare const expect: (value: unknown) => void;
        """,
    "runners.mts": """
        import { test as nodeTest } from "node:test";
        import { sandboxed as anywhere } from "ringfence";
        import { sandboxed as inMocha } from "ringfence/mocha";
        import { sandboxed as inNode } from "ringfence/node-test";
        import { sandboxed, test } from "ringfence/vitest";
        import { expect, test as spec } from "ringfence/playwright";

        test("", async ({ sandbox }) => void (await sandbox.code("+12025550100")));
        spec("", async ({ page, sandbox }) => { await page.goto(sandbox.url); expect(sandbox.name); });
        sandboxed(async (sandbox, { task }) => sandbox.mark(task.name));
        nodeTest("", inNode(async (sandbox, t) => sandbox.mark(t.name)));
        nodeTest("", inNode(async (sandbox) => sandbox.code("+12025550100"), { seed: 2 }));
        // @ts-expect-error
        nodeTest("", inNode(async (sandbox, t) => t.nme));
        declare function it(name: string, body: (this: { timeout(ms: number): void }) => PromiseLike<any>): void;
        it("", inMocha(async function (sandbox) { this.timeout(1); await sandbox.now(); }));
        const body: () => Promise<void> = anywhere((sandbox) => sandbox.now());
        // @ts-expect-error
        test("", async ({ sandbx }) => sandbx);
        """,
}

JEST_TESTS = {
    "jest.config.js": 'module.exports = { globalSetup: "ringfence/setup" };',
    "code.test.js": """
        const { sandboxed } = require("ringfence/jest");
        const { sendCode } = require("./providers.js");

        test.each([1, 2, 3])("code %i", async (...values) => sandboxed(async (sandbox) => {
          jest.useFakeTimers();
          expect(process.env.RINGFENCE_URL).toMatch(/^http:/);
          await sendCode(sandbox, "+12025550100");
          expect(await sandbox.code("+12025550100")).toMatch(/^[0-9]{6}$/);
          jest.useRealTimers();
        })(...values));
        """,
    "server.test.js": """
        const { Ringfence } = require("ringfence");
        test("no worker starts its own server", async () => {
          expect((await Ringfence.shared()).pid).toBe(undefined);
        });
        """,
    "failing.test.js": """
        const { sandboxed } = require("ringfence/jest");
        test("no code", sandboxed((sandbox) => sandbox.code("+12025550100", { within: 0 })));
        test("another error", sandboxed(() => { throw new Error("the app has failed"); }));
        """,
}


MOCHA_TESTS = {
    "code.spec.js": """
        const assert = require("node:assert");
        const { Ringfence } = require("ringfence");
        const { sandboxed } = require("ringfence/mocha");
        const { sendCode } = require("./providers.js");

        describe("app", () => {
          it("signs in", sandboxed(async function (sandbox) {
            this.timeout(5000);
            await sendCode(sandbox, "+12025550100");
            assert.match(await sandbox.code("+12025550100"), /^[0-9]{6}$/);
            assert.equal((await Ringfence.shared()).pid, undefined);
          }));
        });
        """,
    "failing.spec.js": """
        const { sandboxed } = require("ringfence/mocha");
        describe("app", () => it("fails", sandboxed(() => { throw new Error("the app has failed"); })));
        """,
}


def run(*command, cwd=PACKAGE, expect=0, **environment):
    inherited = {name: value for name, value in os.environ.items() if name != "RINGFENCE_HTTPS"}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, capture_output=True, text=True, timeout=280, check=False,
        env={**inherited, "RINGFENCE_BINARY": str(ringfence.binary()), **environment})
    assert done.returncode == expect, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture
def project(tmp_path):
    """A folder in which the package is installed."""
    shutil.copytree(PACKAGE, tmp_path / "node_modules/ringfence", ignore=shutil.ignore_patterns("tests"))
    shutil.copy(PACKAGE / "tests/providers.js", tmp_path)
    return tmp_path


def run_jest(project, *words, **options):
    loader = {"NODE_OPTIONS": f"--require {JEST_LOADER}", "NODE_PATH": "/usr/share/nodejs"}
    return run("node", JEST, "--ci", *words, cwd=project, **options, **loader)


def passed(output):
    assert re.search(r"^# fail 0$", output, re.M), output
    return int(re.search(r"^# pass (\d+)$", output, re.M)[1])


def test_its_own_suite():
    assert passed(run("node", "--test", "--test-reporter=tap")) >= 60


def test_four_processes_share_a_server():
    with ringfence.Server() as server, concurrent.futures.ThreadPoolExecutor() as pool:
        files = ["sandbox", "failures", "webhooks", "sandbox"]
        outputs = pool.map(
            lambda name: run("node", "--test-reporter=tap", f"tests/{name}.test.js", RINGFENCE_URL=server.http), files)
        assert sum(map(passed, outputs)) >= 60
        left = requests.get(f"{server.http}/control/sandboxes", timeout=10).json()["sandboxes"]
        assert [each["name"] for each in left] == ["default"]


@pytest.mark.skipif(not JEST.exists(), reason="no Jest here: `make languages` installs it")
def test_jest(project):
    for name, text in JEST_TESTS.items():
        (project / name).write_text(text)

    output = run_jest(project, "--workers=3", expect=1)

    assert "Tests:       2 failed, 4 passed, 6 total" in output
    assert "no code for +12025550100 came within 0 s:" in output
    assert "the app has failed" in output and "What happened in the sandbox of another error" in output


@pytest.mark.skipif(not MOCHA.exists(), reason="no Mocha here: `make languages` installs it")
@pytest.mark.parametrize("workers", [(), ("--parallel", "--jobs=2")], ids=["alone", "workers"])
def test_46_g1_mocha(project, workers):
    for name, text in MOCHA_TESTS.items():
        (project / name).write_text(text)

    output = run(
        "node", MOCHA, "--require", "./node_modules/ringfence/mocha.js", *workers, *MOCHA_TESTS, cwd=project, expect=1,
        NODE_PATH="/usr/share/nodejs")

    assert "1 passing" in output and "1 failing" in output
    assert "the app has failed" in output and "What happened in the sandbox of app fails:" in output


@pytest.mark.skipif(not shutil.which("tsc"), reason="no tsc here: `make languages` installs it")
def test_types(project):
    for name, text in {"typed.ts": TYPED, **TYPED_RUNNERS}.items():
        (project / name).parent.mkdir(parents=True, exist_ok=True)
        (project / name).write_text(text)
    options = ("--noEmit", "--strict", "--module", "node16", "--target", "es2022")
    run("tsc", *options, "node.d.ts", "typed.ts", "runners.mts", cwd=project)


def test_its_version_is_that_of_the_program():
    assert json.loads((PACKAGE / "package.json").read_text())["version"] == dist.program_version()


def recipes(way):
    return [pytest.param(text, id=f"line-{line}") for _, ways, text, line in RECIPES if way in ways]


def write(project, text):
    """Writes a program to the file that its first line names."""
    name = text.split("\n", 1)[0].removeprefix("// ")
    (project / name).write_text(text, encoding="utf-8")
    return name


@pytest.fixture
def app(project):
    """A folder with the files of the recipes."""
    for _, ways, text, _ in RECIPES:
        if "file" in ways:
            write(project, text)
    return project


@pytest.mark.parametrize("text", recipes("nodetest"))
def test_recipes_of_node(app, text):
    assert passed(run("node", "--test", "--test-reporter=tap", write(app, text), cwd=app)) >= 1


@pytest.mark.skipif(not JEST.exists(), reason="no Jest here: `make languages` installs it")
@pytest.mark.parametrize("text", recipes("jest"))
def test_recipes_of_jest(app, text):
    assert "Tests:       1 passed, 1 total" in run_jest(app, write(app, text))


@pytest.mark.parametrize("text", recipes("client"))
def test_recipes_without_a_runner(project, text):
    (project / "program.mjs").write_text(text, encoding="utf-8")
    expected = text.splitlines()[-1].split(" // ")[1]
    assert run("node", "program.mjs", cwd=project) == f"{expected}\n"
