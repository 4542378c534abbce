"use strict";

const { Ringfence } = require("./lib/ringfence.js");
const { Sandbox } = require("./lib/sandbox.js");
const { Phone } = require("./lib/phone.js");
const { Journal } = require("./lib/journal.js");
const { Webhooks } = require("./lib/webhooks.js");
const { sandboxed } = require("./lib/sandboxed.js");
const { RingfenceError } = require("./lib/errors.js");

module.exports = { Ringfence, Sandbox, Phone, Journal, Webhooks, sandboxed, RingfenceError };
