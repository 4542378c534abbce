const actions = {
  j: () => move(1), k: () => move(-1),
  "/": openSearch,
  "?": () => document.getElementById("help").showModal(),
};

// What belongs to one phone acts only on the phone that has the focus, or that the page is about.
const keysOfPhones = ["a", "d", "p"];

function move(step) {
  const items = [...document.querySelectorAll("[data-item]")];
  const at = items.findIndex((item) => item.contains(document.activeElement));
  const item = items[at < 0 ? 0 : Math.min(Math.max(at + step, 0), items.length - 1)];
  (item?.matches("[tabindex]") ? item : item?.querySelector("a"))?.focus();
}

function controlFor(key) {
  const find = (part) => [...part?.querySelectorAll(`[data-key="${CSS.escape(key)}"]`) ?? []];
  // The newest is last in a phone.
  const own = find(document.activeElement.closest("[data-item]") ?? document.querySelector(".single .phone"));
  if (own.length > 0) return own.at(-1);
  if (keysOfPhones.includes(key)) return null;
  const place = (control) => control.closest(".message")?.id ?? "";
  return find(document).reduce((newest, one) => newest && place(newest) >= place(one) ? newest : one, null);
}

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  if (event.target.matches("input, textarea, select")) return;
  if (actions[event.key]) { event.preventDefault(); return actions[event.key](); }
  const control = controlFor(event.key);
  if (!control) {
    if (keysOfPhones.includes(event.key)) announce("Choose a phone first: j and k move.");
    return;
  }
  event.preventDefault();
  if (control.matches("button")) control.click(); else control.focus();
});
