// Verifies a number at Telesign with Node's `https` module.
import http from "node:http";
import https from "node:https";

const { TELESIGN_CUSTOMER_ID, TELESIGN_API_KEY, RINGFENCE_URL } = process.env;
const number = "+12025550100";

function ask(module, url, options = {}, body) {
  return new Promise((resolve, reject) => {
    const request = module.request(url, options, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (piece) => { text += piece; }).on("end", () => resolve(text));
    });
    request.on("error", reject).end(body);
  });
}

const auth = `${TELESIGN_CUSTOMER_ID}:${TELESIGN_API_KEY}`;
const headers = { "Content-Type": "application/x-www-form-urlencoded" };
const form = new URLSearchParams({ phone_number: number }).toString();
const verify = "https://rest-ww.telesign.com/v1/verify";

const sent = JSON.parse(await ask(https, `${verify}/sms`, { method: "POST", auth, headers }, form));
const code = await ask(http, `${RINGFENCE_URL}/control/inbox/${number}/latest/code`);
const checked = await ask(https, `${verify}/${sent.reference_id}?verify_code=${code}`, { auth });

console.log(JSON.parse(checked).verify.code_state);
