let refreshing = false;
let again = false;
// The arrows that came with the last change.
let drawn = 0;
// Parts that came since the page was asked for, which may be older than they are.
let newerParts = [];

// Fetches the page again and replaces what has changed.
async function refresh() {
  if (isGone) return;
  if (refreshing) { again = true; return; }
  refreshing = true;
  newerParts = [];
  drawn = 0;
  try {
    const response = await fetch(location.href).catch(lose);
    if (!response) return;
    // The workshop or the sandbox may be deleted: the server's page says so.
    if (response.ok || response.status === 404) {
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      // That of a deleted sandbox is another document.
      if (!page.getElementById("clock")) return location.reload();
      movePinnedToFront(page);
      holdWall(page);
      document.title = page.title;
      const kept = keptPlace();
      const task = taskTitle()?.textContent;
      keepFocus(() => {
        for (const id of ["rail", "clock", "banner", "main"]) {
          update(document.getElementById(id), page.getElementById(id));
        }
      });
      for (const parts of newerParts) replaceParts(parts);
      arrange();
      kept();
      if (task !== taskTitle()?.textContent) showTask();
    }
  } finally {
    setTimeout(() => {
      refreshing = false;
      if (again) { again = false; refresh(); }
    }, Number(document.body.dataset.pause));
  }
}

const taskTitle = () => document.querySelector("#tasks .current > strong");

// Scrolls the list of tasks, not the page, to the one that is open now.
function showTask() {
  const list = document.getElementById("tasks");
  const title = taskTitle();
  if (title) list.scrollTop += title.getBoundingClientRect().top - list.getBoundingClientRect().top - 16;
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
  asked = false;
  readClock();
  placeReasons();
  showSelection();
  packWall();
  fitDrawings();
}

// Each phone begins where the one above it ends, in the shortest column; else a row is as high as its highest
// phone. While the wall is in use, each stays in its column.
const wall = document.querySelector(".wall, .lines");
const columns = new Map();
let columnCount = 0;

function packWall() {
  if (!wall?.matches(".wall")) return;
  const phones = [...wall.querySelectorAll(":scope > .phone")];
  wall.classList.toggle("packed", phones.length > 0);
  for (const phone of phones) phone.style.gridArea = "";
  const ends = getComputedStyle(wall).gridTemplateColumns.split(" ").map(() => 1);
  if (ends.length !== columnCount || !isInUse()) columns.clear();
  columnCount = ends.length;
  // All are measured before one is moved.
  const spans = phones.map((phone) => Math.ceil((phone.offsetHeight + 20) / 4));
  phones.forEach((phone, place) => {
    const column = columns.get(phone.id) ?? ends.indexOf(Math.min(...ends));
    columns.set(phone.id, column);
    phone.style.gridArea = `${ends[column]} / ${column + 1} / span ${spans[place]} / span 1`;
    ends[column] += spans[place];
  });
}

// A drawing that its place would cut is a list instead.
function fitDrawings() {
  for (const drawing of document.querySelectorAll(".sequence-scroll")) {
    drawing.hidden = false;
    // On a phone, the stylesheet hides it.
    drawing.hidden = drawing.clientWidth === 0 || drawing.scrollWidth > drawing.clientWidth + 1;
    const list = drawing.parentElement.querySelector(".as-list");
    if (drawing.hidden && list) list.open = true;
  }
}

packWall();
fitDrawings();
for (const name of ["resize", "toggle"]) window.addEventListener(name, packWall, true);
window.addEventListener("resize", fitDrawings);

// MARK: A wall in use

// While pointer or focus is in the wall, nothing takes the place of what is there.
function isInUse() { return Boolean(wall?.matches(":hover, :focus-within")); }

// True once somebody wants the new order.
let asked = false;

document.getElementById("newer")?.addEventListener("click", () => {
  asked = true;
  scrollTo({ top: 0 });
  refresh();
});

// Gives the phones of the fetched page the order of the present one, those that came last. How many would be
// before others is said above them.
function holdWall(page) {
  const next = page.querySelector(".wall, .lines");
  if (!next || !wall) return;
  if (!isInUse() || asked) return;
  const order = [...wall.children].map(({ id }) => id);
  const phones = [...next.children];
  const place = ({ id }) => order.includes(id) ? order.indexOf(id) : order.length;
  let last = -1;
  const moved = phones.toReversed().filter((phone) => {
    const isAhead = last >= 0 && place(phone) > last;
    last = last < 0 ? place(phone) : Math.min(last, place(phone));
    return isAhead;
  }).length;
  phones.sort((one, other) => place(one) - place(other)).forEach((phone) => next.append(phone));
  const newer = page.getElementById("newer");
  newer.textContent = `${moved} new ↑`;
  newer.hidden = moved === 0;
}

wall?.addEventListener("pointerleave", () => { if (!document.getElementById("newer").hidden) refresh(); });

// Returns what scrolls the phone in use to where it is now.
function keptPlace() {
  const find = (state) => wall?.querySelector(`:scope > :${state}`);
  const phone = isInUse() ? find("focus-within") ?? find("hover") : null;
  const top = phone?.getBoundingClientRect().top;
  return () => { if (phone?.isConnected) scrollBy(0, phone.getBoundingClientRect().top - top); };
}

// MARK: A server that is gone

let isGone = false;
// A page that is left ends its requests.
let isLeft = false;
const goneNote = document.getElementById("gone");

// True if the server answers. A proxy may answer instead.
async function isThere() {
  const options = { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(1500) };
  const response = await fetch(document.querySelector("link[rel=icon]").href, options).catch(() => null);
  return Boolean(response) && response.status < 502;
}

async function probe() { if (!await isThere()) lose(); }

// Called when a request could not be sent. Asks until the server answers again, and then shows what it has.
function lose() {
  if (isGone || isLeft) return null;
  isGone = true;
  document.body.classList.add("is-gone");
  goneNote.hidden = false;
  readClock();
  shut(true);
  const timer = setInterval(async () => {
    if (!await isThere() || !isGone) return;
    clearInterval(timer);
    isGone = false;
    document.body.classList.remove("is-gone");
    goneNote.hidden = true;
    shut(false);
    readClock();
    stream?.close();
    stream = null;
    follow();
    refresh();
  }, 1000);
  return null;
}

// What needs the server cannot be used meanwhile.
function shut(isShut) {
  const needing = "button:is([data-urls], [data-rule], [type=submit])";
  for (const button of document.querySelectorAll(isShut ? needing : "[data-shut]")) {
    if (isShut && button.disabled) continue;
    button.disabled = isShut;
    button.toggleAttribute("data-shut", isShut);
  }
}

window.addEventListener("offline", probe);

function replaceParts(parts) {
  for (const part of parts.querySelectorAll("[id]:not([id] *)")) {
    const present = document.getElementById(part.id);
    if (present) update(present, part);
  }
}

// Follows what comes after the page. A hidden page does not: browsers allow six connections to a server.
let stream = null;
let rareTimer;
let position = document.body.dataset.position;

function follow() {
  clearInterval(rareTimer);
  if (document.hidden) {
    stream?.close();
    stream = null;
    // For its title.
    rareTimer = setInterval(refresh, 10000);
  } else if (!stream) {
    const url = document.body.dataset.stream;
    const opened = new EventSource(`${url}${url.includes("?") ? "&" : "?"}after=${position}`);
    stream = opened;
    // After a lost connection, such as by a restart of the server, the page may be out of date.
    let isLost = false;
    stream.addEventListener("error", () => {
      isLost = true;
      if (opened !== stream || isGone) return;
      if (opened.readyState === EventSource.CLOSED) refresh(); else probe();
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
window.addEventListener("pageshow", () => { isLeft = false; follow(); });
window.addEventListener("pagehide", () => { isLeft = true; stream?.close(); stream = null; });
follow();

// Makes `present` equal to `next`. Elements with an id are moved and kept, and so are a field in use and
// its text. What is marked as kept belongs to this script.
function update(present, next) {
  if (present.isEqualNode(next)) return;
  if (present.dataset.kept !== undefined) return;
  if (present.matches("input") && present === document.activeElement) return;
  // Styles are the script's: pages have none.
  const isKept = (name) => name === "style" || (name === "open" && present.matches("details, dialog"));
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
  // Arrows are drawn one after the other.
  for (const step of added.matches(".step") ? [added] : added.querySelectorAll(".step")) {
    step.style.setProperty("--wait", `${drawn * 0.25}s`);
    drawn += 1;
  }
  const code = added.querySelector("[data-code]");
  if (code) announce(`New code ${code.dataset.code.split("").join(" ")}`);
  return added;
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
