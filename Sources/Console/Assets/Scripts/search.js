const searchForm = document.getElementById("search");
const searchField = searchForm.querySelector("input");
const foundBox = document.getElementById("found-box");
let searchTimer;
// The text whose results are below the field, and where the focus was before.
let foundText = null;
let usedBefore = null;

// What the server finds for the text, below the field. Of several answers, only the one for the present
// text counts.
async function find() {
  const text = searchField.value;
  const response = await fetch(`${searchForm.action}?q=${encodeURIComponent(text)}`).catch(() => null);
  if (!response?.ok || text !== searchField.value || !searchForm.contains(document.activeElement)) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  if (text !== searchField.value) return;
  foundBox.replaceChildren(document.importNode(page.getElementById("found"), true));
  foundText = text;
  foundBox.hidden = false;
  announce(`${foundBox.querySelectorAll("li").length} results`);
}

function closeSearch() {
  foundBox.hidden = true;
  if (usedBefore?.isConnected) usedBefore.focus({ preventScroll: true }); else searchField.blur();
  if (searchForm.contains(document.activeElement)) document.activeElement.blur();
}

// By Tab, the field gets the focus without the list, so that Tab leaves it again.
function openSearch() {
  searchField.focus();
  searchField.select();
  find();
}

searchField.addEventListener("click", find);
searchField.addEventListener("input", () => {
  clearTimeout(searchTimer);
  searchTimer = setTimeout(find, 100);
});
searchForm.addEventListener("focusin", ({ relatedTarget }) => {
  if (!searchForm.contains(relatedTarget)) usedBefore = relatedTarget;
});
searchForm.addEventListener("focusout", ({ relatedTarget }) => {
  if (!searchForm.contains(relatedTarget)) foundBox.hidden = true;
});
// Enter means the result with this name, else the first one. An action is only chosen by its whole name:
// otherwise it gets the focus, and the next Enter runs it.
searchForm.addEventListener("submit", async (event) => {
  event.preventDefault();
  clearTimeout(searchTimer);
  if (foundBox.hidden || foundText !== searchField.value) await find();
  if (foundText !== searchField.value) return;
  const results = [...foundBox.querySelectorAll("a, button")];
  const text = foundText.trim().toLowerCase();
  const named = results.find((one) => one.firstChild.textContent.trim().toLowerCase() === text);
  const result = named ?? results[0];
  if (!result || (result.matches("button") && !named)) return result?.focus();
  result.click();
  closeSearch();
});
foundBox.addEventListener("click", (event) => { if (event.target.closest("button")) closeSearch(); });
searchForm.addEventListener("keydown", (event) => {
  if (event.key === "Escape") return closeSearch();
  const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
  if (!step || foundBox.hidden) return;
  event.preventDefault();
  const places = [searchField, ...foundBox.querySelectorAll("a, button")];
  places.at((places.indexOf(document.activeElement) + step) % places.length)?.focus();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "k" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  openSearch();
});
