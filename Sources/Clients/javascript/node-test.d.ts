import type { TestContext } from "node:test";
import type { Sandbox, SandboxOptions } from "./index";

/** A test with its own sandbox: `test("…", sandboxed(async (sandbox, t) => { … }))` */
export function sandboxed(
  body: (sandbox: Sandbox, t: TestContext) => unknown, options?: SandboxOptions,
): (t: TestContext) => Promise<void>;
