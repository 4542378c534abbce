/** Starts one server for all workers: `globalSetup` of Jest, Vitest and Playwright. Returns what stops it. */
declare function setup(): Promise<() => Promise<void>>;

declare namespace setup {
  /** For `node --test --test-global-setup`. */
  function globalSetup(): Promise<void>;
  function globalTeardown(): Promise<void>;
}

export = setup;
