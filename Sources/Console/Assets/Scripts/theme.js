// Kept in a cookie, so that the server can answer the next page in it at once.
const themeSwitch = document.getElementById("theme");
themeSwitch.hidden = false;
themeSwitch.addEventListener("click", () => {
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light";
  const isDark = (root.dataset.theme ?? system) === "dark";
  root.dataset.theme = isDark ? "light" : "dark";
  document.cookie = `theme=${root.dataset.theme}; path=/; max-age=31536000; samesite=strict`;
});
