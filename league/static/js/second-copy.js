// Every phone is a second copy: the hands that the server has acknowledged stay here for the evening,
// and go out again when a server with an older state answers, as after a backup was restored.
import { bringBack, copies, copy, dropCopies } from "./queue-store.js";

const EVENING = 36 * 60 * 60 * 1000; // milliseconds after which a copy goes
const BEGINS = 8; // letters of an id that a page names

/* The copies that a page of the table does not know. */
export async function lost({ tableId, game, known }) {
  const ids = new Set(known.split(" "));
  const here = (await copies()).filter((one) => one.table === tableId && one.game === game);
  return here.filter(({ id }) => !ids.has(id.slice(0, BEGINS)) && !ids.has(`-${id.slice(0, BEGINS)}`));
}

/* Go by a page that the server has just sent; `sent` is the hand that it answers, if any. Answers
   how many hands the server has lost, which wait again from now on. */
export async function compare(page, sent) {
  const ids = new Set(page.known.split(" "));
  if (sent && ids.has(sent.fields.client_id.slice(0, BEGINS))) await copy(sent, page.game);
  const isOver = ({ id, at }) => at < Date.now() - EVENING || ids.has(`-${id.slice(0, BEGINS)}`);
  const over = (await copies()).filter(isOver);
  if (over.length) await dropCopies(over.map(({ id }) => id));
  const missing = await lost(page);
  if (missing.length) await bringBack(missing);
  return missing.length;
}
