"use strict";

const { Ringfence } = require("./lib/ringfence.js");

let ringfence;

/**
 * Starts one server for all workers of a runner, which find it in $RINGFENCE_URL: `globalSetup` of Jest,
 * Vitest and Playwright, and `--test-global-setup` of Node. The server ends with the runner in any case.
 */
async function setup() {
  ringfence ??= await Ringfence.start();
  process.env.RINGFENCE_URL = ringfence.url;
  process.env[Ringfence.SETUP_VARIABLE] = ringfence.url;
  return teardown;
}

async function teardown() {
  await ringfence?.stop();
  ringfence = undefined;
}

module.exports = setup;
module.exports.globalSetup = async () => void (await setup());
module.exports.globalTeardown = teardown;
