// What is typed into a form's fields, as JSON: a name such as `limits/messages` is a member of a member. With
// `data-changes`, only what differs from what the page showed; `data-like` names the request that it changes.
const readers = {
  number: Number,
  json: JSON.parse,
  lines: (text) => text.split("\n").filter((line) => line !== ""),
  // A number, or one name per line.
  participants: (text) => {
    const lines = text.split("\n").map((line) => line.trim()).filter((line) => line !== "");
    return lines.length === 1 && /^[0-9]+$/.test(lines[0]) ? Number(lines[0]) : lines;
  },
};

function isChanged(field) {
  return field.options ? !field.selectedOptions[0].defaultSelected : field.value !== field.defaultValue;
}

function contentOf(form) {
  const content = form.dataset.like ? { like: form.dataset.like } : {};
  for (const field of form.elements) {
    const { name, value, dataset } = field;
    const isChange = form.dataset.changes !== undefined && isChanged(field);
    // A text can be changed to an empty one.
    const isEmpty = value === "";
    const isLeft = form.dataset.changes === undefined ? isEmpty : !isChange || (isEmpty && dataset.type);
    if (!name || isLeft) continue;
    if (dataset.type === "story") {
      [content.story, content.flavour] = value.split(" ");
      continue;
    }
    const path = name.split("/");
    const last = path.pop();
    const owner = path.reduce((node, part) => node[part] ??= {}, content);
    owner[last] = readers[dataset.type]?.(value) ?? value;
  }
  return content;
}

// A form that creates or changes something by the control API. What is wrong is shown next to its field,
// and what was typed stays.
document.addEventListener("submit", async (event) => {
  const form = event.target;
  const { send: url, next, refused, done } = form.dataset;
  if (!url) return;
  event.preventDefault();
  for (const place of form.querySelectorAll("[role=alert], [role=status]")) place.textContent = "";
  for (const one of form.elements) one.removeAttribute("aria-invalid");
  let content, problem, answer;
  try {
    content = contentOf(form);
    answer = await ask("POST", url, JSON.stringify(content));
    problem = problemOf(answer);
  } catch (error) {
    problem = { error: error.message };
  }
  if (problem) {
    const field = problem.field?.replace(/^\$\./, "").replace(/\[\d+\]$/, "");
    const isMeant = ({ name }) => name && (name === field || name.replaceAll("/", ".") === field);
    const element = [...form.elements].find(isMeant);
    element?.setAttribute("aria-invalid", "true");
    element?.focus();
    const place = element && document.getElementById(`${element.name.replaceAll("/", "-")}-problem`);
    const output = place ?? form.querySelector("#form-problem, [data-problem=form]");
    output.textContent = problem.error.replace(/^\$\S+ /, "");
    return;
  }
  const place = answer.response?.status >= 400 ? refused ?? next : next;
  if (place) return location.assign(place.replace("{name}", content.name).replace("{id}", answer.id));
  if (form.dataset.changes === undefined) form.reset();
  for (const field of form.elements) {
    if (field.options) for (const option of field.options) option.defaultSelected = option.selected;
    else field.defaultValue = field.value;
  }
  form.closest("[popover]")?.hidePopover();
  const status = form.querySelector("[role=status]") ?? document.getElementById("board-status");
  status.textContent = done;
  refresh();
});

// The body of a board's action, for the selected participants or for all, and what to say when it is done.
// Without a body if something is missing, which the status says.
function boardAction(button) {
  const { json, done, status } = button.dataset;
  const fields = JSON.parse(json);
  const boxes = participantBoxes();
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
  return { json: JSON.stringify(fields), done: `${done} ${whom()}${what}.` };
}

// After an action of a board: its sheet closes, so that the board and the status are in sight.
function finishAction(button) {
  const note = document.getElementById("note");
  if (button.id === note.dataset.enter) note.value = "";
  button.closest("[popover]")?.hidePopover();
}

// Enter in a field that names a button presses it. While a word is being composed, Enter ends the word.
document.addEventListener("keydown", (event) => {
  const { enter } = event.target.dataset;
  if (!enter || event.key !== "Enter" || event.isComposing) return;
  event.preventDefault();
  document.getElementById(enter).click();
});

const participantBoxes = () => [...document.querySelectorAll("[name=participants][type=checkbox]")];

document.addEventListener("change", ({ target }) => {
  if (target.dataset.select === "all") for (const box of participantBoxes()) box.checked = target.checked;
  if (target.type === "checkbox") showSelection();
});

// Whom the actions of a board are for. Some participants have a number as their name.
function whom() {
  const boxes = participantBoxes();
  const names = boxes.filter((box) => box.checked).map((box) => box.value);
  if (names.length === 0) return `all ${boxes.length} participants`;
  if (names.length > 6) return `${names.length} participants`;
  return names.map((name) => isNaN(name) ? name : `participant ${name}`).join(", ");
}

// Participants may come and go. Other pages have no selection.
function showSelection() {
  const selection = document.getElementById("selection");
  if (!selection) return;
  selection.textContent = `Actions are for ${whom()}.`;
  for (const place of document.querySelectorAll(".for-whom")) place.textContent = `For ${whom()}.`;
}

// Tiles have the order of their ranks, whatever changes.
const tiles = document.getElementById("tiles");

function sortTiles() {
  const sorted = [...tiles.children].sort((one, other) => one.dataset.rank - other.dataset.rank);
  keepFocus(() => {
    for (const [place, tile] of sorted.entries()) {
      if (tiles.children[place] !== tile) tiles.insertBefore(tile, tiles.children[place]);
    }
  });
}

if (tiles) {
  new MutationObserver(sortTiles).observe(tiles, { subtree: true, attributeFilter: ["data-rank"] });
  // Whoever does nothing for a while is stuck: no event says so.
  setInterval(() => {
    const isDue = ({ dataset }) => dataset.due && Number(dataset.due) <= currentTime();
    if ([...tiles.children].some(isDue)) refresh();
  }, 1000);
}

// A reason is next to its cell and inside of the window, wherever the table is scrolled to.
function placeReasons() {
  // On a narrow screen, the pages are a bar at the bottom.
  const pages = document.querySelector(".pages");
  const isBar = pages && getComputedStyle(pages).position === "fixed";
  const end = isBar ? pages.getBoundingClientRect().top : window.innerHeight;
  for (const cell of document.querySelectorAll(".result:hover, .result:focus-within")) {
    const tooltip = cell.querySelector(".tooltip");
    if (!tooltip) continue;
    const [place, size, margin] = [cell.getBoundingClientRect(), tooltip.getBoundingClientRect(), 8];
    const left = Math.min(place.left, document.documentElement.clientWidth - size.width - margin);
    const isBelow = place.bottom + size.height + margin <= end;
    tooltip.style.left = `${Math.max(margin, left)}px`;
    tooltip.style.top = `${Math.max(0, isBelow ? place.bottom : place.top - size.height)}px`;
  }
}

for (const name of ["pointerover", "focusin", "scroll", "resize"]) {
  window.addEventListener(name, placeReasons, true);
}
