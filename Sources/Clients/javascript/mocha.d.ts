export { sandboxed } from "./index";

/** For `mocha --require ringfence/mocha`: one server for all workers. */
export function mochaGlobalSetup(): Promise<void>;
export function mochaGlobalTeardown(): Promise<void>;
