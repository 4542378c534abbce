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
