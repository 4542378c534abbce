// The moment at which a verification is shown: its slider, and playing it.

let player;

// The places of the slider at which something happened, with their times.
function momentsOf(form) { return form.dataset.times.split(",").map((pair) => pair.split(" ").map(Number)); }

// Shows what had happened at a place; at the last, what happens now.
function showPlace(form) {
  const moments = momentsOf(form);
  const place = Number(form.elements.place.value);
  const at = moments.findLast(([mark]) => mark <= place)[1];
  const query = new URLSearchParams(location.search);
  for (const name of ["step", "place", "at"]) query.delete(name);
  if (at !== moments.at(-1)[1]) query.set("at", at);
  const search = query.size > 0 ? `?${query}` : "";
  if (search === location.search) return;
  history.replaceState(null, "", search || location.pathname);
  refresh();
}

function stopPlaying() {
  clearInterval(player);
  for (const button of document.querySelectorAll("[data-speed]")) {
    button.setAttribute("aria-pressed", "false");
  }
}

function play(button) {
  const isPlaying = button.getAttribute("aria-pressed") === "true";
  stopPlaying();
  if (isPlaying) return;
  button.setAttribute("aria-pressed", "true");
  const { form, dataset } = button;
  const slider = form.elements.place;
  const moments = momentsOf(form);
  if (Number(slider.value) >= moments.at(-1)[0]) slider.value = 0;
  let at = moments.findLast(([place]) => place <= slider.value)[1];
  let readAt = performance.now();
  showPlace(form);
  player = setInterval(() => {
    const now = performance.now();
    at += (now - readAt) * dataset.speed;
    readAt = now;
    const next = moments.findIndex(([, time]) => time > at);
    const [from, to] = [moments.at(next - 1), moments.at(next)];
    const part = (at - from[1]) / (to[1] - from[1]);
    slider.value = next < 0 ? to[0] : Math.floor(from[0] + part * (to[0] - from[0]));
    if (next < 0 || !form.isConnected) stopPlaying();
    showPlace(form);
    const face = document.querySelector(".clock-face");
    if (face) face.textContent = new Date(at).toISOString().slice(11, 16);
  }, 100);
}

document.addEventListener("input", ({ target }) => {
  if (target.name !== "place") return;
  stopPlaying();
  showPlace(target.form);
});

document.addEventListener("click", ({ target }) => {
  if (target.dataset.speed) play(target);
});

document.addEventListener("keydown", ({ key, target }) => {
  if (key === "Escape" && !target.matches("select")) document.getElementById("back")?.click();
});
