import type { Sandbox, SandboxOptions } from "./index";

/** A test with its own sandbox: `test("…", sandboxed(async (sandbox) => { … }))` */
export function sandboxed(
  body: (sandbox: Sandbox, ...values: any[]) => unknown, options?: SandboxOptions,
): (...values: any[]) => Promise<void>;
