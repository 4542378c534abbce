// A mock of Twilio's create as people write it in Node: its own server, no storage but a Map.
//
//     node mock.mjs PORT
import http from "node:http";
import { randomBytes, randomInt } from "node:crypto";

const authorization = "Basic " + Buffer.from("AC00:secret").toString("base64");
const pending = new Map();

function answer(response, status, body) {
  response.writeHead(status, { "Content-Type": "application/json" });
  response.end(JSON.stringify(body));
}

function create(request, service, form, response) {
  const to = form.get("To"), channel = form.get("Channel");
  if (!to || !["sms", "call", "email", "whatsapp"].includes(channel)) {
    return answer(response, 400, { code: 60200, message: "Invalid parameter", status: 400 });
  }
  const now = new Date().toISOString(), sid = "VE" + randomBytes(16).toString("hex");
  const verification = {
    sid, service_sid: service, account_sid: "AC00", to, channel, status: "pending", valid: false,
    date_created: now, date_updated: now, lookup: {}, amount: null, payee: null,
    send_code_attempts: [{ time: now, channel, attempt_sid: "VL" + randomBytes(16).toString("hex") }],
    sna: null, url: `http://${request.headers.host}${request.url}/${sid}`,
  };
  pending.set(to, { ...verification, code: String(randomInt(1_000_000)).padStart(6, "0") });
  answer(response, 201, verification);
}

const server = http.createServer((request, response) => {
  if (request.url === "/reset") {
    pending.clear();
    return response.writeHead(204).end();
  }
  const path = /^\/v2\/Services\/(\w+)\/Verifications$/.exec(request.url);
  if (!path || request.method !== "POST") return answer(response, 404, { code: 20404, status: 404 });
  if (request.headers.authorization !== authorization) return answer(response, 401, { code: 20003, status: 401 });
  let body = "";
  request.on("data", (part) => { body += part; });
  request.on("end", () => create(request, path[1], new URLSearchParams(body), response));
});
server.listen(Number(process.argv[2]), "127.0.0.1");
