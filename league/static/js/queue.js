// A table's queue: hands go out one after the other, oldest first, and leave the phone only when
// the server has answered for them by their id. Two tabs may send the same hand: the server stores
// it once and answers both. The first hand that is refused stops the rest, so that order holds.
import { copy, forget, keep, waiting } from "./queue-store.js";

const PATIENCE = 12000; // milliseconds until a silent server counts as gone
const SOONEST = 2000;
const LATEST = 60000;
const BEGINS = 8; // letters of an id that a page names
const USED_ID = "same-id"; // the server knows this id with another hand in it

export class NoAnswer extends Error {}

export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16)); // randomUUID needs https
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/* The hands that a page of the table knows: the receipt of each by the beginning of its id, which has
   a minus before it where the hand counts no more. */
export class KnownHands extends Map {
  constructor({ known, receipts }) {
    const each = receipts.split(" ");
    super(known.split(" ").map((begin, place) => [begin, each[place]]));
  }

  receipt(id) {
    return this.get(id.slice(0, BEGINS));
  }

  isUndone(id) {
    return this.has(`-${id.slice(0, BEGINS)}`);
  }
}

/* What one sending came to: {stored: true, …}, or the server's problem with its `code`. */
async function post(hand, door) {
  const body = new URLSearchParams({ ...hand.fields, csrfmiddlewaretoken: door.token() });
  const answer = await fetch(door.address, {
    method: "POST",
    body,
    headers: { Accept: "application/json", ...(hand.receipt && { "X-Receipt": hand.receipt }) },
    redirect: "error", // a hotel's sign-in page is not our server
    signal: AbortSignal.timeout(PATIENCE),
  });
  const json = /json/.test(answer.headers.get("Content-Type") ?? "");
  const told = json ? await answer.json() : {};
  if (answer.ok && told.client_id === hand.fields.client_id) return { ...told, stored: true };
  if (json && told.code) return told;
  if (answer.status === 403) return { code: "forbidden", status: 403 };
  if (answer.status >= 400 && answer.status < 500 && ![404, 408, 425, 429].includes(answer.status)) {
    return { code: "refused", status: answer.status };
  }
  throw new NoAnswer(String(answer.status));
}

export class Queue {
  /* `door`: the address to send to, token() for the form's token, and renew() to fetch a new
     one, page() what the table's page says of it.
     `changed(news)` is called whenever what waits, or why, has changed. */
  constructor(table, door, changed) {
    Object.assign(this, { table, door, changed });
    this.hands = [];
    this.trouble = null;
    this.busy = false;
    this.failures = 0;
    this.hastened = false;
    this.tried = new Set(); // sent, and nobody answered
    this.already = ""; // who had entered the same before, not said yet
  }

  get last() {
    return this.hands.at(-1);
  }

  /* What is being sent has its answer first: a tap meanwhile waits for it. */
  async idle() {
    while (this.busy) await new Promise((done) => setTimeout(done, 50));
  }

  async load() {
    this.hands = await waiting(this.table);
    if (!this.hands.some(({ order }) => order === this.trouble?.hand)) this.trouble = null;
  }

  async add(fields) {
    const hand = { table: this.table, fields };
    hand.order = await keep(hand);
    this.hands.push(hand);
    return hand;
  }

  async drop(hand) {
    await forget([hand.order]);
    this.leave(hand);
  }

  /* A page of the server's answers this hand, and nobody has seen it yet: what it knows stays here
     as a copy from now on; what it refuses is in its form again. */
  async answered(hand, page) {
    const receipt = new KnownHands(page).receipt(hand.fields.client_id);
    await (receipt ? copy(hand, page, receipt) : forget([hand.order]));
    this.leave(hand);
  }

  leave(hand) {
    this.hands = this.hands.filter((other) => other.order !== hand.order);
    if (this.trouble?.hand === hand.order) this.trouble = null;
  }

  /* Give a hand other answers; its id stays, unless the server has used it up. */
  async change(hand, fields) {
    if (this.trouble?.code === USED_ID) fields.client_id = newId();
    hand.fields = fields;
    await keep(hand);
    this.trouble = null;
  }

  /* Put a hand in the place of the one that is there, of this version. Why not, in words; nothing
     where it is done. */
  async replace({ fields }, version, reason) {
    const answers = { ...fields, version, reason, confirm_unlikely: "on" };
    const answer = await fetch(`${this.door.page().home}hands/${fields.number}`, {
      method: "POST",
      body: new URLSearchParams({ ...answers, csrfmiddlewaretoken: this.door.token() }),
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (answer.ok) return "";
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const why = page.querySelectorAll("[role=alert] p");
    return Array.from(why.length ? why : page.querySelectorAll("h1"), (line) => line.textContent).join(" ");
  }

  /* Number the hands again, so that none is missing and none is double. */
  async renumber(from) {
    let number = Number(from);
    for (const hand of this.hands) {
      if (Number(hand.fields.number) !== number) {
        hand.fields.number = String(number);
        await keep(hand);
      }
      number += 1;
    }
  }

  /* Send what waits. Answers how many hands the server has taken. A clash stays until there is an
     answer: a page drawn meanwhile still offers its choices. */
  async flush() {
    if (this.busy) return 0;
    this.busy = true;
    this.hastened = false;
    clearTimeout(this.timer);
    let taken = 0;
    try {
      await this.load(); // another tab may have sent or added some
      while (this.hands.length && (await this.sendFirst())) taken += 1;
      this.failures = 0;
    } catch {
      this.trouble = null;
      this.later(this.hands[0]);
    } finally {
      this.busy = false;
    }
    await this.changed(taken);
    return taken;
  }

  /* Nobody answered: try again by itself, less often the longer it lasts; at once where the
     network came back while that attempt was still on its way. */
  later(hand) {
    if (hand) this.tried.add(hand.order);
    const pause = this.hastened ? 0 : Math.min(LATEST, SOONEST * 2 ** this.failures);
    this.hastened = false;
    this.failures += 1;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.flush(), pause);
  }

  /* The network may be back: send at once, and wait no longer than at first if it is not. */
  hasten() {
    this.failures = 0;
    if (this.busy) this.hastened = true;
    else if (this.hands.length) this.flush();
  }

  /* Whether the server has taken the first hand; else why not is the trouble. */
  async sendFirst() {
    const hand = this.hands[0];
    let told = await post(hand, this.door);
    if (told.code === "forbidden" && (await this.door.renew())) told = await post(hand, this.door);
    if (!told.stored && !(told.code === "hand-there" && told.same)) {
      this.trouble = { ...told, hand: hand.order };
      return false;
    }
    this.trouble = null;
    if (told.same) this.already = told.title;
    await (told.stored && told.counts !== false ? copy(hand, this.door.page()) : forget([hand.order]));
    this.hands.shift();
    return true;
  }
}
