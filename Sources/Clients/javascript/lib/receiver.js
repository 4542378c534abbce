"use strict";

const http = require("node:http");

/** One local HTTP server for the webhooks of all sandboxes. It does not keep this process running. */
class Receiver {
  static async start() {
    const receiver = new Receiver();
    await new Promise((resolve, reject) => {
      receiver.#server.once("error", reject);
      receiver.#server.listen(0, "127.0.0.1", resolve);
    });
    receiver.#server.unref();
    return receiver;
  }

  #handlers = new Map();
  #server = http.createServer((request, response) => this.#receive(request, response));

  get url() {
    return `http://127.0.0.1:${this.#server.address().port}`;
  }

  /** Calls `handler` with the requests below `/NAME`; it returns the status of the answer. */
  handle(name, handler) {
    this.#handlers.set(name, handler);
  }

  forget(name) {
    this.#handlers.delete(name);
  }

  stop() {
    this.#server.close();
    this.#server.closeAllConnections?.();
  }

  #receive(request, response) {
    const pieces = [];
    request.on("data", (piece) => pieces.push(piece));
    request.once("end", () => {
      const handler = this.#handlers.get(request.url.split(/[/?]/)[1]);
      response.statusCode = handler
        ? handler({
            method: request.method, url: this.url + request.url, headers: request.headers,
            body: Buffer.concat(pieces).toString("utf8"),
          })
        : 404;
      response.end();
    });
  }
}

module.exports = { Receiver };
