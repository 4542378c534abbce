// The device side of Prove, against the sandbox's API under /handset/prove/v1.

const prefix = location.pathname.slice(0, location.pathname.lastIndexOf("/console/"));
const device = `${prefix}/handset/prove/v1`;
const find = (id) => document.getElementById(id);

// What the back end of this page remembers.
let accessToken = "";
let correlationId = "";
let phoneNumber = "";
// What the device remembers.
let authToken = "";
let authId = "";
let socket = null;

// The device's registration. An app keeps it in its storage.
const registration = {
  get: () => JSON.parse(localStorage.getItem("prove-device") ?? "null"),
  set: (value) => localStorage.setItem("prove-device", JSON.stringify(value)),
  clear: () => localStorage.removeItem("prove-device"),
};

async function send(method, path, body, token) {
  const headers = {};
  if (token) headers.Authorization = `Bearer ${token}`;
  if (body instanceof URLSearchParams) headers["Content-Type"] = "application/x-www-form-urlencoded";
  else if (body) headers["Content-Type"] = "application/json";
  const answer = await fetch(path, {
    method, headers, body: body instanceof URLSearchParams || !body ? body : JSON.stringify(body),
  });
  const content = await answer.json();
  if (!answer.ok) throw new Error(`${answer.status}: ${content.message ?? "no message"}`);
  return content;
}

function show(text) { find("message").textContent = text; }

function fail(error) {
  find("error").hidden = !error;
  find("error").textContent = error ? error.message : "";
}

// Runs an action of the person; its error is shown.
async function attempt(action) {
  fail(null);
  try { await action(); } catch (error) { fail(error); }
}

// Back end

const backend = (path, body) => send("POST", `${prefix}/prove${path}`, body, accessToken);

async function unify(form) {
  const fields = new FormData(form);
  const token = await send("POST", `${prefix}/prove/token`, new URLSearchParams({
    grant_type: "client_credentials", client_id: fields.get("clientId"), client_secret: fields.get("clientSecret"),
  }));
  accessToken = token.access_token;
  const type = fields.get("possessionType");
  phoneNumber = fields.get("phoneNumber");
  const body = { possessionType: type, clientRequestId: "device-page" };
  if (phoneNumber) body.phoneNumber = phoneNumber;
  if (type !== "none" && fields.get("finalTargetUrl")) body.finalTargetUrl = fields.get("finalTargetUrl");
  for (const name of ["allowOTPRetry", "rebind"]) if (fields.get(name)) body[name] = true;
  const answer = await backend("/v3/unify", body);
  correlationId = answer.correlationId;
  find("result").textContent = JSON.stringify(answer, null, 2);
  find("authenticate").elements.authToken.value = answer.authToken;
  find("authenticate").elements.role.value = type === "desktop" ? "secondary" : "primary";
  if (type === "desktop") find("authenticate").elements.fallback.value = "instantLink";
  find("status").disabled = false;
  find("bind").disabled = type !== "none";
  show("The back end has an auth token. Now authenticate on the device.");
  find("authenticate").querySelector("button").focus();
}

async function ask(path, body) {
  find("result").textContent = JSON.stringify(await backend(path, body), null, 2);
}

// Device

async function authenticate(form) {
  closeSocket();
  const fields = new FormData(form);
  authToken = fields.get("authToken").trim();
  const features = [fields.get("mobileAuth") && "mobileAuth", fields.get("fallback")].filter(Boolean);
  const body = { platform: fields.get("platform"), role: fields.get("role"), features };
  if (fields.get("cellularNumber")) body.cellularNumber = fields.get("cellularNumber");
  const known = body.role === "primary" ? registration.get() : null;
  if (known) Object.assign(body, known);
  const step = await send("POST", `${device}/authenticate`, body, authToken);
  authId = step.authId;
  enter(step);
}

const act = (path, body) => attempt(async () => {
  enter(await send("POST", `${device}/${authId}/${path}`, body, authToken));
});

// What each step asks of the person: a text, fields, and buttons.
const steps = {
  mobile_auth: () => ({
    text: "The app asks the operator whose SIM this is.",
    actions: [
      ["Use mobile data", () => act("mobile-auth", cellular())],
      ["No mobile data", () => act("mobile-auth", { cellular: false })],
    ],
  }),
  otp_start: (step) => start(step, "otp/start", "Send the code"),
  otp_finish: () => ({
    text: "A code was sent. Enter it here.",
    fields: [["otp", "Code", "one-time-code"]],
    actions: [
      ["Check the code", () => act("otp/finish", { resultType: 0, input: { otp: value("otp") } })],
      ["Send again", () => act("otp/finish", { resultType: 1 })],
      ["Other number", () => act("otp/finish", { resultType: 2 })],
      ["Cancel", () => act("cancel", {})],
    ],
  }),
  instant_link_start: (step) => start(step, "instant-link/start", "Send the link"),
  instant_link_wait: () => ({
    text: "A link was sent. Open it on the phone; the inbox of the sandbox has it.",
    fields: isDesktop() ? [] : [["redirectUrl", "Address that the link led to", "url"]],
    actions: [
      ...(isDesktop() ? [] : [
        ["Finish", () => act("finish-instant-link", { redirectUrl: value("redirectUrl") })],
      ]),
      ["Send again", () => act("instant-link/retry", { resultType: 1 })],
      ["Other number", () => act("instant-link/retry", { resultType: 2 })],
      ["Cancel", () => act("cancel", {})],
    ],
    enter: () => { if (isDesktop()) openSocket(); },
  }),
  auth_finish: () => ({
    text: "The device is done. Now the back end asks for the outcome.", actions: [], enter: closeSocket,
  }),
};

function start(step, path, label) {
  const fields = step.phoneNumberNeeded ? [["phoneNumber", "Phone number", "tel"]] : [];
  const body = () => (step.phoneNumberNeeded ? { phoneNumber: value("phoneNumber") } : {});
  return {
    text: step.phoneNumberNeeded ? "Enter a phone number." : "Agree to receive a message.",
    fields,
    actions: [[label, () => act(path, body())], ["Cancel", () => act("cancel", {})]],
  };
}

function cellular() {
  const number = find("authenticate").elements.cellularNumber.value;
  return number ? { cellular: true, cellularNumber: number } : { cellular: true };
}

const isDesktop = () => find("authenticate").elements.role.value === "secondary";
const value = (name) => find("step").elements[name].value.trim();

function enter(step) {
  if (step.device) registration.set({ deviceId: step.device.deviceId, key: step.device.key });
  showRegistration();
  const view = steps[step.step](step);
  show(view.text);
  if (step.error) fail(new Error(step.error.message));
  const form = find("step");
  form.hidden = view.actions.length === 0;
  find("fields").replaceChildren(...(view.fields ?? []).map(([name, label, purpose]) => {
    const box = document.createElement("label");
    const input = document.createElement("input");
    input.name = name;
    input.required = true;
    input.autocomplete = purpose;
    input.inputMode = { tel: "tel", url: "url" }[purpose] ?? "numeric";
    box.append(label, " ", input);
    return box;
  }));
  find("actions").replaceChildren(...view.actions.map(([label, run], index) => {
    const button = document.createElement("button");
    button.textContent = label;
    // The return key does the first action.
    button.type = index === 0 ? "submit" : "button";
    if (index === 0) button.className = "primary"; else button.onclick = run;
    return button;
  }));
  form.onsubmit = (event) => { event.preventDefault(); view.actions[0]?.[1](); };
  find("facts").replaceChildren(...Object.entries({
    step: step.step, "sends left": step.sendsLeft, "attempts left": step.attemptsLeft, "valid until": step.expiresAt,
  }).flatMap(([name, fact]) => fact === undefined ? [] : [entry("dt", name), entry("dd", String(fact))]));
  // The next thing to do gets the focus, so that the return key goes through a flow.
  (form.querySelector("input") ?? form.querySelector("button") ?? find("status")).focus();
  view.enter?.();
}

function entry(tag, text) {
  const element = document.createElement(tag);
  element.textContent = text;
  return element;
}

// The desktop waits at a WebSocket until the link is opened.
function openSocket() {
  if (socket) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const opened = new WebSocket(`${scheme}://${location.host}${device}/${authId}/events?access_token=${authToken}`);
  socket = opened;
  opened.onmessage = ({ data }) => {
    const event = JSON.parse(data);
    if (event.event === "waiting") show(`Waiting for the link to be opened, at most ${event.secondsLeft} s.`);
    if (event.event === "link_clicked") show("The link was opened.");
    if (event.event === "timeout") show("Nobody opened the link in time.");
    if (event.event === "auth_finish" || event.event === "timeout") attempt(async () => {
      enter(await send("GET", `${device}/${authId}`, null, authToken));
    });
  };
  opened.onclose = () => { if (socket === opened) socket = null; };
}

function closeSocket() {
  socket?.close();
  socket = null;
}

function showRegistration() {
  const known = registration.get();
  find("registration").textContent = known
    ? `This device has a Prove Key: ${known.deviceId}` : "This device has no Prove Key.";
  find("forget").hidden = !known;
}

find("unify").onsubmit = (event) => { event.preventDefault(); attempt(() => unify(event.target)); };
find("authenticate").onsubmit = (event) => { event.preventDefault(); attempt(() => authenticate(event.target)); };
find("status").onclick = () => attempt(() => ask("/v3/unify-status", { correlationId }));
find("bind").onclick = () => attempt(() => ask("/v3/unify-bind", { correlationId, phoneNumber }));
find("forget").onclick = () => { registration.clear(); showRegistration(); };
find("authenticate").elements.authToken.value = new URLSearchParams(location.search).get("authToken") ?? "";
showRegistration();
