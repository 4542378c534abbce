// Live updates, buttons and keys. Without this script, the pages show the same.

const prefix = document.body.dataset.prefix;
const announcements = document.getElementById("announcements");
const toast = document.getElementById("toast");
document.body.classList.add("scripted");

// For people who do not see the page change.
function announce(text) { announcements.textContent = text; }

// For all people.
let toastTimer;
function tell(text) {
  toast.textContent = text;
  toast.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toast.hidden = true; }, 6000);
}

// Sends a request of the control API. Returns its answer, with an error if it failed.
async function ask(method, url, json) {
  const headers = json ? { "Content-Type": "application/json" } : {};
  const response = await fetch(url, { method, headers, body: json ?? null }).catch(lose);
  if (!response) return { error: "The server does not answer: nothing was done." };
  const answer = await response.json().catch(() => ({}));
  return response.ok ? answer : { error: `The server answered ${response.status}.`, ...answer };
}

// An action of the board that failed for some participants is a problem, too. Null after a success.
function problemOf(answer) {
  if (answer.error) return answer;
  if (!answer.failed) return null;
  const problems = answer.failed.map(({ participant, why }) => `Not done for ${participant}: ${why}`);
  return { error: problems.join("; ") };
}

async function attempt(method, url, json) { return problemOf(await ask(method, url, json)); }

async function send(method, url, json) {
  const problem = await attempt(method, url, json);
  if (problem) tell(problem.error);
  return problem;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { urls, method, selection, copy, close, open, question, next, status, speak } = button.dataset;
  if (urls) {
    if (question && !confirm(question.replace("{whom}", selection && whom()))) return;
    const { json, done } = selection ? boardAction(button) : button.dataset;
    if (selection && !json) return;
    button.disabled = true;
    const newest = document.getElementById("clock")?.dataset.newest;
    const output = document.getElementById(status);
    let problem = null;
    const act = output ? attempt : send;
    for (const url of urls.split(" ")) problem = await act(method, url, json) ?? problem;
    button.disabled = false;
    if (output) output.textContent = problem?.error ?? done;
    else if (done && !problem) announce(done);
    if (selection && !problem) finishAction(button);
    if (next && !problem) return location.assign(next);
    if (urls.endsWith("/control/clock")) noteDueWork(newest);
    refresh();
  } else if (button.dataset.rule) {
    // The switch of a row is for all; the options belong to the chosen failure.
    const form = button.matches(".switch") ? null : document.getElementById("break-options");
    if (form && !form.reportValidity()) return;
    await breakIt(button.dataset, form ? fieldsOf(form) : {});
    refresh();
  } else if (button.dataset.pin) {
    togglePin(button.dataset.pin);
  } else if (copy) {
    const isDone = await copyText(copy);
    const done = copy.length < 40 ? `Copied ${copy}.` : "Copied.";
    announce(isDone ? done : "Not copied: select the text and copy it.");
    const text = button.textContent;
    button.textContent = isDone ? "Copied" : "Not copied";
    setTimeout(() => { button.textContent = text; }, 1500);
  } else if (speak) {
    speechSynthesis.speak(new SpeechSynthesisUtterance(speak));
  } else if (open) {
    document.getElementById(open).showModal();
  } else if (close) {
    document.getElementById(close).close();
  }
});

// Browsers have a clipboard only for HTTPS and for pages of this machine. In a workshop, a selected text is
// copied.
async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const area = document.createElement("textarea");
    area.value = text;
    area.className = "visually-hidden";
    const focused = document.activeElement;
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const isDone = document.execCommand("copy");
    area.remove();
    focused?.focus();
    return isDone;
  }
}

// MARK: Forms

// The fields of a form that are not empty.
function fieldsOf(form) {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
}

// The fields of a form as JSON: `reach.data` is a member of a member, `simSwaps[]` a list, and a field whose
// value is true or false is a boolean.
function recordOf(form) {
  const record = {};
  for (const [path, text] of Object.entries(fieldsOf(form))) {
    const names = path.replace("[]", "").split(".");
    const value = text === "true" ? true : text === "false" ? false : text;
    let place = record;
    for (const name of names.slice(0, -1)) place = place[name] ??= {};
    place[names.at(-1)] = path.endsWith("[]") ? [value] : value;
  }
  return record;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (form.dataset.post) {
    event.preventDefault();
    if (!await send("POST", form.dataset.post, JSON.stringify(fieldsOf(form)))) form.reset();
  } else if (form.dataset.phone) {
    event.preventDefault();
    await addPhone(form);
  } else return;
  refresh();
});

// Adds the record of a line, and an app on its phone. Stops at the first problem, and says it in the form.
async function addPhone(form) {
  const { number, device, ...record } = recordOf(form);
  const line = `${form.dataset.phone}/${encodeURIComponent(number)}`;
  let problem = await attempt("PUT", line, JSON.stringify(record));
  const app = JSON.stringify({ number, ...device });
  if (!problem && device) problem = await attempt("POST", form.dataset.devices, app);
  form.querySelector("[role=alert]").textContent = problem?.error ?? "";
  if (problem) return;
  form.reset();
  form.closest("dialog").close();
  location.assign(`${form.dataset.page}/${encodeURIComponent(number)}`);
}

// Starts a failure: adds its rule to a list of the control API, or sends its request about a line.
async function breakIt({ target, verb, list, rule }, { number, provider, times }) {
  const content = JSON.parse(rule);
  if (!list) return send(verb, target.replace("{number}", encodeURIComponent(number)), rule);
  const match = list === "scenarios" ? (content.match ??= {}) : content;
  if (number) match.number = number;
  if (provider) match.provider = provider;
  if (times) content.times = Number(times);
  const present = await (await fetch(target)).json();
  await send("PUT", target, JSON.stringify({ [list]: [content, ...present[list]] }));
}
