// What waits in this phone as the page shows it: the status line, one line for the hands, a clash
// with its choices, the score as the phone counts it.
import { inWords } from "./play-form.js";
import { counted, showScore } from "./play-score.js";

const SEEN = 10000; // milliseconds in which a line can be read
const NO_USE = ["game-over", "table-ended", "disputed", "session-not-open", "locked", "forbidden"];
export const TAKEN = ["hand-there", "hand-missing", "same-id"]; // clashes about a place in the game

export const words = document.getElementById("queue-words")?.dataset;
export const section = () => document.querySelector("[data-queue]");
export const handForm = () => document.querySelector("[data-queue] ~ [data-hand]");
const copy = (id) => document.getElementById(id).content.cloneNode(true);

export function hear(text, number) {
  document.querySelector("[data-heard]").textContent = text.replace("%s", number);
}

/* Said over the page's head for a while: no key moves for it. */
export function toast(text) {
  if (!text) return;
  const line = document.querySelector("[data-toast]");
  line.textContent = text;
  setTimeout(() => line.textContent === text && line.replaceChildren(), SEEN);
}

/* The button that was pressed is gone or waits: who hears the page goes on where the next hand begins. */
export function focusNext() {
  const place = document.querySelector("[data-won] [data-queue], .pad:not([data-won]) #who-made, .end-head");
  if (!place || !document.activeElement.matches("body, :disabled")) return;
  place.tabIndex = -1;
  place.focus({ preventScroll: true });
}

/* Hands that wait for a table of before: its own page shows them. */
export function drawElsewhere([hand]) {
  if (!hand) return;
  const part = copy("queue-elsewhere");
  part.querySelector("a").href = section().dataset.home.replace(section().dataset.tableId, hand.table);
  document.querySelector("#messages").append(part);
}

export function drawQueue({ hands, trouble }, status) {
  const waiting = hands.length > 0;
  const table = section().closest("[data-table]");
  section().hidden = !waiting;
  table.toggleAttribute("data-waiting", waiting);
  document.querySelectorAll("#last-hand, [data-undone]").forEach((part) => (part.hidden = waiting));
  const isOpen = section().querySelector("details.waiting")?.open;
  const score = counted(trouble ? [] : hands, handForm(), table); // what is in question counts on no side
  const end = showScore(score, table, waiting && !trouble);
  table.toggleAttribute("data-won", Boolean(end.won));
  document.querySelector("[data-while-waiting]")?.toggleAttribute("hidden", !waiting || Boolean(trouble));
  section().querySelector("[data-list]").replaceChildren(...(waiting ? parts(hands, trouble, score, end) : []));
  if (isOpen) section().querySelector("details.waiting")?.setAttribute("open", "");
  if (trouble) status("attention", words.attention);
  else if (waiting) status("waiting", words.waiting.replace("%s", hands.length));
  else if (navigator.onLine) status("saved", words.saved);
  else status("offline", words.away);
}

function parts(hands, trouble, score, end) {
  const list = copy("queue-waiting");
  if (trouble) list.querySelector("[data-offline]").remove();
  const reached = list.querySelector("[data-reached]");
  reached.hidden = !end.mayHaveWon;
  reached.querySelector("span").textContent = end.won ? words.reached.replace("%s", end.won) : words.judged;
  const behind = hands.slice(trouble ? 1 : 0);
  const many = behind.length === 1 ? words.one : words.many.replace("%s", behind.length);
  list.querySelector("[data-count]").textContent = score.known ? many : words.uncounted;
  list.querySelector("[data-counted]").textContent = score.known ? words.counted : many;
  list.querySelector("[data-hands]").append(...behind.map(line));
  list.querySelector("[data-last]").textContent = numbered(hands.at(-1));
  if (!behind.length) list.querySelector("[data-behind]").remove(); // the clash has its own ways out
  return trouble ? [clash(hands[0], trouble), list] : [list];
}

const numbered = (hand) => `${words.numbered.replace("%s", hand.fields.number)} · ${inWordsOf(hand)}`;

function line(hand) {
  const item = copy("queue-hand");
  item.querySelector("[data-number]").textContent = words.numbered.replace("%s", hand.fields.number);
  item.querySelector("[data-words]").textContent = inWordsOf(hand);
  return item;
}

function inWordsOf(hand) {
  const form = handForm();
  return form ? inWords(form, hand.fields, words.tricks) : "";
}

function clash(hand, trouble) {
  const part = copy("queue-trouble");
  const title = words[{ locked: "locked", forbidden: "locked", refused: "refused" }[trouble.code]] ?? trouble.title;
  part.querySelector("[data-title]").textContent = title;
  const sentences = Object.values(trouble.fields ?? {}).flat().filter((sentence) => sentence !== title);
  const list = part.querySelector("[data-sentences]");
  list.hidden = sentences.length === 0;
  list.append(...sentences.map((textContent) => Object.assign(document.createElement("li"), { textContent })));
  const mine = trouble.mine || inWordsOf(hand);
  part.querySelector("[data-mine] dd").textContent = `${words.numbered.replace("%s", hand.fields.number)} · ${mine}`;
  part.querySelector("[data-theirs]").hidden = !trouble.theirs;
  part.querySelector("[data-theirs] dd").textContent = trouble.theirs ?? "";
  const next = part.querySelector("[data-next]");
  const isAlone = !trouble.theirs; // none there, or it was deleted
  next.textContent = (isAlone ? next.dataset.alone : next.dataset.next).replace("%s", trouble.next);
  const offered = choices(trouble);
  const drop = part.querySelector("[data-drop]");
  if (isAlone) drop.textContent = drop.dataset.drop;
  for (const button of part.querySelectorAll("[data-do]")) button.hidden = !offered.includes(button.dataset.do);
  return part;
}

function choices({ code, phase, version, theirs, may_replace }) {
  if (NO_USE.includes(code)) return ["again", "drop"];
  if (phase && phase !== "playing") return [may_replace && "replace", "drop"];
  if (code === "unlikely") return ["confirm", "edit", "drop"];
  if (!TAKEN.includes(code)) return ["edit", "drop"];
  return [(theirs || !version) && "next", "edit", version && "replace", "drop"];
}
