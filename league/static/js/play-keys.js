// Typing from paper, by the keys that "?" shows.

const form = () => document.querySelector("[data-hand]");
const field = (name, value) => form().querySelector(`[name=${name}][value="${value}"]`);

function choose(input, checked = true) {
  if (!input || input.disabled) return false;
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

/* The next of the others has taken so many; the rest is the maker's. */
function count(number) {
  const maker = `won${form().querySelector("[name=maker]:checked").value}`;
  const others = [...form().querySelectorAll("[name^=won]")].filter(({ name }) => name !== maker);
  const next = others.find(({ name, value }) => !value && !form().querySelector(`[name=out${name.at(-1)}]:checked`));
  if (!next || !next.closest("fieldset").offsetParent) return false;
  next.value = number;
  next.dispatchEvent(new Event("change", { bubbles: true }));
  return true;
}

function digit(number) {
  const maker = form().querySelector("[name=maker]:checked")?.value;
  if (!maker) return choose(field("maker", number - 1));
  if (maker === "passed") return count(number);
  if (bids().length && !bids().some((bid) => bid.checked)) return bid(number);
  const partners = form().querySelector("[name=partner]:enabled") && !form().querySelector("[name=partner]:checked");
  if (partners) return choose(field("partner", number ? number - 1 : "nobody"));
  return form().querySelector("[data-counts]") && !field("tricks", number) ? count(number) : tricks(number);
}

/* A suit by its letter on cards, once it is known who bids; "t" is no trump. */
function suit(key) {
  const letter = key === "t" ? "nt" : key;
  const bid = bids().find((bid) => bid.checked);
  const needs = bid?.closest("label").dataset.needs;
  return form().dataset.bidMark && form().querySelector("[name=maker]:checked") && choose(field("bid", needs + letter) ?? field("trump", letter));
}

/* The special bids, such as misère, one after the other. */
function special() {
  const all = bids().filter((bid) => bid.closest(".special"));
  return choose(all[(all.findIndex((bid) => bid.checked) + 1) % all.length]);
}

function press(key) {
  if (/^[0-9]$/.test(key)) return digit(Number(key));
  if (key === "x") return digit(10);
  if (key === "m") return special();
  if (/^[shdct]$/.test(key) && suit(key)) return true;
  const seat = [...document.querySelectorAll("#seat-keys kbd")].findIndex((kbd) => kbd.textContent.toLowerCase() === key);
  if (seat >= 0) return choose(field("maker", seat));
  if (key === "p") return choose(field("maker", "passed"));
  if (key === "c") return choose(field("maker", "dirty_clubs"));
  if (key === "b") return choose(bids().find((bid) => bid.checked) ?? bids()[0]);
  const alone = field("alone", "on");
  if (key === "a" && alone) return choose(alone, !alone.checked);
  return false;
}

export function onKey(event) {
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
