// Every phone is a second copy: the hands that the server has acknowledged stay here for the evening,
// and go out again when a server with an older state answers, as after a backup was restored.
import { bringBack, copies, copy, dropCopies, waiting } from "./queue-store.js";
import { KnownHands } from "./queue.js";

const EVENING = 36 * 60 * 60 * 1000; // milliseconds after which a copy goes

/* The copies that a page of the table does not know. A table ends with its game, so its id says
   which game is meant; the game itself has none before its first hand is stored. */
export async function lost(page) {
  const known = new KnownHands(page);
  const here = (await copies()).filter(({ table }) => table === page.tableId);
  return here.filter(({ id }) => !known.receipt(id) && !known.isUndone(id));
}

/* A table that the server does not have: tell it what this phone has kept of it. Whether it listens. */
export async function report(tableId, token) {
  const kept = (await copies()).filter(({ table }) => table === tableId);
  const [newest] = kept.slice(-1);
  if (!newest?.session) return false;
  const { session, number, people } = newest;
  const all = [...kept, ...(await waiting(tableId))];
  const hands = JSON.stringify(all.map(({ fields }) => fields));
  const body = new URLSearchParams({ session, number, people, hands, csrfmiddlewaretoken: token });
  return (await fetch(`/t/${tableId}/copies`, { method: "POST", body })).ok;
}

/* Go by a page that the server has just sent. Answers how many hands the server has lost, which
   wait again from now on; none while others are on their way. */
export async function compare(page) {
  const known = new KnownHands(page);
  const all = await copies();
  for (const { id, table, fields } of all.filter((hand) => !hand.receipt)) {
    const receipt = known.receipt(id);
    if (receipt) await copy({ table, fields }, page, receipt);
  }
  const isOver = ({ id, at }) => at < Date.now() - EVENING || known.isUndone(id);
  const over = all.filter(isOver);
  if (over.length) await dropCopies(over.map(({ id }) => id));
  const missing = page.isSending ? [] : await lost(page);
  if (missing.length) await bringBack(missing);
  return missing.length;
}
