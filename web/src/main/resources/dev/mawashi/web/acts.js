"use strict";
// Makes choosing and confirming quicker. Without it every act works: a page asks in place of the dialog.
const boxes = () => [...document.querySelectorAll(".rows input[name=key]")];
const isOf = (value) => document.querySelector(`.which input[value=${value}]`)?.checked ?? false;
let lastBox = null;

// How many are chosen; with none the buttons have nothing to do.
function count() {
  const chosen = boxes().filter((box) => box.checked).length;
  const label = document.querySelector(".which .chosen");
  if (label === null) return;
  label.textContent = `${chosen} chosen`;
  for (const button of document.querySelectorAll(".actbar button")) {
    button.disabled = isOf("selected") && chosen === 0;
  }
  const all = document.querySelector(".rows thead input");
  if (all !== null) {
    all.checked = chosen > 0 && chosen === boxes().length;
    all.indeterminate = chosen > 0 && chosen < boxes().length;
  }
}

function addBoxForAll() {
  const head = document.querySelector(".choosing thead .box");
  if (head === null || head.firstChild) return;
  const all = Object.assign(document.createElement("input"), { type: "checkbox", ariaLabel: "Choose all of this page" });
  all.addEventListener("change", () => {
    for (const box of boxes()) box.checked = all.checked;
    count();
  });
  head.append(all);
}

function choose(box, isRange) {
  const all = boxes();
  if (isRange && lastBox !== null && all.includes(lastBox)) {
    const [from, to] = [all.indexOf(lastBox), all.indexOf(box)].sort((a, b) => a - b);
    for (const one of all.slice(from, to + 1)) one.checked = box.checked;
  }
  lastBox = box;
  if (box.checked) document.querySelector(".which input[value=selected]").checked = true;
  count();
}

document.addEventListener("click", (event) => {
  if (event.target.matches?.(".rows tbody input[name=key]")) choose(event.target, event.shiftKey);
});
document.addEventListener("change", (event) => {
  if (event.target.name === "of") count();
});
document.addEventListener("keydown", (event) => {
  if (event.key !== "x" || event.ctrlKey || event.metaKey || event.altKey) return;
  if (/^(TEXTAREA|SELECT)$/.test(event.target.tagName) || event.target.matches("input:not([type=checkbox], [type=radio])")) return;
  const box = document.querySelector(".rows tr.here input[name=key]");
  if (box === null) return;
  event.preventDefault();
  box.checked = !box.checked;
  choose(box, false);
});

// Enter in a field means the button beside it. The form's first button is disabled, so that without this
// Enter does nothing.
document.addEventListener("keydown", (event) => {
  const field = event.target.closest?.(".with");
  if (event.key !== "Enter" || !field || event.target.tagName !== "INPUT") return;
  event.preventDefault();
  field.querySelector("button").click();
});

// What to ask before an act of the bar on all jobs: the page that the server would answer with says the same.
function question(form, button) {
  const asks = button.dataset.ask ? button.dataset : form.dataset;
  if (asks.ask) return [asks.ask, asks.note ?? ""];
  const isMany = form.matches(".choosing") && !isOf("selected");
  const which = form.querySelector(".which input:checked")?.parentElement.textContent.trim();
  return isMany
    ? [`${button.textContent.trim()}: ${which}?`, "Of a large number only the first thousand can be had back."]
    : null;
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  const button = event.submitter;
  if (form.method !== "post" || form.querySelector("input[name=sure]") !== null || button === null) return;
  const asked = question(form, button);
  if (asked === null) return;
  event.preventDefault();
  const dialog = document.getElementById("ask");
  dialog.querySelector("h2").textContent = asked[0];
  dialog.querySelector("p").textContent = asked[1];
  dialog.returnValue = "";
  dialog.onclose = () => {
    if (dialog.returnValue !== "yes") return;
    form.append(Object.assign(document.createElement("input"), { type: "hidden", name: "sure", value: "yes" }));
    form.requestSubmit(button);
  };
  dialog.showModal();
});

// A browser that goes back shows the page as it was left, with a form that says it is sure.
addEventListener("pageshow", () => {
  for (const sure of document.querySelectorAll("main form:not(.ask) > input[name=sure]")) sure.remove();
  addBoxForAll();
  count();
});

// An act that goes on reports how far it is.
if (document.querySelector(".flash[data-under-way]") !== null) {
  setTimeout(() => location.reload(), 1500);
}
