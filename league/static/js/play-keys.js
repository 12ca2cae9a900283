// Typing from paper, by the keys that "?" shows.

const form = () => document.querySelector("[data-hand]");
const field = (name, value) => form().querySelector(`[name=${name}][value="${value}"]`);

function choose(input, checked = true) {
  if (!input) return false;
  input.checked = checked;
  input.dispatchEvent(new Event("change", { bubbles: true }));
  input.focus({ preventScroll: true });
  return true;
}

function tricks(count) {
  const most = Number(form().dataset.tricks);
  if (form().dataset.outcomes !== "yes") return choose(field("tricks", count));
  const word = count === most ? "march" : count * 2 > most ? "made" : "euchred";
  return count <= most && choose(field("outcome", word));
}

const bids = () => [...form().querySelectorAll("[name=bid]")];

/* The first bid that needs so many tricks; ten is 0. */
function bid(number) {
  const needs = String(number || 10);
  return choose(bids().find((bid) => bid.closest("label").dataset.needs === needs));
}

function digit(number) {
  if (!form().querySelector("[name=maker]:checked")) return choose(field("maker", number - 1));
  const unbid = bids().length && !bids().some((bid) => bid.checked);
  return unbid ? bid(number) : tricks(number);
}

function press(key) {
  if (/^[0-9]$/.test(key)) return digit(Number(key));
  const seat = [...document.querySelectorAll("#seat-keys kbd")].findIndex((kbd) => kbd.textContent.toLowerCase() === key);
  if (seat >= 0) return choose(field("maker", seat));
  if (key === "p") return choose(field("maker", "passed"));
  if (key === "b") return choose(bids().find((bid) => bid.checked) ?? bids()[0]);
  const alone = field("alone", "on");
  if (key === "a" && alone) return choose(alone, !alone.checked);
  return false;
}

function onKey(event) {
  const typing = event.target.closest("input:not([type=radio], [type=checkbox]), select, textarea");
  const dialog = document.querySelector("#keys");
  if (typing || document.querySelector("dialog[open]") || event.altKey || event.metaKey) return;
  const key = event.key.toLowerCase();
  if (event.ctrlKey) {
    const again = key === "y" || (key === "z" && event.shiftKey);
    const wanted = again ? "[data-redo]" : key === "z" && "[data-undo]:not([hidden])";
    const order = wanted && document.querySelector(wanted);
    if (order) event.preventDefault(), order.requestSubmit();
    return;
  }
  if (key === "?") dialog?.showModal();
  if (!form()) return;
  if (key === "escape") form().reset(), choose(form().querySelector("[name=dealer]:checked"));
  else if (key === "enter" && !event.target.closest("button, a, summary")) {
    event.preventDefault();
    document.querySelector("[data-save]")?.click();
  } else if (press(key)) event.preventDefault();
}

export function startKeys() {
  const open = () => document.querySelector("#keys").showModal();
  document.querySelector("[data-keys]")?.addEventListener("click", open);
  document.addEventListener("keydown", onKey);
}
