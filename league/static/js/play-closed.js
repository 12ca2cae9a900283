// A table that is closed to this phone: say that what waits here is kept, and let it be shown.
import { report } from "./second-copy.js";
import { waiting } from "./queue-store.js";

const AGAIN = 10000; // milliseconds from one look at a closed session to the next
const box = document.querySelector("[data-kept]");
// Without a page of the table nobody can say whose seat is which: the plain answers are shown.
const asText = ({ fields }) =>
  Object.entries(fields).filter(([name]) => name !== "client_id").map(([name, value]) => `${name}: ${value}`).join(", ");

async function showWaiting() {
  const table = location.pathname.split("/").at(-2);
  await note(table).catch(() => {});
  const hands = await waiting(table);
  if (!hands.length) return;
  box.hidden = false;
  const line = box.querySelector("[data-count]");
  line.textContent = hands.length === 1 ? box.dataset.one : box.dataset.many.replace("%s", hands.length);
  const items = hands.map((hand) => Object.assign(document.createElement("li"), { textContent: asText(hand) }));
  box.querySelector("[data-hands]").append(...items);
}

/* A restored club may not have this table: its organiser is shown what this phone has kept. */
async function note(table) {
  const line = document.querySelector("[data-noted]");
  const token = document.querySelector("[name=csrfmiddlewaretoken]").value;
  if (!(await report(table, token))) return;
  line.textContent = line.dataset.noted;
  line.hidden = false;
}

/* The session is open again: the phone is back at its table, and sends what it has kept. */
async function isOpenAgain() {
  if (document.hidden) return;
  const answer = await fetch(location.href, { signal: AbortSignal.timeout(AGAIN) }).catch(() => null);
  if (answer?.ok) location.reload();
}

if (document.querySelector("[data-closed]")) {
  setInterval(isOpenAgain, AGAIN);
  document.addEventListener("visibilitychange", isOpenAgain);
}
showWaiting().catch(() => {}); // no IndexedDB: nothing can be kept here
