// Verifies a number at Prelude with Node's `fetch`.
const { API_TOKEN, RINGFENCE_URL } = process.env;
const target = { type: "phone_number", value: "+33639980050" };

async function post(path, body) {
  const answer = await fetch(`https://api.prelude.dev/v2${path}`, {
    method: "POST",
    headers: { Authorization: `Bearer ${API_TOKEN}`, "Content-Type": "application/json" },
    body: JSON.stringify(body),
  });
  return answer.json();
}

await post("/verification", { target });
const inbox = await fetch(`${RINGFENCE_URL}/control/inbox/${target.value}/latest/code`);
const { status } = await post("/verification/check", { target, code: await inbox.text() });

console.log(status);
