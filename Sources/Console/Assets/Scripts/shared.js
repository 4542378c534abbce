// A file from Share this failure becomes a sandbox where it is dropped or chosen.

async function openShared(file) {
  const headers = { "Content-Type": "text/html" };
  const response = await fetch("/control/shared-files", { method: "POST", headers, body: file });
  if (response.ok) return location.assign(response.headers.get("Location"));
  const { error } = await response.json().catch(() => ({}));
  tell(error ?? `The server answered ${response.status}.`);
}

if (document.getElementById("shared-file")) {
  document.addEventListener("change", ({ target }) => {
    if (target.id === "shared-file" && target.files[0]) openShared(target.files[0]);
  });
  document.addEventListener("dragover", (event) => event.preventDefault());
  document.addEventListener("drop", (event) => {
    event.preventDefault();
    if (event.dataTransfer.files[0]) openShared(event.dataTransfer.files[0]);
  });
}

// The fields of a form that is sent again are parts of its body.
document.addEventListener("input", ({ target }) => {
  if (target.dataset.pair === undefined) return;
  const fields = [...target.form.querySelectorAll("[data-pair]")];
  const pairs = fields.map(({ dataset, value }) => [dataset.pair, value]);
  target.form.elements.body.value = new URLSearchParams(pairs);
});
