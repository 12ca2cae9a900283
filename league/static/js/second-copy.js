// Every phone is a second copy: the hands that the server has acknowledged stay here for the evening,
// and go out again when a server with an older state answers, as after a backup was restored.
import { bringBack, copies, copy, dropCopies, waiting } from "./queue-store.js";

const EVENING = 36 * 60 * 60 * 1000; // milliseconds after which a copy goes
const BEGINS = 8; // letters of an id that a page names

/* The hands that a page of the table knows: the receipt of each by the beginning of its id, which has
   a minus before it where the hand counts no more. */
function read({ known, receipts }) {
  const each = receipts.split(" ");
  return new Map(known.split(" ").map((begin, place) => [begin, each[place]]));
}

/* The copies that a page of the table does not know. A table ends with its game, so its id says
   which game is meant; the game itself has none before its first hand is stored. */
export async function lost(page) {
  const known = read(page);
  const here = (await copies()).filter(({ table }) => table === page.tableId);
  return here.filter(({ id }) => !known.has(id.slice(0, BEGINS)) && !known.has(`-${id.slice(0, BEGINS)}`));
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

/* Go by a page that the server has just sent; `sent` is the hand that it answers, if any. Answers
   how many hands the server has lost, which wait again from now on; none while others are on their way. */
export async function compare(page, sent) {
  const known = read(page);
  const all = await copies();
  const fresh = sent ? [{ ...sent, id: sent.fields.client_id }] : [];
  for (const hand of [...fresh, ...all.filter((one) => !one.receipt)]) {
    const receipt = known.get(hand.id.slice(0, BEGINS));
    if (receipt) await copy({ table: hand.table, fields: hand.fields }, page, receipt);
  }
  const isOver = ({ id, at }) => at < Date.now() - EVENING || known.has(`-${id.slice(0, BEGINS)}`);
  const over = all.filter(isOver);
  if (over.length) await dropCopies(over.map(({ id }) => id));
  const missing = page.isSending ? [] : await lost(page);
  if (missing.length) await bringBack(missing);
  return missing.length;
}
