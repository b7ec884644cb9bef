// Search over any page: "/" or the button in the masthead opens it, Esc closes it. Without this
// script the button is a link to the page that searches.
(() => {
  "use strict";
  const fieldguide = self.fieldguide;
  const find = document.querySelector("a.find");
  if (!find) return;
  let finder;

  const loaded = () =>
    new Promise((resolve, reject) => {
      if (fieldguide.mountSearch) return resolve();
      const script = document.createElement("script");
      script.src = `${document.documentElement.dataset.root}assets/search.js`;
      script.onload = resolve;
      script.onerror = reject;
      document.head.append(script);
    });

  const build = async () => {
    await loaded();
    const dialog = document.createElement("dialog");
    dialog.className = "finder";
    dialog.setAttribute("aria-label", fieldguide.words.search.label);
    const place = document.createElement("div");
    dialog.append(place);
    document.body.append(dialog);
    dialog.addEventListener("click", (event) => {
      // A click beside it closes it, and so does one on a place of this very page.
      if (event.target === dialog || event.target.closest("a")) dialog.close();
    });
    await fieldguide.mountSearch(place, find.href);
    return dialog;
  };

  const open = async () => {
    try {
      finder ??= build();
      const dialog = await finder;
      if (!dialog.open) dialog.showModal();
      dialog.querySelector("input").select();
    } catch {
      location.href = find.href;
    }
  };

  const here = () => document.querySelector(".search-here input");

  find.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey || here()) return;
    event.preventDefault();
    open();
  });

  addEventListener("keydown", (event) => {
    const field = event.target.closest?.("input, textarea, select, [contenteditable]");
    if (event.key === "/" && !field && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      if (here()) here().select();
      else open();
    }
    if (event.key === "Escape" && field?.matches(".finder input")) {
      // The field would take the first Esc to empty itself.
      event.preventDefault();
      field.closest("dialog").close();
    }
    if (event.key === "Escape" && field?.matches(".search-here input")) {
      if (field.value) {
        field.value = "";
        field.dispatchEvent(new Event("input"));
      } else if (history.length > 1) {
        history.back();
      }
    }
  });
})();
