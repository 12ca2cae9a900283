// A table that is closed to this phone: say that what waits here is kept, and let it be shown.
import { waiting } from "./queue-store.js";

const box = document.querySelector("[data-kept]");
// Without a page of the table nobody can say whose seat is which: the plain answers are shown.
const told = ({ fields }) =>
  Object.entries(fields).filter(([name]) => name !== "client_id").map(([name, value]) => `${name}: ${value}`).join(", ");

async function tell() {
  const table = location.pathname.split("/").at(-2);
  const hands = await waiting(table);
  if (!hands.length) return;
  box.hidden = false;
  const line = box.querySelector("[data-count]");
  line.textContent = hands.length === 1 ? box.dataset.one : box.dataset.many.replace("%s", hands.length);
  const items = hands.map((hand) => Object.assign(document.createElement("li"), { textContent: told(hand) }));
  box.querySelector("[data-hands]").append(...items);
}

tell().catch(() => {}); // no IndexedDB: nothing can be kept here
