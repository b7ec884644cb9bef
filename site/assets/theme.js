// Runs before anything is painted: applies the chosen theme, so that no page flashes.
(() => {
  "use strict";
  let chosen = null;
  try {
    chosen = localStorage.getItem("fieldguide-theme");
  } catch {
    // Storage may be off; the system's theme is fine.
  }
  if (chosen === "light" || chosen === "dark") {
    document.documentElement.dataset.theme = chosen;
  }
  document.documentElement.classList.add("scripted");
})();
