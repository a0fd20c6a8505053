"use strict";
// Goes on with a search by itself until it has filled the page. Without it a link does.
const ROWS_MAX = 50;
const onward = () => document.querySelector(".pager a[data-search]");
let isStopped = false;

async function lookOn() {
  while (!isStopped && onward() && rowCount() < ROWS_MAX) {
    const answer = await fetch(onward().href, { headers: { Accept: "text/html" } });
    if (!answer.ok) return;
    const part = new DOMParser().parseFromString(await answer.text(), "text/html");
    append(part);
    for (const name of [".search", ".pager"]) {
      document.querySelector(name)?.replaceChildren(...(part.querySelector(name)?.childNodes ?? []));
    }
    offerStop();
  }
  document.getElementById("stop-search")?.remove();
}

const rowCount = () => document.querySelectorAll(".rows tbody tr").length;

function append(part) {
  const table = part.querySelector(".rows");
  const here = document.querySelector(".rows tbody");
  if (table === null) return;
  if (here === null) {
    document.querySelector(".pager").before(part.querySelector(".wide"));
  } else {
    here.append(...table.querySelectorAll("tbody tr"));
  }
}

function offerStop() {
  const stop = document.createElement("button");
  stop.id = "stop-search";
  stop.type = "button";
  stop.textContent = "Stop";
  stop.addEventListener("click", () => { isStopped = true; });
  document.querySelector(".search").append(stop);
}

if (onward() !== null) {
  offerStop();
  // A part that does not come leaves the link.
  lookOn().catch(() => document.getElementById("stop-search")?.remove());
}
