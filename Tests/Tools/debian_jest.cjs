// Debian's Jest asks its Node where Debian's modules are. Another Node learns it here:
// node --require debian_jest.cjs /usr/share/nodejs/jest/bin/jest.js
"use strict";

const { variables } = process.config;
if (!variables.node_relative_path) {
  const debian = { node_prefix: "/usr", node_relative_path: "share/nodejs:lib/nodejs" };
  Object.defineProperty(process, "config", {
    value: { ...process.config, variables: { ...variables, ...debian } },
  });
}
