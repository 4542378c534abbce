import { test as base } from "vitest";
import client from "./lib/ringfence.js";
import shared from "./lib/sandboxed.js";

const print = (text) => console.error(text);

/** `test("…", async ({ sandbox }) => { … })`: each test has its own sandbox. */
export const test = base.extend({
  /** What the sandbox is created with: `test.extend({ sandboxOptions: { clock: "…" } })`. */
  sandboxOptions: {},
  sandbox: async ({ sandboxOptions, task }, use) => {
    const sandbox = await (await client.Ringfence.shared()).sandbox(sandboxOptions);
    const trial = new shared.Trial(sandbox, task.name, print);
    await trial.begin();
    await use(sandbox);
    await trial.end(task.result?.errors?.length ? "failed" : "passed");
  },
});

/** For tests without fixtures: `test("…", sandboxed(async (sandbox) => { … }))` */
export const sandboxed = shared.sandboxedBy({ name: ([context]) => context.task.name, print });
