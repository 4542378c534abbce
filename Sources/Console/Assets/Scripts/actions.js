// Live updates, buttons and keys. Without this script, the pages show the same.

const prefix = document.body.dataset.prefix;
const announcements = document.getElementById("announcements");

function announce(text) { announcements.textContent = text; }


// Sends a request of the control API. Returns the problem, nothing after a success. An action of the board that failed for
// some participants is a problem, too.
async function attempt(method, url, json) {
  const headers = json ? { "Content-Type": "application/json" } : {};
  const response = await fetch(url, { method, headers, body: json ?? null });
  const answer = await response.json().catch(() => ({}));
  if (!response.ok) return { error: `The server answered ${response.status}.`, ...answer };
  if (!answer.failed) return null;
  return { error: answer.failed.map(({ participant, why }) => `Not done for ${participant}: ${why}`).join("; ") };
}

async function send(method, url, json) {
  const problem = await attempt(method, url, json);
  if (problem) announce(problem.error);
  return problem;
}

document.addEventListener("click", async (event) => {
  const button = event.target.closest("button");
  if (!button) return;
  const { urls, method, selection, copy, close, question, next, status } = button.dataset;
  if (urls) {
    if (question && !confirm(question)) return;
    const { json, done } = selection ? boardAction(button) : button.dataset;
    if (selection && !json) return;
    button.disabled = true;
    const newest = document.getElementById("clock")?.dataset.newest;
    const output = document.getElementById(status);
    let problem = null;
    for (const url of urls.split(" ")) problem = await (output ? attempt : send)(method, url, json) ?? problem;
    button.disabled = false;
    if (output) output.textContent = problem?.error ?? done;
    if (selection && !problem) clearNote(button);
    if (next && !problem) return location.assign(next);
    if (urls.endsWith("/control/clock")) noteDueWork(newest);
    refresh();
  } else if (button.dataset.rule) {
    await breakIt(button.dataset, fieldsOf(document.getElementById("break-options")));
    refresh();
  } else if (button.dataset.pin) {
    togglePin(button.dataset.pin);
  } else if (copy) {
    await navigator.clipboard.writeText(copy);
    announce(copy.length < 40 ? `Copied ${copy}.` : "Copied.");
  } else if (close) {
    document.getElementById(close).close();
  }
});

// The fields of a form that are not empty.
function fieldsOf(form) {
  return Object.fromEntries([...new FormData(form)].filter(([, value]) => value !== ""));
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  const fields = fieldsOf(form);
  if (form.dataset.post) {
    event.preventDefault();
    await send("POST", form.dataset.post, JSON.stringify(fields));
    form.reset();
  } else return;
  refresh();
});

// Starts a failure: adds its rule to a list of the control API, or changes a line.
async function breakIt({ target, list, rule }, { number, provider, times }) {
  const content = JSON.parse(rule);
  if (!list) {
    if (!number) return announce("This failure needs a number.");
    const method = target.endsWith("/events") ? "POST" : "PUT";
    return send(method, target.replace("{number}", encodeURIComponent(number)), rule);
  }
  const match = list === "scenarios" ? (content.match ??= {}) : content;
  if (number) match.number = number;
  if (provider) match.provider = provider;
  if (times) content.times = Number(times);
  const present = await (await fetch(target)).json();
  await send("PUT", target, JSON.stringify({ [list]: [content, ...present[list]] }));
}
