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
let noteTimer;
async function noteDueWork(newest) {
  const response = await fetch(`${prefix}/control/events?after=${newest}&limit=1000`).catch(lose);
  if (!response?.ok) return;
  const counts = {};
  for (const { kind } of (await response.json()).events) counts[kind] = (counts[kind] ?? 0) + 1;
  const words = Object.keys(dueWork).filter((kind) => counts[kind])
    .map((kind) => `${counts[kind]} ${dueWork[kind][counts[kind] === 1 ? 0 : 1]}`);
  const note = document.getElementById("clock-note");
  note.textContent = words.join(", ") || "Nothing was due.";
  clearTimeout(noteTimer);
  noteTimer = setTimeout(() => { note.textContent = ""; }, 10000);
}

let clock;

// The sandbox's time, and the browser's at which it was read.
function readClock() {
  const { now, running } = document.getElementById("clock").dataset;
  clock = { now: Number(now), readAt: performance.now(), isRunning: running !== undefined && !isGone };
  showTimes();
}

// In milliseconds.
function currentTime() {
  return clock.isRunning ? clock.now + performance.now() - clock.readAt : clock.now;
}

// Moves the shown time and what counts with it.
function showTimes() {
  const now = currentTime();
  const text = new Date(now).toISOString().slice(0, 19).replace("T", " ");
  const [day, time] = document.querySelector(".clock .now").children;
  day.textContent = text.slice(0, 10);
  time.textContent = text.slice(11);
  for (const element of document.querySelectorAll("[data-time]")) element.textContent = text.slice(11, 16);
  const show = (name, span, text) => {
    for (const element of document.querySelectorAll(`[data-${name}]`)) {
      const seconds = Math.max(0, Math.floor(span(Number(element.dataset[name])) / 1000));
      element.textContent = text(Math.floor(seconds / 60), seconds % 60, element.dataset);
    }
  };
  const padded = (part) => String(part).padStart(2, "0");
  show("since", (time) => now - time, (minutes) => `${minutes} min`);
  show("elapsed", (time) => now - time, (minutes, seconds) => `${padded(minutes)}:${padded(seconds)}`);
  show("until", (time) => time - now, (minutes, seconds, { short }) =>
    short === undefined ? `${minutes} min ${seconds} s` : `${minutes}:${padded(seconds)}`);
}

readClock();
setInterval(() => { if (clock.isRunning) showTimes(); }, 1000);
