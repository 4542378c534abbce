// Hides what does not contain the text, or was answered without an error.
const form = document.getElementById("filter");
const [text, refused] = form.querySelectorAll("input");
const elements = [...document.querySelectorAll("[data-item]")];
const items = elements.map((item) => [item, item.textContent.toLowerCase()]);

function apply() {
  const wanted = text.value.toLowerCase();
  let shown = 0;
  for (const [item, content] of items) {
    item.hidden = !content.includes(wanted) || (refused.checked && item.classList.contains("ok"));
    if (!item.hidden) shown += 1;
  }
  document.getElementById("shown").textContent = `${shown} of ${items.length}`;
}

form.hidden = false;
form.addEventListener("input", apply);
form.addEventListener("submit", (event) => event.preventDefault());
apply();
