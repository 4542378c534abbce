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
