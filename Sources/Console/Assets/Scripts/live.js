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
      keepFocus(() => {
        for (const id of ["rail", "clock", "banner", "main"]) {
          update(document.getElementById(id), page.getElementById(id));
        }
      });
      for (const parts of newerParts) replaceParts(parts);
      arrange();
    }
  } finally {
    setTimeout(() => {
      refreshing = false;
      if (again) { again = false; refresh(); }
    }, Number(document.body.dataset.pause));
  }
}

// An element that is moved loses the focus.
function keepFocus(change) {
  const focused = document.activeElement;
  change();
  if (focused !== document.activeElement && focused.isConnected) focused.focus({ preventScroll: true });
}

// Shows what has changed on a board: elements that replace those with their ids.
function showParts(html) {
  const parts = new DOMParser().parseFromString(html, "text/html");
  if (refreshing) newerParts.push(parts);
  replaceParts(parts);
  arrange();
}

// What depends on the page's content.
function arrange() {
  readClock();
  placeReasons();
  if (document.getElementById("selection")) showSelection();
  packWall();
}

// Each phone begins where the one above it ends; else a row is as high as its highest phone.
function packWall() {
  const [wall] = document.getElementsByClassName("wall");
  if (!wall) return;
  wall.classList.add("packed");
  const spans = [...wall.children].map((phone) => Math.ceil((phone.offsetHeight + 20) / 4));
  spans.forEach((span, place) => { wall.children[place].style.gridRow = `span ${span}`; });
}

packWall();
for (const name of ["resize", "toggle"]) window.addEventListener(name, packWall, true);

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
    const url = document.body.dataset.stream;
    const opened = new EventSource(`${url}${url.includes("?") ? "&" : "?"}after=${position}`);
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

// Shows another step of a verification without a new page.
document.addEventListener("click", async (event) => {
  const link = event.target.closest("a[data-step]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
  event.preventDefault();
  history.replaceState(null, "", link.getAttribute("href"));
  await refresh();
  document.getElementById("step-panel")?.scrollIntoView({ block: "nearest" });
});

document.addEventListener("visibilitychange", follow);
window.addEventListener("pageshow", follow);
window.addEventListener("pagehide", () => { stream?.close(); stream = null; });
follow();

// Makes `present` equal to `next`. Elements with an id are moved and kept, and so are a field in use and
// its text. What is marked as kept belongs to this script.
function update(present, next) {
  if (present.isEqualNode(next)) return;
  if (present.dataset.kept !== undefined) return;
  if (present.matches("input") && present === document.activeElement) return;
  const isKept = (name) => name === "open" && present.matches("details, dialog");
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
  if (added.matches(".message, .story")) added.classList.add("new");
  const code = added.querySelector("[data-code]");
  if (code) announce(`New code ${code.dataset.code.split("").join(" ")}`);
  return added;
}

// A narrow screen shows a diagram as a list.
if (matchMedia("(max-width: 45rem)").matches) {
  for (const list of document.querySelectorAll(".as-list")) list.open = true;
}

// On a narrow screen, only the first of several groups begins open.
if (matchMedia("(max-width: 30rem)").matches) {
  for (const group of document.querySelectorAll(".group ~ .group")) group.open = false;
}

// Filters act as one types, and are part of the address.
let filterTimer;
document.addEventListener("input", (event) => {
  const form = event.target.form;
  if (!form?.matches("form.filter") || form.id === "filter") return;
  clearTimeout(filterTimer);
  filterTimer = setTimeout(() => {
    const query = new URLSearchParams(fieldsOf(form)).toString();
    history.replaceState(null, "", query ? `?${query}` : location.pathname);
    refresh();
  }, 150);
});
