// Live updates, buttons and keys. Without this script, the pages show the same.

const prefix = document.body.dataset.prefix;
const announcements = document.getElementById("announcements");

function announce(text) { announcements.textContent = text; }

// MARK: Buttons

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

// MARK: Workshops

// Creates a workshop: a number of participants, or one name per line.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  if (!form.dataset.workshop) return;
  event.preventDefault();
  const fields = new FormData(form);
  const lines = fields.get("participants").split("\n").map((line) => line.trim()).filter((line) => line !== "");
  const [story, flavour] = fields.get("story").split(" ");
  const participants = lines.length === 1 && /^[0-9]+$/.test(lines[0]) ? Number(lines[0]) : lines;
  const name = fields.get("name");
  const problem = await attempt("POST", form.dataset.workshop, JSON.stringify({ name, story, flavour, participants }));
  if (!problem) return location.assign(`/console/workshops/${name}`);
  // The reason is shown next to its field, and what was typed stays.
  const field = /^\$\.(\w+)/.exec(problem.field)?.[1];
  const element = form.elements[field];
  for (const place of form.querySelectorAll("[role=alert]")) place.textContent = "";
  for (const one of form.elements) one.removeAttribute("aria-invalid");
  element?.setAttribute("aria-invalid", "true");
  element?.focus();
  document.getElementById(`${element ? field : "form"}-problem`).textContent = problem.error.replace(/^\$\S+ /, "");
});

// The body of a board's action, for the selected participants or for all, and what to say when it is done. Without a body
// if something is missing, which the status says.
function boardAction(button) {
  const { json, done, status } = button.dataset;
  const fields = JSON.parse(json);
  const boxes = [...document.querySelectorAll("[name=participants]")];
  const participants = boxes.filter((box) => box.checked).map((box) => box.value);
  if (participants.length > 0) fields.participants = participants;
  const note = document.getElementById("note");
  if (button.id === note.dataset.enter) {
    fields.note = note.value.trim();
    if (fields.note === "") {
      document.getElementById(status).textContent = "Write a note first.";
      note.focus();
      return {};
    }
  }
  let what = "";
  if (button.dataset.urls.endsWith("/break")) {
    const failure = document.getElementById("failure").selectedOptions[0];
    fields[failure.dataset.list] = [JSON.parse(failure.value)];
    what = `: ${failure.dataset.effect}`;
  }
  const whom = participants.length === 1 ? participants[0] : participants.length || `all ${boxes.length}`;
  return { json: JSON.stringify(fields), done: `${done} ${whom}${what}.` };
}

function clearNote(button) {
  const note = document.getElementById("note");
  if (button.id === note.dataset.enter) note.value = "";
}

// Enter in a field that names a button presses it. While a word is being composed, Enter ends the word.
document.addEventListener("keydown", (event) => {
  const { enter } = event.target.dataset;
  if (!enter || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  document.getElementById(enter).click();
});

document.addEventListener("change", (event) => {
  if (event.target.dataset.select !== "all") return;
  for (const box of document.querySelectorAll("[name=participants]")) box.checked = event.target.checked;
});

// A reason is next to its cell and inside of the window, wherever the table is scrolled to.
function placeReasons() {
  for (const cell of document.querySelectorAll(".result:hover, .result:focus-within")) {
    const tooltip = cell.querySelector(".tooltip");
    if (!tooltip) continue;
    const [place, size, margin] = [cell.getBoundingClientRect(), tooltip.getBoundingClientRect(), 8];
    const left = Math.min(place.left, document.documentElement.clientWidth - size.width - margin);
    const isBelow = place.bottom + size.height + margin <= window.innerHeight;
    tooltip.style.left = `${Math.max(margin, left)}px`;
    tooltip.style.top = `${Math.max(0, isBelow ? place.bottom : place.top - size.height)}px`;
  }
}

for (const name of ["pointerover", "focusin", "scroll", "resize"]) window.addEventListener(name, placeReasons, true);

// MARK: Live updates

let refreshing = false;
let again = false;
// Parts that came since the page was asked for, which may be older than they are.
let newerParts = [];

// Fetches the page again and replaces what has changed.
async function refresh() {
  if (refreshing) { again = true; return; }
  refreshing = true;
  newerParts = [];
  try {
    const response = await fetch(location.href);
    // The workshop or the sandbox may be deleted: the server's page says so.
    if (response.ok || response.status === 404) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      // That of a deleted sandbox is another document.
      if (!page.getElementById("clock")) return location.reload();
      movePinnedToFront(page);
      for (const id of ["clock", "banner", "main"]) update(document.getElementById(id), page.getElementById(id));
      for (const parts of newerParts) replaceParts(parts);
      readClock();
      placeReasons();
    }
  } finally {
    setTimeout(() => {
      refreshing = false;
      if (again) { again = false; refresh(); }
    }, Number(document.body.dataset.pause));
  }
}

// Shows what has changed on a board: elements that replace those with their ids.
function showParts(html) {
  const parts = new DOMParser().parseFromString(html, "text/html");
  if (refreshing) newerParts.push(parts);
  replaceParts(parts);
  readClock();
  placeReasons();
}

function replaceParts(parts) {
  for (const part of parts.querySelectorAll("[id]:not([id] *)")) {
    const present = document.getElementById(part.id);
    if (present) update(present, part);
  }
}

// Follows what comes after the page. A hidden page does not: browsers allow six connections to a server.
let stream = null;
let position = document.body.dataset.position;

function follow() {
  if (document.hidden) {
    stream?.close();
    stream = null;
  } else if (!stream) {
    const opened = new EventSource(`${document.body.dataset.stream}?after=${position}`);
    stream = opened;
    // After a lost connection, such as by a restart of the server, the page may be out of date.
    let isLost = false;
    stream.addEventListener("error", () => {
      isLost = true;
      if (opened.readyState === EventSource.CLOSED) refresh();
    });
    stream.addEventListener("open", () => { if (isLost) refresh(); isLost = false; });
    // The token was revoked: the server asks for another one.
    stream.addEventListener("end", () => location.reload());
    for (const name of ["event", "request", "change", "reset"]) {
      stream.addEventListener(name, ({ lastEventId }) => {
        position = lastEventId;
        refresh();
      });
    }
    stream.addEventListener("parts", ({ lastEventId, data }) => {
      position = lastEventId;
      showParts(JSON.parse(data));
    });
  }
}

document.addEventListener("visibilitychange", follow);
window.addEventListener("pageshow", follow);
window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
follow();

// Makes `present` equal to `next`. Elements with an id are moved and kept, and so are a field in use and its text.
// What is marked as kept belongs to this script.
function update(present, next) {
  if (present.isEqualNode(next)) return;
  if (present.dataset.kept !== undefined) return;
  if (present.matches("input") && present === document.activeElement) return;
  const isKept = (name) => name === "open" && present.matches("details");
  for (const { name } of [...present.attributes]) {
    if (!next.hasAttribute(name) && !isKept(name)) present.removeAttribute(name);
  }
  for (const { name, value } of [...next.attributes]) {
    if (present.getAttribute(name) !== value && !isKept(name)) present.setAttribute(name, value);
  }
  const kept = new Map([...present.children].filter((child) => child.id).map((child) => [child.id, child]));
  let position = present.firstChild;
  for (const node of [...next.childNodes]) {
    const old = node.id ? kept.get(node.id) : isSame(position, node) ? position : null;
    if (old === position && old) position = position.nextSibling;
    const shown = old ?? add(node);
    if (shown.nextSibling !== position || !shown.parentNode) present.insertBefore(shown, position);
    if (!old) continue;
    if (old.nodeType === Node.ELEMENT_NODE) update(old, node); else old.textContent = node.textContent;
  }
  while (position) { const rest = position.nextSibling; position.remove(); position = rest; }
}

function isSame(present, next) {
  return present?.nodeName === next.nodeName && !present.id;
}

function add(node) {
  const added = document.importNode(node, true);
  if (added.nodeType !== Node.ELEMENT_NODE) return added;
  if (added.matches(".message")) added.classList.add("new");
  const code = added.querySelector("[data-code]");
  if (code) announce(`New code ${code.dataset.code.split("").join(" ")}`);
  return added;
}

// On a narrow screen, only the first of several groups begins open.
if (matchMedia("(max-width: 30rem)").matches) {
  for (const group of document.querySelectorAll(".group ~ .group")) group.open = false;
}

// MARK: Clock

const dueWork = {
  "verification.expired": ["code expired", "codes expired"],
  "message.arrived": ["message arrived", "messages arrived"],
  "webhook.delivered": ["webhook sent", "webhooks sent"],
  "webhook.unanswered": ["webhook unanswered", "webhooks unanswered"],
  "webhook.failed": ["webhook failed", "webhooks failed"],
  "challenge.approved": ["push approved", "pushes approved"],
  "challenge.denied": ["push denied", "pushes denied"],
};

// Says what became due when the clock was moved: the events after the newest ordinal before.
async function noteDueWork(newest) {
  const response = await fetch(`${prefix}/control/events?after=${newest}&limit=1000`);
  if (!response.ok) return;
  const counts = {};
  for (const { kind } of (await response.json()).events) counts[kind] = (counts[kind] ?? 0) + 1;
  const words = Object.keys(dueWork).filter((kind) => counts[kind])
    .map((kind) => `${counts[kind]} ${dueWork[kind][counts[kind] === 1 ? 0 : 1]}`);
  document.getElementById("clock-note").textContent = words.join(", ") || "Nothing else happened.";
}

let clock;

// The sandbox's time, and the browser's at which it was read.
function readClock() {
  const { now, running } = document.getElementById("clock").dataset;
  clock = { now: Number(now), readAt: performance.now(), isRunning: running !== undefined };
  showTimes();
}

// Moves the shown time and what counts with it.
function showTimes() {
  const now = clock.isRunning ? clock.now + performance.now() - clock.readAt : clock.now;
  document.querySelector(".clock .now").textContent = new Date(now).toISOString().slice(0, 19).replace("T", " ");
  for (const element of document.querySelectorAll("[data-since]")) {
    element.textContent = `${Math.max(0, Math.floor((now - Number(element.dataset.since)) / 60000))} min`;
  }
  for (const element of document.querySelectorAll("[data-until]")) {
    const seconds = Math.max(0, Math.floor((Number(element.dataset.until) - now) / 1000));
    element.textContent = `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
  }
}

readClock();
setInterval(() => { if (clock.isRunning) showTimes(); }, 1000);

// MARK: Pins

// Kept in the browser: each person has pins of their own.
const pinKey = `pins ${prefix}`;
const pins = new Set(JSON.parse(localStorage.getItem(pinKey) ?? "[]"));

function togglePin(owner) {
  if (!pins.delete(owner)) pins.add(owner);
  localStorage.setItem(pinKey, JSON.stringify([...pins]));
  movePinnedToFront(document);
  refresh();
}

// Pinned phones come first, in the order of the page.
function movePinnedToFront(page) {
  const wall = page.querySelector(".wall");
  const cards = [...page.querySelectorAll(".phone")];
  for (const card of cards) card.querySelector("[data-pin]").setAttribute("aria-pressed", pins.has(card.dataset.item));
  wall?.prepend(...cards.filter((card) => pins.has(card.dataset.item)));
}

movePinnedToFront(document);

// MARK: Keys

const actions = {
  j: () => move(1), k: () => move(-1),
  "?": () => document.getElementById("help").showModal(),
};

function move(step) {
  const items = [...document.querySelectorAll("[data-item]")];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const item = items[at < 0 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1)];
  (item?.matches("[tabindex]") ? item : item?.querySelector("a"))?.focus();
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
  if (actions[event.key]) { event.preventDefault(); return actions[event.key](); }
  const place = document.activeElement.closest("[data-item]");
  const found = [place, document].flatMap((part) => part ? [...part.querySelectorAll(`[data-key="${CSS.escape(event.key)}"]`)] : []);
  // The newest is last in a phone.
  const control = place && place.contains(found[0]) ? found.filter((one) => place.contains(one)).at(-1) : found[0];
  if (!control) return;
  event.preventDefault();
  if (control.matches("button")) control.click(); else control.focus();
});
