#!/usr/bin/env node
"use strict";

// The program, so that `npx ringfence serve` works.

if (parseInt(process.versions.node) < 18) {
  console.error(`ringfence: expected Node 18 or newer, found ${process.versions.node}`);
  process.exit(1);
}
const { spawn } = require("node:child_process");
const { constants } = require("node:os");
const { findProgram } = require("../lib/program.js");

let child;
try {
  child = spawn(findProgram(), process.argv.slice(2), { stdio: "inherit" });
} catch (error) {
  console.error(`ringfence: ${error.message}`);
  process.exit(1);
}
// A terminal sends its signals to the program, too.
process.on("SIGINT", () => {});
for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal));
child.on("error", (error) => {
  console.error(`ringfence: ${error.message}`);
  process.exit(1);
});
child.on("exit", (status, signal) => process.exit(signal ? 128 + constants.signals[signal] : status));
