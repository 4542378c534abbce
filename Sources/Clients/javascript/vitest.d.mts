import type { TestAPI, TestContext } from "vitest";
import type { Sandbox, SandboxOptions } from "./index.js";

/** `test("…", async ({ sandbox }) => { … })`: each test has its own sandbox. */
export const test: TestAPI<{ sandbox: Sandbox; sandboxOptions: SandboxOptions }>;

/** For tests without fixtures: `test("…", sandboxed(async (sandbox) => { … }))` */
export function sandboxed(
  body: (sandbox: Sandbox, context: TestContext) => unknown, options?: SandboxOptions,
): (context: TestContext) => Promise<void>;
