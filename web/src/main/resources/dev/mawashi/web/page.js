"use strict";
// Brings the page's figures up to date every two seconds, and the keys. Without it all works but these.
const PAUSE = 2000;
let isPaused = false;

const isTyping = () => /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "");
const hasSelection = () => String(document.getSelection()).length > 0;
const isLive = () => document.querySelector(".tiles, nav a[aria-current][href='/busy'], nav a[aria-current][href='/processes'], nav a[aria-current][href='/queues']")
  && !document.querySelector(".filter, .facts");

async function refresh() {
  if (isPaused || document.hidden || isTyping() || hasSelection() || !isLive()) return;
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const here = rows().findIndex((row) => row.classList.contains("here"));
    for (const part of ["main", "footer"]) {
      document.querySelector(part).replaceChildren(...fresh.querySelector(part).childNodes);
    }
    if (here >= 0) rows()[here]?.classList.add("here");
  } catch {
    // The server is gone for now; the footer's time shows how old the page is.
  }
}
setInterval(refresh, PAUSE);

const rows = () => [...document.querySelectorAll(".rows tbody tr")];

function move(step) {
  const all = rows();
  if (all.length === 0) return;
  const at = all.findIndex((row) => row.classList.contains("here"));
  const to = Math.min(all.length - 1, Math.max(0, at + step));
  all[at]?.classList.remove("here");
  all[to].classList.add("here");
  all[to].scrollIntoView({ block: "nearest" });
}

document.addEventListener("keydown", (event) => {
  if (isTyping() || event.ctrlKey || event.metaKey || event.altKey) return;
  const keys = {
    "/": () => document.querySelector(".filter input")?.focus(),
    j: () => move(1),
    k: () => move(-1),
    Enter: () => document.querySelector(".rows tr.here a")?.click(),
    p: () => { isPaused = !isPaused; },
    "?": () => document.getElementById("keys").showModal(),
  };
  const act = keys[event.key];
  if (act === undefined || (event.key === "Enter" && document.activeElement !== document.body)) return;
  event.preventDefault();
  act();
});
