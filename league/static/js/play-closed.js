// A table that is closed to this phone: the hands that wait here can be read, sent to the new table
// or deleted; then the phone goes on to the seats that are new.
import { inWords } from "./play-form.js";
import { forget, keep, waiting } from "./queue-store.js";

const PATIENCE = 10000; // milliseconds until a silent server counts as gone
const table = location.pathname.split("/").at(-2);
const box = document.querySelector("[data-kept]");
const form = document.querySelector("[data-form]")?.content.querySelector("form");

const goOn = () => document.querySelector("form[data-follow]")?.submit();

/* What was played, by the form of its table; without it nobody can say whose seat is which. */
function asText({ fields }) {
  const played = form ? inWords(form, fields, box.dataset.tricks) : "";
  return [box.dataset.numbered.replace("%s", fields.number), played].filter(Boolean).join(" · ");
}

async function showWaiting() {
  const hands = await waiting(table);
  box.hidden = !hands.length;
  if (!hands.length) return goOn();
  const line = box.querySelector("[data-count]");
  line.textContent = hands.length === 1 ? box.dataset.one : box.dataset.many.replace("%s", hands.length);
  const items = hands.map((hand) => Object.assign(document.createElement("li"), { textContent: asText(hand) }));
  box.querySelector("[data-hands]").replaceChildren(...items);
}

async function settle({ target }) {
  const button = target.closest("[data-send-to], [data-delete]");
  if (!button) return;
  const hands = await waiting(table);
  const moved = ({ order, fields }) => keep({ order, table: button.dataset.sendTo, fields });
  if (button.dataset.sendTo) await Promise.all(hands.map(moved));
  else await forget(hands.map(({ order }) => order));
  await showWaiting();
}

/* A restored club may not have this table: its organiser is shown what this phone has kept. */
async function note() {
  const line = document.querySelector("[data-noted]");
  if (!line) return;
  const { report } = await import("./second-copy.js");
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  if (!(await report(table, token))) return;
  line.textContent = line.dataset.noted;
  line.hidden = false;
}

/* The session is open again, or the new seats are there: the server has another page now. */
async function lookAgain() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(PATIENCE) }).catch(() => null);
  if (answer?.ok) location.reload();
}

const seconds = document.querySelector("[data-look-again]")?.dataset.lookAgain;
if (seconds) {
  setInterval(lookAgain, seconds * 1000);
  document.addEventListener("visibilitychange", lookAgain);
}
box.addEventListener("click", settle);
showWaiting().catch(goOn); // no IndexedDB: nothing can be kept here
note().catch(() => {});
