"use strict";

const fs = require("node:fs");
const os = require("node:os");
const path = require("node:path");
const { VARIABLES } = require("./variables.js");

/** The variables of a sandbox, as `ringfence env` prints them. */
class Environment {
  #sandbox;
  #folder;
  #variables;
  #restore;

  constructor(sandbox) {
    this.#sandbox = sandbox;
  }

  get variables() {
    this.#variables ??= this.#made();
    return { ...this.#variables };
  }

  #made() {
    const { url, token, credentials } = this.#sandbox;
    const variables = token ? { RINGFENCE_TOKEN: token } : {};
    for (const [name, { provider, member, isFile }] of Object.entries(VARIABLES)) {
      const value = provider === undefined ? url : credentials[provider]?.[member];
      if (value !== undefined) variables[name] = isFile ? this.#file(`${provider}-${member}`, value) : value;
    }
    return variables;
  }

  /** SDKs read some credentials from files. */
  #file(name, content) {
    this.#folder ??= fs.mkdtempSync(path.join(os.tmpdir(), "ringfence-"));
    const file = path.join(this.#folder, name);
    fs.writeFileSync(file, content, { mode: 0o600 });
    return file;
  }

  use() {
    if (this.#restore) return this.#restore;
    const earlier = Object.keys(this.variables).map((name) => [name, process.env[name]]);
    Object.assign(process.env, this.#variables);
    this.#restore = () => {
      this.#restore = undefined;
      for (const [name, value] of earlier.splice(0)) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    };
    return this.#restore;
  }

  remove() {
    this.#restore?.();
    if (this.#folder) fs.rmSync(this.#folder, { recursive: true, force: true });
  }
}

module.exports = { Environment };
