"use strict";
// Light, dark, or as the system has it. Loaded before the page is drawn, so that it never flashes.
(() => {
  const THEMES = ["auto", "light", "dark"];
  const root = document.documentElement;
  const chosen = () => {
    try {
      const kept = localStorage.getItem("theme");
      return THEMES.includes(kept) ? kept : "auto";
    } catch {
      return "auto";
    }
  };
  const show = (theme) => {
    if (theme === "auto") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  show(chosen());
  document.addEventListener("DOMContentLoaded", () => {
    const button = document.querySelector("button.theme");
    let theme = chosen();
    const name = () => { button.textContent = `theme: ${theme}`; };
    button.hidden = false;
    name();
    button.addEventListener("click", () => {
      theme = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      try {
        localStorage.setItem("theme", theme);
      } catch {
        // Kept for this page alone.
      }
      show(theme);
      name();
    });
  });
})();
