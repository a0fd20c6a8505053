"use strict";
// Keys, and figures as they change: the server sends them each second to all pages that are open.
// Without this script a page shows what was so when it was asked for.
const REFRESH_MIN = 2_000;
const REFRESH_MAX = 10_000;
const POLL = 5_000;

const state = { isPaused: false, source: null, timer: null, mark: null, refreshed: 0, isAsking: false };
const isTyping = () => /^(INPUT|TEXTAREA|SELECT)$/.test(document.activeElement?.tagName ?? "")
  && document.activeElement.type !== "checkbox";

/** Says how fresh the page is, and sends events to other scripts. */
function report(text, kind) {
  const place = document.getElementById("live");
  if (place === null) return;
  place.textContent = text;
  place.dataset.state = kind;
}

function figures(event) {
  const news = JSON.parse(event.data);
  report("live", "live");
  for (const place of document.querySelectorAll("[data-figure]")) {
    const text = news.shown[place.dataset.figure];
    if (text !== undefined && text !== place.textContent) place.textContent = text;
  }
  document.dispatchEvent(new CustomEvent("figures", { detail: news }));
  const age = Date.now() - state.refreshed;
  if (age >= REFRESH_MAX || (news.mark !== state.mark && age >= REFRESH_MIN)) {
    state.mark = news.mark;
    refresh();
  }
}

/** What of this page is renewed: nothing where somebody searches, or reads about one job. */
const parts = () => (document.querySelector("main .filter, main .facts") ? [] : ["main", "footer"]);

/** Asks for this page anew and puts what differs into it. */
async function refresh() {
  if (state.isAsking || parts().length === 0 || document.querySelector("dialog[open]")) return;
  state.isAsking = true;
  state.refreshed = Date.now();
  try {
    const answer = await fetch(location.href, { headers: { Accept: "text/html" } });
    if (!answer.ok || state.isPaused) return;
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    for (const part of parts()) renew(document.querySelector(part), fresh.querySelector(part));
  } catch {
    report("disconnected", "away");
  } finally {
    state.isAsking = false;
  }
}

const key = (node) => node.dataset?.key ?? node.id ?? "";
const isSame = (old, fresh) => old.nodeType === fresh.nodeType && old.nodeName === fresh.nodeName && (key(old) || "") === (key(fresh) || "");

/** Makes a node like another one, and keeps what it can: focus, selection, what is open or checked. */
function renew(old, fresh) {
  if (old.nodeType !== Node.ELEMENT_NODE) {
    if (old.data !== fresh.data) old.data = fresh.data;
    return;
  }
  if (old.hasAttribute("data-keep")) return;
  for (const { name } of [...old.attributes]) {
    if (!fresh.hasAttribute(name) && name !== "open" && !(name === "class" && old.classList.contains("here"))) old.removeAttribute(name);
  }
  for (const { name, value } of fresh.attributes) {
    if (name === "open" || name === "checked" || name === "value" || old.getAttribute(name) === value) continue;
    const isHere = name === "class" && old.classList.contains("here");
    old.setAttribute(name, value);
    if (isHere) old.classList.add("here");
  }
  renewChildren(old, fresh);
}

function renewChildren(old, fresh) {
  let at = old.firstChild;
  for (const wanted of [...fresh.childNodes]) {
    let match = at;
    // A row that is gone, or new, shall not shift what all the others are taken for.
    if (match !== null && !isSame(match, wanted) && key(wanted)) {
      match = [...old.children].find((child) => isSame(child, wanted)) ?? null;
      if (match !== null) old.insertBefore(match, at);
    }
    if (match !== null && isSame(match, wanted)) {
      renew(match, wanted);
      at = match.nextSibling;
    } else {
      old.insertBefore(document.importNode(wanted, true), at);
    }
  }
  while (at !== null) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

function connect() {
  disconnect();
  if (state.isPaused) return report("paused", "paused");
  if (document.hidden) return;
  report("connecting", "away");
  const source = new EventSource("/api/v1/live");
  state.source = source;
  source.addEventListener("figures", figures);
  source.addEventListener("away", (event) => report(JSON.parse(event.data), "away"));
  source.addEventListener("error", () => {
    report("disconnected", "away");
    // The browser tries again by itself, unless it was refused.
    if (source.readyState === EventSource.CLOSED) poll();
  });
}

function disconnect() {
  state.source?.close();
  state.source = null;
  clearTimeout(state.timer);
}

/** Where no stream is to be had: asks for the page now and then, and for a stream each time. */
function poll() {
  disconnect();
  state.timer = setTimeout(() => {
    refresh();
    connect();
  }, POLL);
}

function pause() {
  state.isPaused = !state.isPaused;
  connect();
}

document.addEventListener("visibilitychange", connect);
addEventListener("pagehide", disconnect);
addEventListener("pageshow", (event) => { if (event.persisted) connect(); });
document.getElementById("live")?.addEventListener("click", pause);
state.refreshed = Date.now();
connect();

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
    p: pause,
    "?": () => document.getElementById("keys").showModal(),
  };
  const act = keys[event.key];
  if (act === undefined || (event.key === "Enter" && document.activeElement !== document.body)) return;
  event.preventDefault();
  act();
});
