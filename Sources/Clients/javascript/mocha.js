"use strict";

const { sandboxed } = require("./lib/sandboxed.js");
const { globalSetup, globalTeardown } = require("./setup.js");

/** `it("…", sandboxed(async (sandbox) => { … }))`; `--require ringfence/mocha` starts one server for all. */
module.exports = { sandboxed, mochaGlobalSetup: globalSetup, mochaGlobalTeardown: globalTeardown };
