// Node's own HTTP/2 client. Arguments: the URL, the number of requests, and the file of the authority for https.
// Sends all requests at once on one connection, and prints their statuses and bodies as JSON.
import http2 from "node:http2";
import fs from "node:fs";

const [url, count, authority] = process.argv.slice(2);
const target = new URL(url);
const session = http2.connect(target.origin, authority ? { ca: fs.readFileSync(authority) } : {});
session.on("error", (error) => { console.error(error); process.exit(1); });

const answers = await Promise.all(Array.from({ length: Number(count) }, () => new Promise((resolve, reject) => {
  const request = session.request({ ":path": target.pathname + target.search });
  let status, body = "";
  request.setEncoding("utf8");
  request.on("response", (headers) => { status = headers[":status"]; });
  request.on("data", (piece) => { body += piece; });
  request.on("end", () => resolve({ status, body }));
  request.on("error", reject);
  request.end();
})));
console.log(JSON.stringify({ protocol: session.alpnProtocol, answers }));
session.close();
