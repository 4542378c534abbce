// Kept in the browser: each person has pins of their own.
const pinKey = `pins ${prefix}`;
const pins = new Set(JSON.parse(localStorage.getItem(pinKey) ?? "[]"));

function togglePin(owner) {
  if (!pins.delete(owner)) pins.add(owner);
  localStorage.setItem(pinKey, JSON.stringify([...pins]));
  movePinnedToFront(document);
  columns.clear();
  asked = true;
  packWall();
  refresh();
}

// Pinned phones come first, in the order of the page.
function movePinnedToFront(page) {
  const wall = page.querySelector(".wall");
  const cards = [...page.querySelectorAll(".phone")];
  for (const card of cards) {
    card.querySelector("[data-pin]")?.setAttribute("aria-pressed", pins.has(card.dataset.item));
  }
  wall?.prepend(...cards.filter((card) => pins.has(card.dataset.item)));
}

movePinnedToFront(document);
packWall();
