import type {
  PlaywrightTestArgs, PlaywrightTestOptions, PlaywrightWorkerArgs, PlaywrightWorkerOptions, TestType,
} from "@playwright/test";
import type { Sandbox, SandboxOptions } from "./index";

export { expect } from "@playwright/test";

/** What the sandbox is created with. */
export interface RingfenceOptions {
  /** `{ existing: "default" }` is the sandbox of the app, reset for each test. */
  sandboxOptions: SandboxOptions & { existing?: string };
}

/** `test("…", async ({ page, sandbox }) => { … })`: each test has its own sandbox. */
export const test: TestType<
  PlaywrightTestArgs & PlaywrightTestOptions & RingfenceOptions & { sandbox: Sandbox },
  PlaywrightWorkerArgs & PlaywrightWorkerOptions
>;
