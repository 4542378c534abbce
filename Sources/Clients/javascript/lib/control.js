"use strict";

const http = require("node:http");
const https = require("node:https");
const { RingfenceError } = require("./errors.js");

// The longest wait that the server takes in one request, in seconds.
const LONGEST_WAIT = 30;

/** Requests to the control API of a server or of a sandbox. */
class Control {
  /** @param {() => Promise<string>} describe says why the server may not answer */
  constructor(url, token, describe) {
    this.url = url;
    this.token = token;
    this.describe = describe;
  }

  get(path, query) {
    return this.request("GET", path, { query });
  }

  post(path, body, query) {
    return this.request("POST", path, { body, query });
  }

  put(path, body) {
    return this.request("PUT", path, { body });
  }

  delete(path) {
    return this.request("DELETE", path);
  }

  /** The JSON or the text of the answer. Null with a status in `missing`. */
  async request(method, path, { body, query = {}, missing = [] } = {}) {
    const present = Object.entries(query).filter(([, value]) => value !== undefined && value !== null);
    const search = new URLSearchParams(present.map(([name, value]) => [name, String(value)])).toString();
    const url = `${this.url}${path}${search && `?${search}`}`;
    const answer = await this.#send(method, url, body).catch(async (error) => {
      const why = `no answer from the server at ${this.url} (${error.message || error.code})`;
      throw new RingfenceError(`${why}: ${await this.describe()}`);
    });
    const isJSON = (answer.headers["content-type"] ?? "").startsWith("application/json");
    const content = isJSON ? JSON.parse(answer.body) : answer.body;
    if (missing.includes(answer.status)) return null;
    if (answer.status >= 200 && answer.status < 300) return content;
    const why = (isJSON && content.error) || String(answer.body).trim() || `status ${answer.status}`;
    throw new RingfenceError(why, { status: answer.status, field: isJSON ? content.field : undefined });
  }

  /** All entries of a list, page by page. */
  async entries(path, member, query = {}) {
    const found = [];
    for (let after; ; ) {
      const page = await this.get(path, { limit: 1000, ...query, after: after ?? query.after });
      found.push(...page[member]);
      if (!page.hasMore || query.limit) return found;
      after = page.cursor;
    }
  }

  /** Calls `ask` with the seconds to wait on the server, until it has a result or the time is over. */
  static async within(seconds, ask) {
    if (!(seconds >= 0)) throw new RingfenceError(`within: expected seconds, such as 5; found ${seconds}`);
    for (let left = Math.ceil(seconds); ; left -= LONGEST_WAIT) {
      const found = await ask(Math.min(left, LONGEST_WAIT));
      if (found !== null || left <= LONGEST_WAIT) return found;
    }
  }

  #send(method, url, body) {
    const content = body === undefined ? undefined : JSON.stringify(body);
    const headers = {};
    if (content !== undefined) headers["Content-Type"] = "application/json";
    if (content !== undefined) headers["Content-Length"] = Buffer.byteLength(content);
    if (this.token) headers.Authorization = `Bearer ${this.token}`;
    return new Promise((resolve, reject) => {
      // Not fetch: tests replace it, and jsdom has none.
      const { request: open } = url.startsWith("https:") ? https : http;
      const request = open(url, { method, headers, agent: false });
      request.once("error", reject);
      request.once("response", (response) => {
        const pieces = [];
        response.on("data", (piece) => pieces.push(piece));
        response.once("error", reject);
        response.once("end", () => {
          const text = Buffer.concat(pieces).toString("utf8");
          resolve({ status: response.statusCode, headers: response.headers, body: text });
        });
      });
      request.end(content);
    });
  }
}

module.exports = { Control };
