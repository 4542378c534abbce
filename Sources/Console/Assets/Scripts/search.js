// MARK: Search and actions

const searchForm = document.getElementById("search");
const searchField = searchForm.querySelector("input");
const foundBox = document.getElementById("found-box");
let searchTimer;

// What the server finds for the text, below the field. Of several answers, only the one for the present
// text counts.
async function find() {
  const text = searchField.value;
  const response = await fetch(`${searchForm.action}?q=${encodeURIComponent(text)}`);
  if (!response.ok || text !== searchField.value || !searchForm.contains(document.activeElement)) return;
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  foundBox.replaceChildren(document.importNode(page.getElementById("found"), true));
  foundBox.hidden = false;
  announce(`${foundBox.querySelectorAll("li").length} results`);
}

function closeSearch() {
  foundBox.hidden = true;
  searchField.blur();
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
searchForm.addEventListener("focusout", ({ relatedTarget }) => {
  if (!searchForm.contains(relatedTarget)) foundBox.hidden = true;
});
// The first result is what Enter means.
searchForm.addEventListener("submit", (event) => {
  const first = foundBox.hidden ? null : foundBox.querySelector("a, button");
  if (!first) return;
  event.preventDefault();
  first.click();
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
